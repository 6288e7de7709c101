public import Timebase

/// How far a run is, in one line of a terminal.
///
/// Computes only: who shows the line reads ``RunProgress`` on a thread of its own.
public struct ProgressLine: Hashable, Sendable {
    /// Slots of the plan; nil for an endless one.
    public var total: Int64?
    /// How long the plan takes; nil where it waits for edges, or where time is virtual.
    public var planned: Interval?

    /// Columns of the bar without its brackets.
    private static let barWidth: Int64 = 24

    /// Creates the line of a plan.
    public init(total: Int64?, planned: Interval? = nil) {
        (self.total, self.planned) = (total, planned)
    }

    /// The line.
    ///
    /// What does not fit is left out whole, least important first: the bar, the pace, the remaining time.
    ///
    /// - Parameters:
    ///   - slots: slots that are done.
    ///   - holes: of these, slots without a frame.
    ///   - elapsed: since the start.
    ///   - width: columns of the terminal, at least 1; the line is shorter by one, so that the cursor stays in it.
    public func text(slots: Int64, holes: Int64, elapsed: Interval, width: Int) -> String {
        let count = total.map { "\(slots)/\($0) slots" } ?? "\(slots) slots"
        let pace = "  \(Self.pace(slots, elapsed))"
        let lost = "  holes \(holes)"
        let left = remaining(slots, elapsed).map { "  \($0.roundedText) left" } ?? ""
        let choices = [
            bar(slots) + count + pace + lost + left, count + pace + lost + left,
            count + lost + left,
            count + lost, count,
        ]
        let fitting = choices.first { $0.count < width }
        return fitting ?? String(count.prefix(max(0, width - 1)))
    }

    /// Empty for an endless plan, full for a plan without slots.
    private func bar(_ slots: Int64) -> String {
        guard let total else { return "" }
        let share = Int128(slots) * Int128(Self.barWidth) / Int128(max(total, 1))
        let filled = total == 0 ? Self.barWidth : Int64(min(share, Int128(Self.barWidth)))
        return "[" + String(repeating: "█", count: Int(filled))
            + String(repeating: "·", count: Int(Self.barWidth - filled)) + "] "
    }

    /// Slots in a second, to a tenth, cut off.
    private static func pace(_ slots: Int64, _ elapsed: Interval) -> String {
        let tenths = Int128(slots) * 10_000_000_000 / Int128(max(1, elapsed.nanoseconds))
        return "\(tenths / 10).\(tenths % 10)/s"
    }

    /// The plan's estimate as long as the run keeps to it, else the one by the pace so far.
    ///
    /// A run is behind where it has taken more than twice its share of the plan's time, and its pace would take more
    /// than twice what is left of it.
    ///
    /// - Returns: nil before the first slot, after the last, and for endless plans.
    private func remaining(_ slots: Int64, _ elapsed: Interval) -> Interval? {
        guard let total, slots > 0, slots < total else { return nil }
        let byPace = Int128(elapsed.nanoseconds) * Int128(total - slots) / Int128(slots)
        let pace = Interval(nanoseconds: Int64(clamping: byPace))
        guard let planned, planned > elapsed else { return pace }
        // Waits make the pace uneven; a run that is behind its plan by more than they explain is slow.
        let due = Int128(planned.nanoseconds) * Int128(slots) / Int128(total)
        let isBehind = Int128(elapsed.nanoseconds) > due * 2 && pace / 2 > planned - elapsed
        return isBehind ? pace : planned - elapsed
    }
}
