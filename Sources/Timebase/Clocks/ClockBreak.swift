/// A contradiction between a reading and those before it: one clock was stepped, or its rate was changed beyond its
/// behaviour.
public struct ClockBreak<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// The last reading before which nothing had happened as far as anyone could see; on the first clock.
    public var previous: Instant<From>
    /// The first reading that contradicts: it happened before this.
    public var noticed: Instant<From>
    /// By how much the second clock surely jumped at least; nil if nothing bounds that.
    ///
    /// Negative where it was set back.
    public var least: Interval?
    /// By how much it surely jumped at most; nil if nothing bounds that.
    public var greatest: Interval?
}

/// What a reading meant to an estimator.
public enum ClockFinding<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// It agrees with those before it.
    case fits
    /// It contradicts them: the estimator restarted with this reading.
    case broke(ClockBreak<From, To>)
    /// It is older than one before it, or too far from it to be reckoned with, and was left out.
    case unusable
}
