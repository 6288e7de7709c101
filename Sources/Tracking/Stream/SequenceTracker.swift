/// Watches the driver's sequence numbers, and notices when they do not count frames.
struct SequenceTracker: Sendable {
    /// More missing frames than this in one gap are not believed: the sequence was reset.
    static let largestGap: UInt32 = 4096
    /// A fault that repeats so many times in a row is a quirk.
    private static let quirkThreshold = 4
    /// A sequence that counts so many times in a row again is used again.
    private static let amends = 16

    private let isKnownStuck: Bool
    private let isKnownFields: Bool
    private var isStuck: Bool
    /// Numbers for each frame.
    private var stride: UInt32
    private var last: UInt32?
    private var repeats = 0
    private var steady = 0
    private var doubles = 0
    /// How many numbers have to be borne out until the sequence is believed again.
    private var inQuestion = 0
    private(set) var found = StreamQuirks()

    init(_ quirks: StreamQuirks) {
        isKnownStuck = quirks.contains(.sequenceIsStuck)
        isKnownFields = quirks.contains(.sequenceCountsFields)
        isStuck = isKnownStuck
        stride = isKnownFields ? 2 : 1
    }

    /// What a number counts: frames since the one before; nil if it counts nothing.
    struct Statement {
        var frames: Int64?
        /// It repeats or jumps, from a driver that counted so far.
        var isJump = false
        /// From now on it counts another way.
        var isRecounted = false
        /// As it stands.
        var raw: UInt32 = 0
    }

    /// A number counted more frames than timestamps were sure of, and few have been borne out since.
    var isInQuestion: Bool { inQuestion > 0 }

    func isRepeat(_ number: UInt32) -> Bool { last == number }

    /// Takes the next number; the first one counts nothing.
    mutating func observe(_ number: UInt32) -> Statement {
        defer { last = number }
        guard let last else { return Statement() }
        let raw = number &- last
        repeats = raw == 0 ? repeats + 1 : 0
        steady = raw == stride ? steady + 1 : 0
        if isStuck {
            if raw == 0 { found.insert(.sequenceIsStuck) }
            guard !isKnownStuck, steady >= Self.amends else { return Statement(raw: raw) }
            isStuck = false
        }
        if repeats >= Self.quirkThreshold {
            isStuck = true
            found.insert(.sequenceIsStuck)
            return Statement(raw: raw)
        }
        if raw == 0 { return Statement(isJump: true, raw: raw) }
        guard raw <= Self.largestGap * stride, raw % stride == 0 else {
            if raw > Self.largestGap * stride { found.insert(.sequenceResets) }
            return Statement(isJump: true, raw: raw)
        }
        if stride == 2 { found.insert(.sequenceCountsFields) }
        return Statement(frames: Int64(raw / stride), raw: raw)
    }

    /// Compares a number with what timestamps are sure of: two numbers for each frame, time and again, are a
    /// quirkThreshold.
    mutating func compare(_ statement: inout Statement, fewest: Int64, most: Int64) {
        if let counted = statement.frames, counted > most { inQuestion = Self.quirkThreshold }
        guard fewest == most, most >= 1 else { return }
        let frames = most
        if statement.frames == frames { inQuestion = max(0, inQuestion - 1) }
        guard !isKnownFields, !isStuck else { return }
        let other: UInt32 = stride == 1 ? 2 : 1
        doubles = Int64(statement.raw) == frames * Int64(other) ? doubles + 1 : 0
        guard doubles >= Self.quirkThreshold else { return }
        stride = other
        statement.isRecounted = true
        doubles = 0
        inQuestion = 0
    }
}
