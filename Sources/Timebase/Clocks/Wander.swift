/// How far a relation bends away from a straight line, by the clocks' behaviour.
struct Wander: Sendable {
    /// Beyond this only the limit of the rate applies: products stay within 64 bits.
    private static let horizonNanoseconds: UInt64 = 2_000_000_000_000

    private let behaviour: ClockBehaviour
    /// In parts of 10^15 in a second.
    private let femtoPerSecond: UInt64
    /// What a jump of the rate may add to the bend: `J²/2w`, since `J·d ≤ w/2·d² + J²/2w` for all `d`.
    private let slackNanoseconds: UInt64
    /// Twice the limit of the rate in parts of 10^9, rounded up: by so much two rates of one relation differ at most.
    private let widestPartsPerBillion: UInt64

    init(_ behaviour: ClockBehaviour) {
        self.behaviour = behaviour
        femtoPerSecond = UInt64(behaviour.wanderFemtoPerSecond)
        let jump = Int128(behaviour.rateJump.excessFemto)
        // 10^-30 / 10^-24 and into nanoseconds: J in 10^-15, w in 10^-15 per 10^9 ns.
        let divisor = 2 * Int128(behaviour.wanderFemtoPerSecond) * 1_000_000
        slackNanoseconds = divisor == 0 ? 0 : UInt64((jump * jump + divisor - 1) / divisor)
        widestPartsPerBillion = UInt64((2 * behaviour.rateLimit.excessFemto + 999_999) / 1_000_000)
    }

    /// How far the relation may be from its tangent at this distance, in nanoseconds, rounded up.
    ///
    /// `w/2·d²`, and the slack for a jump of the rate; never more than two rates may differ, `2R·d`.
    func widening(_ distanceNanoseconds: Int64) -> Int64 {
        let distance = distanceNanoseconds.magnitude
        // Distances are below 2^61 and rates below 2^31, so the quotient fits.
        let steepest = UInt64(1_000_000_000).dividingFullWidth(
            distance.multipliedFullWidth(by: widestPartsPerBillion))
        let most = steepest.quotient + (steepest.remainder > 0 ? 1 : 0)
        guard let bend = bend(distance) else { return Int64(clamping: most) }
        return Int64(clamping: min(most, bend + slackNanoseconds))
    }

    /// How far the relation may be from the straight line between two of its points, in nanoseconds, rounded up.
    ///
    /// `w/8·d²`, and for a jump of the rate in the middle `J/4·d`; never more than the limit of the rate allows,
    /// `R/2·d`.
    func bow(_ distanceNanoseconds: Int64) -> Int64 {
        func share(_ rate: ClockRate, _ parts: Int128) -> Int64 {
            let unit = Int128(ClockRate.unit) * parts
            let product = Int128(distanceNanoseconds) * Int128(rate.excessFemto)
            return Int64(clamping: (product + unit - 1) / unit)
        }
        let most = share(behaviour.rateLimit, 2)
        guard let bend = bend(distanceNanoseconds.magnitude) else { return most }
        return min(most, (Int64(bend) + 3) / 4 + share(behaviour.rateJump, 4))
    }

    /// `w/2·t²` in nanoseconds for the hull; nil where it is out of range: with 20 ppb a second after seven years.
    ///
    /// Its rounding decides at most which constraints are kept.
    func lift(_ timeNanoseconds: Int64) -> Int64? {
        let micros = Int128(timeNanoseconds / 1_000)
        let lift = micros * micros / 2_000_000 * Int128(femtoPerSecond) / 1_000_000_000_000
        return lift < HalfPlanes.largest ? Int64(lift) : nil
    }

    /// `w/2·d²` in nanoseconds, rounded up; nil beyond the horizon.
    private func bend(_ distance: UInt64) -> UInt64? {
        guard femtoPerSecond > 0 else { return 0 }
        guard distance <= Self.horizonNanoseconds else { return nil }
        let micros = (distance + 999) / 1_000
        // At most 4·10^18 · 10^10: the quotient is below 2·10^10.
        let (quotient, remainder) = UInt64(2_000_000_000_000_000_000).dividingFullWidth(
            (micros * micros).multipliedFullWidth(by: femtoPerSecond))
        return quotient + (remainder > 0 ? 1 : 0)
    }
}
