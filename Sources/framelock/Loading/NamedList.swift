internal import Instrument
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// What an option takes whose value is a list of names with values, such as `--faults drop=1%,unplug@30s`.
///
/// The one table of names serves the parser, the hints of its messages and `--help`.
struct NamedList<Target> {
    /// What a name takes, with the closure that puts it into the target.
    enum Form {
        /// `NAME=1%`, as chances per million, 0 to 1,000,000.
        case chance((inout Target, Int) -> Void)
        /// `NAME=10%`, in millionths within a range.
        case percent(ClosedRange<Int>, (inout Target, Int) -> Void)
        /// `NAME=10%/s`, in millionths, 0 to 1,000,000.
        case perSecond((inout Target, Int) -> Void)
        /// `NAME=100Hz:20%`: thousandths of a hertz, from 1 to 100,000,000, and millionths, 0 to 1,000,000.
        case wave((inout Target, Int64, Int) -> Void)
        /// `NAME=2s@30s`, which may be repeated.
        ///
        /// The first is how long, the second when it begins.
        case span((inout Target, InjectedFaults.Span) -> Void)
        /// `NAME@30s`: once, so long after the start of the stream.
        case moment((inout Target, Interval) -> Void)
        /// `NAME=-1s@30s`, which may be repeated.
        ///
        /// The first is by how much, and may be negative; the second when.
        case step((inout Target, SimulatedCourse.Step) -> Void)
        /// `NAME=1ms`, a duration with its unit.
        case duration((inout Target, Interval) -> Void)
        /// `NAME=16`, 1 to 65,536.
        case count((inout Target, Int) -> Void)
        /// `NAME=+2`, 1 to 16 more than usual.
        case extra((inout Target, Int64) -> Void)
        /// `NAME=exposure` or `NAME=gain`, which may be repeated.
        case control((inout Target, InjectedFaults.Ignorable) -> Void)
        /// `NAME` alone: there is nothing to choose.
        case always((inout Target) -> Void)
        /// `NAME=50MB/s`, in bytes per second.
        case rate((inout Target, Int64) -> Void)

        /// Whether the name may stand several times in a list.
        var isRepeatable: Bool {
            switch self {
            case .span, .step, .control: true
            default: false
            }
        }
    }

    /// A name: how it is given, and what it does to the target.
    struct Item {
        /// As it is written, and as hints and `--help` have it.
        let name: String
        /// How it is given.
        let form: Form
        /// A few words for `--help`.
        let meaning: String

        init(_ name: String, _ meaning: String, _ form: Form) {
            (self.name, self.meaning, self.form) = (name, meaning, form)
        }

        /// How it is given, with values that show their units; hints and `--help` print it.
        var example: String {
            switch form {
            case .chance: "\(name)=1%"
            case .percent: "\(name)=10%"
            case .perSecond: "\(name)=10%/s"
            case .wave: "\(name)=100Hz:20%"
            case .span: "\(name)=2s@30s"
            case .moment: "\(name)@30s"
            case .step: "\(name)=-1s@30s"
            case .duration: "\(name)=1ms"
            case .count: "\(name)=16"
            case .extra: "\(name)=+2"
            case .control: "\(name)=exposure"
            case .rate: "\(name)=50MB/s"
            case .always: name
            }
        }

        /// What values it takes, for hints; nil where the example says all.
        var range: String? {
            switch form {
            case .chance, .perSecond: "0% to 100%"
            case .percent(let range, _):
                "\(Self.percent(range.lowerBound)) to \(Self.percent(range.upperBound))"
            case .wave: "up to 100000Hz, and 0% to 100%"
            case .count: "1 to 65536"
            case .extra: "+1 to +16"
            case .control: "or \(name)=gain"
            case .span, .moment, .step, .duration, .rate, .always: nil
            }
        }

        private static func percent(_ millionths: Int) -> String {
            decimalText(UInt64(millionths), unit: 10_000) + "%"
        }
    }

    /// The option, as places of mistakes name it.
    let option: String
    /// What a name of the list stands for.
    let noun: String
    /// All names, in the order of `--help`.
    let items: [Item]

    /// A line for each name, in two columns.
    var help: String {
        items.map { item in
            let gap = String(repeating: " ", count: max(1, 25 - item.example.utf8.count))
            return "  \(item.example)\(gap)\(item.meaning)"
        }.joined(separator: "\n")
    }

    /// Reads a list; an empty text is an empty list, an empty item between commas is a mistake.
    ///
    /// - Parameter start: what the list changes.
    /// - Throws: ``Failure`` with exit code 64 and the place of everything that is wrong.
    func parse(_ text: String, into start: Target) throws -> Target {
        var target = start
        var problems = DiagnosticList()
        var seen: Set<String> = []
        var column = 1
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let width = item.unicodeScalars.count
            defer { column += width + 1 }
            if item.isEmpty, text.isEmpty { continue }
            if let problem = add(String(item), to: &target, &seen) {
                let range = SourceRange(
                    at: SourcePosition(line: 1, column: column), columns: max(1, width))
                problems.append(
                    Diagnostic(
                        problem.id, at: range, in: option, problem.message, hint: problem.hint))
            }
        }
        if problems.isEmpty { return target }
        let source = SourceFile(name: option, text: text)
        throw Failure(
            exitCode: 64, message: DiagnosticRenderer(sources: [source]).render(problems))
    }

    /// What is wrong with one item, before it is known where the item stands.
    private struct Problem: Error {
        let id: String
        let message: String
        let hint: String?
    }

    /// Adds one item of the list.
    ///
    /// - Parameter seen: the names that were there before.
    /// - Returns: nil, or what is wrong with it; the target is then as it was.
    private func add(
        _ text: String, to target: inout Target, _ seen: inout Set<String>
    ) -> Problem? {
        let name = String(text.prefix { $0 != "=" && $0 != "@" })
        guard let item = items.first(where: { $0.name == name }) else {
            let names = items.map(\.name)
            let near = nearestWord(to: name, in: names).map { "did you mean `\($0)`?" }
            return Problem(
                id: "unknown-\(noun)", message: "there is no \(noun) \(Diagnostic.quote(name))",
                hint: near ?? "choose from \(names.joined(separator: ", "))")
        }
        let rest = text.dropFirst(name.count)
        do {
            var changed = target
            try item.form.read(String(rest.dropFirst()), with: rest.first, into: &changed)
            guard item.form.isRepeatable || seen.insert(name).inserted else {
                return Problem(
                    id: "repeated-\(noun)", message: "`\(name)` is given twice",
                    hint: "give it once")
            }
            target = changed
            return nil
        } catch let problem as QuantityProblem {
            return Problem(id: problem.id, message: problem.message, hint: problem.hint)
        } catch {
            return Problem(
                id: "\(noun)-format",
                message: "\(Diagnostic.quote(text)) is not how `\(name)` is given",
                hint: "write it as `\(item.example)`" + (item.range.map { ", \($0)" } ?? ""))
        }
    }
}
