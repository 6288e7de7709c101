internal import Devices
internal import Notation
internal import Timebase

/// A member of an event's object: its name, how its value is written and how it is read.
///
/// The unit of a number is the end of its name: `_ns`, `_s`, `_ppb`. Indices become the plan's names, since a log has
/// to be read without the plan beside it; only settings stay numbers, as in the ledger.
struct EventField<Value>: Sendable {
    let name: String
    /// - Precondition: an index is one of the plan's: the engine makes no other.
    let write: @Sendable (Value, RunNames) -> JSONValue
    /// Nil for what is never written.
    ///
    /// A member that is missing is read as null.
    let read: @Sendable (JSONValue, RunNames) -> Value?

    /// A field whose value does not depend on the plan.
    init(
        _ name: String, write: @escaping @Sendable (Value) -> JSONValue,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(name, named: { value, _ in write(value) }, { value, _ in read(value) })
    }

    /// A field whose value is written by a name of the plan's.
    init(
        _ name: String, named write: @escaping @Sendable (Value, RunNames) -> JSONValue,
        _ read: @escaping @Sendable (JSONValue, RunNames) -> Value?
    ) {
        (self.name, self.write, self.read) = (name, write, read)
    }
}

extension EventField where Value: FixedWidthInteger & Sendable {
    /// A whole number; no less than `least`, and no more than `most`.
    ///
    /// - Parameters:
    ///   - name: of the member.
    ///   - least: what is below was never written, and is no event.
    ///   - most: the same for what is above.
    static func number(_ name: String, _ least: Value = .min, _ most: Value = .max) -> Self {
        Self(name, write: { .integer(Int64($0)) }) { value in
            value.integerValue.flatMap { Value(exactly: $0) }
                .flatMap { (least...most).contains($0) ? $0 : nil }
        }
    }
}

extension EventField {
    /// A whole number, or null.
    ///
    /// A member that is missing counts as null here, and the line is refused when it is written again, with its null.
    static func optionalNumber<Number: FixedWidthInteger & Sendable>(
        _ name: String
    ) -> Self where Value == Number? {
        Self(name, write: { $0.map { .integer(Int64($0)) } ?? .null }) { value in
            if value == .null { return .some(nil) }
            return value.integerValue.flatMap { Number(exactly: $0) }.map { .some($0) }
        }
    }
}

extension EventField where Value == Int32 {
    /// An input or output of the plan, by its name.
    ///
    /// A name that the plan does not have is no event of it.
    static let line = Self("line", named: { .string($1.lines[Int($0)]) }) { value, names in
        value.stringValue.flatMap { names.lineIndices[$0] }
    }
    /// A step of the plan, by its place in the recipe.
    static let step = Self("step", named: { .string($1.steps[Int($0)]) }) { value, names in
        value.stringValue.flatMap { names.stepIndices[$0] }
    }
    /// A set of settings of the plan, by its index.
    static let settings = Self("settings", named: { value, _ in .integer(Int64(value)) }) {
        value, names in
        value.integerValue.flatMap { Int32(exactly: $0) }
            .flatMap { names.requested.indices.contains(Int($0)) ? $0 : nil }
    }
    /// An error number of the kernel's: positive, or 0.
    static let errno = number("errno")
}

extension EventField where Value == UInt32 {
    /// Edges: at least one.
    static let edgeCount = number("count", 1)
}

extension EventField where Value == Int64 {
    /// Frames: at least one, and no more than there are sequence numbers.
    static let frameCount = number("count", 1, SequenceCoverage.numbers)
}

extension EventField where Value == Bool {
    /// `true` or `false`.
    static func flag(_ name: String) -> Self {
        Self(name, write: { .bool($0) }, read: { $0.boolValue })
    }

    /// One of two words.
    ///
    /// - Parameters:
    ///   - name: of the member.
    ///   - yes: the word for true.
    ///   - no: the word for false.
    static func choice(_ name: String, yes: String, no: String) -> Self {
        Self(name, write: { .string($0 ? yes : no) }) { value in
            value.stringValue.flatMap { $0 == yes ? true : $0 == no ? false : nil }
        }
    }
}

extension EventField where Value: RawRepresentable<String> & SendableMetatype {
    /// The word of a case, for example `dropped-by-driver`; no other words are read.
    static func word(_ name: String) -> Self {
        Self(name, write: { .string($0.rawValue) }) { value in
            value.stringValue.flatMap { Value(rawValue: $0) }
        }
    }
}

extension EventField where Value == Interval {
    /// Nanoseconds.
    static func interval(_ name: String) -> Self {
        Self(name, write: { .integer($0.nanoseconds) }) { value in
            value.integerValue.map { Interval(nanoseconds: $0) }
        }
    }
}

extension EventField where Value == Instant<Monotonic> {
    /// Nanoseconds of CLOCK_MONOTONIC.
    static func instant(_ name: String) -> Self {
        Self(name, write: { .integer($0.nanoseconds) }) { value in
            value.integerValue.map { Instant(nanoseconds: $0) }
        }
    }
}

extension EventField where Value == CameraControl {
    /// A control by the name that `v4l2-ctl` prints, or by its number.
    static let control = Self("control", write: { .string($0.name) }) { value in
        value.stringValue.flatMap { CameraControl(name: $0) }
    }
}

extension EventField where Value == ControlGroup {
    /// A group of settings by its name, as ``ControlGroup/name`` has it.
    static let setting = Self("setting", write: { .string($0.name) }) { value in
        ControlGroup.all.first { $0.name == value.stringValue }
    }
}

extension EventField where Value == ClockSource? {
    /// The clock that timestamps are of; null if it is unknown.
    static let foundClock = Self(
        "found", named: { clock, names in clock.map { .string(names.name($0)) } ?? .null }
    ) { value, names in
        if value == .null { return .some(nil) }
        return value.stringValue.flatMap { names.clock($0) }.map { .some($0) }
    }
}

extension EventField where Value == Temperature? {
    /// Thousandths of a degree Celsius; null if the thermometer could not be read.
    static let temperature = Self(
        "millidegrees_c", write: { $0.map { .integer($0.millidegrees) } ?? .null }
    ) { value in
        if value == .null { return .some(nil) }
        return value.integerValue.map { .some(Temperature(millidegrees: $0)) }
    }
}

extension EventField where Value == Void {
    /// The same word in every event of its kind.
    static func constant(_ name: String, _ word: String) -> Self {
        Self(name, write: { .string(word) }, read: { $0.stringValue == word ? () : nil })
    }
}
