extension GainModel {
    /// The gain of a code, to the nearest millionth.
    ///
    /// - Parameter code: any number, since it may come from a device.
    /// - Returns: nil for a code that the law gives no gain: negative, or at and beyond the base.
    public func gain(ofCode code: Int64) -> Gain? {
        guard code >= 0 else { return nil }
        switch law {
        case .linear(let unity):
            return Gain(millionths: rounded(Int128(code) * 1_000_000, over: Int128(unity)))
        case .reciprocal(let base):
            guard code < base else { return nil }
            return Gain(millionths: rounded(Int128(base) * 1_000_000, over: Int128(base - code)))
        }
    }

    /// The smallest and largest gain.
    public var range: ClosedRange<Gain> {
        guard let low = gain(ofCode: codes.minimum), let high = gain(ofCode: codes.maximum) else {
            preconditionFailure("a profile's codes all have a gain")
        }
        return low...high
    }

    /// The code whose gain is nearest to the one asked for; the larger one of two that are equally near.
    ///
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(for asked: Gain, profile: String) throws(SettingProblem) -> Int64 {
        let range = range
        guard range.contains(asked) else {
            throw SettingProblem(
                .gain, id: "gain-out-of-range",
                "gain \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of camera profile `\(profile)`; ISO"
                    + " \(isoAtUnity) is 1x)",
                hint: "use a gain in that range")
        }
        let near = nearCode(for: asked)
        // Where the law is curved, the nearest code on the code's own scale may be the second best in gain.
        var best = near
        for code in [near - codes.step, near + codes.step]
        where codes.contains(code) && isBetter(code, than: best, for: asked) {
            best = code
        }
        return best
    }

    private func nearCode(for asked: Gain) -> Int64 {
        let millionths = Int128(asked.millionths)
        switch law {
        case .linear(let unity):
            return codes.nearestInside(millionths * Int128(unity), over: 1_000_000)
        case .reciprocal(let base):
            return codes.nearestInside(
                Int128(base) * (millionths - 1_000_000), over: max(millionths, 1))
        }
    }

    private func isBetter(_ code: Int64, than other: Int64, for asked: Gain) -> Bool {
        guard let one = gain(ofCode: code), let two = gain(ofCode: other) else { return false }
        let (distance, otherDistance) = (
            (one.millionths - asked.millionths).magnitude,
            (two.millionths - asked.millionths).magnitude
        )
        return distance < otherDistance || (distance == otherDistance && code > other)
    }

    /// The gain that an ISO value stands for.
    public func gain(forISO iso: Int64) -> Gain {
        Gain(millionths: rounded(Int128(iso) * 1_000_000, over: Int128(isoAtUnity)))
    }
}

/// The nearest whole number to a quotient with a positive denominator; half goes up.
func rounded(_ numerator: Int128, over denominator: Int128) -> Int64 {
    let doubled = numerator * 2 + denominator
    let quotient = doubled / (denominator * 2)
    let isExact = doubled % (denominator * 2) == 0
    return Int64(clamping: quotient - (doubled < 0 && !isExact ? 1 : 0))
}
