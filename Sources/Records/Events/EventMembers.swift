internal import Notation
internal import Timebase

/// The members of an event's object, by type.
struct EventMembers {
    let value: JSONValue
    let lines: [String: Int32]
    let steps: [String: Int32]

    var line: Int32? { text("line").flatMap { lines[$0] } }
    var step: Int32? { text("step").flatMap { steps[$0] } }

    /// `count` of frames: at least one, and no more than there are sequence numbers.
    var frameCount: Int64? {
        number("count").flatMap { (1...SequenceCoverage.numbers).contains($0) ? $0 : nil }
    }

    func text(_ name: String) -> String? { value[name]?.stringValue }
    func flag(_ name: String) -> Bool? { value[name]?.boolValue }
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        value[name]?.integerValue.flatMap { Number(exactly: $0) }
    }
    func instant(_ name: String) -> Instant<Monotonic>? {
        number(name).map { Instant(nanoseconds: $0) }
    }
    func interval(_ name: String) -> Interval? {
        number(name).map { Interval(nanoseconds: $0) }
    }
}
