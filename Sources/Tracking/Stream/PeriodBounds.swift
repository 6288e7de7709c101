/// The longest that a period can be, from timestamps that are in time.
///
/// A timestamp in time is made no earlier than its frame begins, and at most the profile's delay after that. So n
/// periods take no longer than from one to another, and what the first may be late. Twice the delay is allowed,
/// since a phase that is off by less than that does not show.
///
/// A value of fixed size; nothing in it allocates.
struct PeriodBounds: Sendable {
    /// What the mean period can change by within a run: warmth of crystals, and clocks being slewed otherwise.
    private static let driftPerMillion: Int64 = 100
    /// What it is thought to be at most before any timestamp.
    private static let unknownPerMillion: Int64 = 5_000

    private let allowed: Int64
    private let start: Int64
    private var places: Int64 = 0
    /// The longest that the period can be, from the timestamps so far.
    private(set) var longest: Int64

    /// - Parameters:
    ///   - period: the period that the registers give, in nanoseconds.
    ///   - delay: how late a timestamp in time can be, with what is cut off of it.
    ///   - start: the first timestamp.
    init(period: Int64, delay: Int64, from start: Int64) {
        self.start = start
        allowed = 2 * delay
        longest = period + max(allowed, period * Self.unknownPerMillion / 1_000_000)
    }

    /// Counts periods.
    mutating func advance(_ count: Int64) { places += count }

    /// Takes the timestamp of this place, which is in time.
    mutating func observe(_ timestamp: Int64) {
        guard places > 0 else { return }
        let most = (timestamp - start + allowed) / places + 1
        longest = min(longest, most + most * Self.driftPerMillion / 1_000_000)
    }
}
