/// How far a clock advances at a time: readings are cut off to such steps, so that the truth may be that much later.
///
/// `clock_getres` returns 1 ns whatever the hardware counts: boards count at 54, 24 or 19.2 MHz, 19 to 53 ns a step.
public struct ClockResolution: BitwiseCopyable, Hashable, Sendable {
    /// A reading is earlier than the truth by less than this: a step, and what is cut off to whole nanoseconds; 1 ns or
    /// more.
    public let step: Interval

    /// Whole nanoseconds: what readings can show at best.
    public static let nanosecond = ClockResolution(.nanoseconds(1))

    /// Creates a resolution; less than 1 ns counts as 1 ns.
    public init(_ step: Interval) { self.step = max(step, .nanoseconds(1)) }

    /// The resolution of a counter.
    ///
    /// - Parameter countsPerSecond: 1 or more.
    public init(countsPerSecond: Int64) {
        precondition(countsPerSecond > 0, "a counter counts")
        let (step, rest) = Int64(1_000_000_000).quotientAndRemainder(dividingBy: countsPerSecond)
        // A step that is no whole number begins before the nanosecond that it shows is over.
        self.init(.nanoseconds(rest == 0 || step == 0 ? step : step + 2))
    }

    /// What it adds to a bound that already allows for the cut-off to whole nanoseconds.
    public var excess: Interval { step - .nanoseconds(1) }
}

extension ClockResolution {
    /// Steps to look at; fewer are taken where the clock stands still.
    private static let wantedSteps = 512
    private static let mostReadings = 65_536

    /// Measures a clock by reading it again and again, for some milliseconds at most.
    ///
    /// - Parameter read: the clock in nanoseconds.
    /// - Returns: an upper limit of its step; nil if it stood still.
    public static func measured(_ read: () -> Int64) -> ClockResolution? {
        var steps: [Int64] = []
        var last = read()
        for _ in 0..<mostReadings where steps.count < wantedSteps {
            let next = read()
            if next > last { steps.append(next - last) }
            last = next
        }
        return ClockResolution(betweenReadings: steps)
    }

    /// The greatest resolution that the differences between readings allow.
    ///
    /// Each difference lies within 1 ns of a multiple of the step, so the step is less than the shortest one and 1 ns.
    /// Two that are 3 ns or more apart belong to different multiples, so it is less than what they differ by and 2 ns.
    /// Another nanosecond is for the cut-off.
    ///
    /// - Parameter steps: differences in nanoseconds; those that are not positive are ignored.
    /// - Returns: nil if nothing bounds it.
    public init?(betweenReadings steps: [Int64]) {
        let sorted = Set(steps.filter { $0 > 0 }).sorted()
        guard let shortest = sorted.first else { return nil }
        var longest = shortest + 2
        var first = 0
        for (place, step) in sorted.enumerated() {
            while step - sorted[first] >= 3 {
                longest = min(longest, step - sorted[first] + 3)
                first += 1
            }
            precondition(first <= place, "a step is not longer than itself")
        }
        self.init(.nanoseconds(longest))
    }
}
