internal import Instrument
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// The faults that `framelock simulate --faults` names.
///
/// The one table of names serves the parser, the hints of its messages and `--help`.
enum FaultList {
    /// What a fault takes.
    private enum Form {
        /// `NAME=1%`, as chances per million, 0 to 1,000,000.
        case chance((inout InjectedFaults, Int) -> Void)
        /// `NAME=2s@30s`, which may be repeated.
        ///
        /// The first is how long, the second when it begins.
        case span((inout InjectedFaults, InjectedFaults.Span) -> Void)
        /// `NAME@30s`: once, so long after the start of the stream.
        case moment((inout InjectedFaults, Interval) -> Void)
        /// `NAME=-1s@30s`, which may be repeated.
        ///
        /// The first is by how much, and may be negative; the second when.
        case step((inout InjectedFaults, SimulatedCourse.Step) -> Void)
        /// `NAME=1ms`, a duration with its unit.
        case duration((inout InjectedFaults, Interval) -> Void)
        /// `NAME=16`, 1 to 65,536.
        case count((inout InjectedFaults, Int) -> Void)
        /// `NAME` alone: there is nothing to choose.
        case always((inout InjectedFaults) -> Void)
        /// `NAME=50MB/s`, in bytes per second.
        case rate((inout InjectedFaults, Int64) -> Void)
    }

    /// A fault: what it is called, how it is given, and what it does to the simulation.
    private struct Fault {
        /// As it is written, and as hints and `--help` have it.
        let name: String
        /// How it is given, with the closure that puts it into the faults.
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
            case .span: "\(name)=2s@30s"
            case .moment: "\(name)@30s"
            case .step: "\(name)=-1s@30s"
            case .duration: "\(name)=1ms"
            case .count: "\(name)=16"
            case .rate: "\(name)=50MB/s"
            case .always: name
            }
        }
    }

    /// All faults, in the order of `--help`: frames, controls, metadata, driver, clock, lines, host, disk, the end of
    /// the run.
    private static var known: [Fault] {
        [
            Fault("drop", "frames lost between camera and host", .chance { $0.driverDrops = $1 }),
            Fault("device-drop", "frames lost inside the camera", .chance { $0.deviceDrops = $1 }),
            Fault("damage", "frames marked as damaged", .chance { $0.damagedFrames = $1 }),
            Fault("short", "frames with too few bytes", .chance { $0.shortFrames = $1 }),
            Fault("late-write", "control writes that block longer", .chance { $0.lateWrites = $1 }),
            Fault("lost-write", "writes acknowledged and lost", .chance { $0.lostWrites = $1 }),
            Fault(
                "lost-write-run", "longest burst of lost writes", .count { $0.lostWriteRun = $1 }),
            Fault("refused-write", "writes that fail", .chance { $0.refusedWrites = $1 }),
            Fault(
                "external-write", "frames in which others write", .chance { $0.externalWrites = $1 }
            ),
            Fault("metadata-loss", "metadata that are lost", .chance { $0.lostMetadata = $1 }),
            Fault("metadata-late", "metadata after their frame", .chance { $0.lateMetadata = $1 }),
            Fault("metadata-wrong", "metadata of another frame", .chance { $0.wrongMetadata = $1 }),
            Fault(
                "sequence-reset", "the driver numbers frames from 0 again",
                .moment { $0.sequenceReset = $1 }
            ),
            Fault(
                "sequence-stuck", "its frame number stands still",
                .span { $0.sequenceStuck.append($1) }),
            Fault(
                "timestamp-stuck", "its timestamps stand still",
                .span { $0.timestampStuck.append($1) }),
            Fault("late-interrupt", "timestamps made late", .chance { $0.lateInterrupts = $1 }),
            Fault(
                "lost-frame-end", "frames timestamped as the next",
                .chance { $0.lostFrameEnds = $1 }),
            Fault(
                "understated-pixel-rate", "a raw sensor twice as fast as its driver reports",
                .always { $0.understatesPixelRate = true }),
            Fault(
                "timestamp-zero", "frames timestamped with zero", .chance { $0.zeroTimestamps = $1 }
            ),
            Fault("clock-step", "realtime is set", .step { $0.clockSteps.append($1) }),
            Fault("bounce", "edges whose contact bounces", .chance { $0.lines.bounces = $1 }),
            Fault("edge-loss", "edges lost unnoticed", .chance { $0.lines.lostEdges = $1 }),
            Fault(
                "edge-merge", "edges closer than this count as one",
                .duration { $0.lines.service = $1 }),
            Fault(
                "edge-queue", "events that the kernel keeps",
                .count { $0.lines.kernelCapacity = $1 }),
            Fault(
                "starve", "the capture thread gets no CPU time", .span { $0.starvation.append($1) }),
            Fault("disk-stall", "the disk takes nothing", .span { $0.diskStalls.append($1) }),
            Fault("disk-error", "frames refused with EIO", .chance { $0.diskErrors = $1 }),
            Fault("disk-full", "no room from then on", .moment { $0.diskFull = $1 }),
            Fault(
                "disk-rate", "limit of the disk's throughput", .rate { $0.diskBytesPerSecond = $1 }),
            Fault("unplug", "the camera goes away", .moment { $0.unplugged = $1 }),
            Fault("stop", "the run is asked to stop", .moment { $0.stopped = $1 }),
        ]
    }

    /// A line for each fault, in two columns; a long example pushes its meaning to the right.
    static var help: String {
        known.map { fault in
            let gap = String(repeating: " ", count: max(1, 22 - fault.example.utf8.count))
            return "  \(fault.example)\(gap)\(fault.meaning)"
        }.joined(separator: "\n")
    }

    /// Reads a list; an empty text is a list without faults, an empty item between commas is a mistake.
    ///
    /// - Throws: ``Failure`` with exit code 64 and the place of everything that is wrong.
    static func parse(_ text: String) throws -> InjectedFaults {
        var faults = InjectedFaults()
        var problems = DiagnosticList()
        var column = 1
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let width = item.unicodeScalars.count
            defer { column += width + 1 }
            if item.isEmpty, text.isEmpty { continue }
            if let problem = add(String(item), to: &faults) {
                let range = SourceRange(
                    at: SourcePosition(line: 1, column: column), columns: max(1, width))
                problems.append(
                    Diagnostic(
                        problem.id, at: range, in: "--faults", problem.message, hint: problem.hint))
            }
        }
        if problems.isEmpty { return faults }
        let source = SourceFile(name: "--faults", text: text)
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
    /// - Returns: nil, or what is wrong with it; the faults are then as they were.
    private static func add(_ item: String, to faults: inout InjectedFaults) -> Problem? {
        let name = String(item.prefix { $0 != "=" && $0 != "@" })
        guard let fault = known.first(where: { $0.name == name }) else {
            let names = known.map(\.name)
            let near = nearestWord(to: name, in: names).map { "did you mean `\($0)`?" }
            return Problem(
                id: "unknown-fault", message: "there is no fault \(Diagnostic.quote(name))",
                hint: near ?? "choose from \(names.joined(separator: ", "))")
        }
        let rest = item.dropFirst(name.count)
        do {
            try read(String(rest.dropFirst()), with: rest.first, fault, into: &faults)
            return nil
        } catch let problem as QuantityProblem {
            return Problem(id: problem.id, message: problem.message, hint: problem.hint)
        } catch {
            return Problem(
                id: "fault-format",
                message: "\(Diagnostic.quote(item)) is not how `\(name)` is given",
                hint: "write it as `\(fault.example)`")
        }
    }

    /// What follows does not have the form of the fault.
    private struct WrongForm: Error {}

    /// Reads what follows a fault's name, as the fault's form wants it.
    ///
    /// - Parameters:
    ///   - value: the text behind the sign; empty if there is none.
    ///   - sign: `=` or `@`; nil where the name stands alone.
    /// - Throws: ``WrongForm`` for another sign or a value of another form, `QuantityProblem` for a duration that is
    ///   none.
    private static func read(
        _ value: String, with sign: Character?, _ fault: Fault, into faults: inout InjectedFaults
    ) throws {
        switch (fault.form, sign) {
        case (.chance(let set), "="): set(&faults, try chance(value))
        case (.moment(let set), "@"): set(&faults, try Quantity.duration(value))
        case (.rate(let set), "="): set(&faults, try rate(value))
        case (.always(let set), nil): set(&faults)
        case (.duration(let set), "="): set(&faults, try Quantity.duration(value))
        case (.count(let set), "="):
            guard let count = Int(value), (1...65_536).contains(count) else { throw WrongForm() }
            set(&faults, count)
        case (.step(let set), "="):
            let isBack = value.hasPrefix("-")
            let span = try span(isBack ? String(value.dropFirst()) : value)
            set(
                &faults,
                SimulatedCourse.Step(
                    at: span.start, by: isBack ? .zero - span.duration : span.duration))
        case (.span(let set), "="): set(&faults, try span(value))
        default: throw WrongForm()
        }
    }

    /// How long, and when: `2s@30s`, counted from the start of the stream.
    private static func span(_ text: String) throws -> InjectedFaults.Span {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw WrongForm() }
        return InjectedFaults.Span(
            start: try Quantity.duration(String(parts[1])),
            duration: try Quantity.duration(String(parts[0])))
    }

    /// A percentage with at most four decimals, as chances per million: `0.0001%` is 1.
    private static func chance(_ text: String) throws -> Int {
        guard text.hasSuffix("%") else { throw WrongForm() }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int(parts[0]), (0...100).contains(whole)
        else { throw WrongForm() }
        let decimals = parts.count > 1 ? parts[1] : "0"
        guard (1...4).contains(decimals.utf8.count),
            let part = Int(decimals + String(repeating: "0", count: 4 - decimals.utf8.count)),
            part >= 0
        else { throw WrongForm() }
        let perMillion = whole * 10_000 + part
        guard perMillion <= 1_000_000 else { throw WrongForm() }
        return perMillion
    }

    /// Whole kilobytes, megabytes or gigabytes in a second, in powers of ten; 1 to 1,000,000 of them.
    private static func rate(_ text: String) throws -> Int64 {
        for (unit, bytes) in [("kB/s", 1_000), ("MB/s", 1_000_000), ("GB/s", 1_000_000_000)]
        where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard let count = Int64(digits), (1...1_000_000).contains(count) else { break }
            return count * Int64(bytes)
        }
        throw WrongForm()
    }
}
