public import Devices
public import Timebase

/// Tells of each write when it was done: with the timestamp of the first frame that surely showed it, in order of
/// issue.
///
/// A value of fixed size; nothing in it allocates.
public struct SyncTimes: Sendable {
    /// How many writes can wait for their frame.
    public static let capacity = 64

    /// What became of a write.
    public struct Completion: BitwiseCopyable, Hashable, Sendable {
        /// The number of the write.
        public var ticket: Int64
        /// The timestamp of the first frame that surely showed it, or a later one in its place; nil if the write
        /// failed.
        public var time: Instant<Monotonic>?
    }

    private struct Waiting: BitwiseCopyable {
        var ticket: Int64 = 0
        var groups: ControlGroups = []
        var hasFailed = false
    }

    private var waiting = InlineArray<64, Waiting>(repeating: Waiting())
    private var head = 0
    private var tail = 0

    /// Creates a list without writes.
    public init() {}

    /// Whether one more write can wait.
    public var hasRoom: Bool { tail - head < Self.capacity }

    /// A write was issued; tickets rise.
    public mutating func issue(_ ticket: Int64, of groups: ControlGroups) {
        precondition(hasRoom, "writes wait for frames, so there are not many of them")
        waiting[tail % Self.capacity] = Waiting(ticket: ticket, groups: groups)
        tail += 1
    }

    /// A write failed.
    public mutating func fail(_ ticket: Int64) {
        var number = head
        while number < tail {
            let place = number % Self.capacity
            if waiting[place].ticket == ticket { waiting[place].hasFailed = true }
            number += 1
        }
    }

    /// The next write that is done with the frame that `timeline` observed last; to be asked until it gives nil.
    ///
    /// A write that was overtaken by a later one is done with it; none is done before those issued earlier.
    public mutating func next(by timeline: SettingsTimeline) -> Completion? {
        guard head < tail, let timestamp = timeline.last?.timestamp else { return nil }
        let first = waiting[head % Self.capacity]
        var isShown = true
        first.groups.forEach { group in
            isShown = isShown && timeline.shownTicket(group) >= first.ticket
        }
        guard first.hasFailed || isShown else { return nil }
        head += 1
        return Completion(ticket: first.ticket, time: first.hasFailed ? nil : timestamp)
    }
}
