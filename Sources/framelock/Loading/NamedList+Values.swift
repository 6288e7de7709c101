internal import Recipes
internal import Simulation
internal import Timebase

/// What follows a name does not have the form of the name.
private struct WrongForm: Error {}

extension NamedList.Form {
    /// Reads what follows a name.
    ///
    /// - Parameters:
    ///   - value: the text behind the sign; empty if there is none.
    ///   - sign: `=` or `@`; nil where the name stands alone.
    /// - Throws: `QuantityProblem` for a duration that is none, another error for another sign or a value of another
    ///   form.
    func read(_ value: String, with sign: Character?, into target: inout Target) throws {
        switch (self, sign) {
        case (.chance(let set), "="): set(&target, try percent(value, within: 0...1_000_000))
        case (.percent(let range, let set), "="): set(&target, try percent(value, within: range))
        case (.perSecond(let set), "="):
            guard value.hasSuffix("/s") else { throw WrongForm() }
            set(&target, try percent(value.dropLast(2), within: 0...1_000_000))
        case (.wave(let set), "="):
            let (frequency, depth) = try wave(value)
            set(&target, frequency, depth)
        case (.moment(let set), "@"): set(&target, try Quantity.duration(value))
        case (.rate(let set), "="): set(&target, try rate(value))
        case (.always(let set), nil): set(&target)
        case (.duration(let set), "="): set(&target, try Quantity.duration(value))
        case (.count(let set), "="): set(&target, try whole(value, within: 1...65_536))
        case (.extra(let set), "="):
            guard value.hasPrefix("+") else { throw WrongForm() }
            set(&target, Int64(try whole(value, within: 1...16)))
        case (.control(let set), "="):
            guard let control = InjectedFaults.Ignorable(rawValue: value) else {
                throw WrongForm()
            }
            set(&target, control)
        case (.step(let set), "="):
            let isBack = value.hasPrefix("-")
            let span = try span(isBack ? String(value.dropFirst()) : value)
            set(
                &target,
                SimulatedCourse.Step(
                    at: span.start, by: isBack ? .zero - span.duration : span.duration))
        case (.span(let set), "="): set(&target, try span(value))
        default: throw WrongForm()
        }
    }

    private func whole(_ text: some StringProtocol, within range: ClosedRange<Int>) throws -> Int {
        guard let count = Int(text), range.contains(count) else { throw WrongForm() }
        return count
    }

    /// How long, and when: `2s@30s`, counted from the start of the stream.
    private func span(_ text: String) throws -> InjectedFaults.Span {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw WrongForm() }
        return InjectedFaults.Span(
            start: try Quantity.duration(String(parts[1])),
            duration: try Quantity.duration(String(parts[0])))
    }

    /// A percentage with at most four decimals, in millionths: `0.0001%` is 1.
    private func percent(
        _ text: some StringProtocol, within range: ClosedRange<Int>
    ) throws -> Int {
        guard text.hasSuffix("%") else { throw WrongForm() }
        let millionths = try decimal(text.dropLast(), places: 4)
        guard range.contains(millionths) else { throw WrongForm() }
        return millionths
    }

    /// `100Hz:20%`: thousandths of a hertz up to 100 kHz, and millionths.
    private func wave(_ text: String) throws -> (Int64, Int) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix("Hz") else { throw WrongForm() }
        let millihertz = try decimal(parts[0].dropLast(2), places: 3)
        guard (1...100_000_000).contains(millihertz) else { throw WrongForm() }
        return (Int64(millihertz), try percent(parts[1], within: 0...1_000_000))
    }

    /// A number below a million with at most so many decimals, as a count of the last one.
    private func decimal(_ text: some StringProtocol, places: Int) throws -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...2).contains(parts.count), (1...6).contains(parts[0].utf8.count),
            (1...places).contains(digits.utf8.count),
            text.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }),
            let number = Int(
                String(parts[0]) + digits
                    + String(repeating: "0", count: places - digits.utf8.count))
        else { throw WrongForm() }
        return number
    }

    /// Whole kilobytes, megabytes or gigabytes in a second, in powers of ten; 1 to 1,000,000 of them.
    private func rate(_ text: String) throws -> Int64 {
        for (unit, bytes) in [("kB/s", 1_000), ("MB/s", 1_000_000), ("GB/s", 1_000_000_000)]
        where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            return Int64(try whole(digits, within: 1...1_000_000)) * Int64(bytes)
        }
        throw WrongForm()
    }
}
