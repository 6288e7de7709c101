extension GainModel {
    /// The gain of a code, to the nearest millionth.
    public func gain(ofCode code: Int64) -> Gain {
        switch law {
        case .linear(let unity):
            Gain(millionths: rounded(Int128(code) * 1_000_000, over: Int128(unity)))
        case .reciprocal(let base):
            Gain(millionths: rounded(Int128(base) * 1_000_000, over: Int128(base - code)))
        }
    }

    /// The smallest and largest gain.
    public var range: ClosedRange<Gain> {
        gain(ofCode: codes.minimum)...gain(ofCode: codes.maximum)
    }

    /// The code nearest to a gain.
    ///
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(for asked: Gain, profile: String) throws(SettingProblem) -> Int64 {
        guard range.contains(asked), let code = codes.nearest(unboundedCode(for: asked)) else {
            throw SettingProblem(
                .gain, id: "gain-out-of-range",
                "gain \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of camera profile `\(profile)`; ISO"
                    + " \(isoAtUnity) is 1x)",
                hint: "use a gain in that range")
        }
        return code
    }

    private func unboundedCode(for asked: Gain) -> Int64 {
        let millionths = Int128(asked.millionths)
        switch law {
        case .linear(let unity): return rounded(millionths * Int128(unity), over: 1_000_000)
        case .reciprocal(let base):
            return base - rounded(Int128(base) * 1_000_000, over: max(millionths, 1))
        }
    }

    /// The gain that an ISO value stands for.
    public func gain(forISO iso: Int64) -> Gain {
        Gain(millionths: rounded(Int128(iso) * 1_000_000, over: Int128(isoAtUnity)))
    }
}

/// The nearest whole number to a quotient of positive numbers; half goes up.
func rounded(_ numerator: Int128, over denominator: Int128) -> Int64 {
    let doubled = numerator * 2 + denominator
    let quotient = doubled / (denominator * 2)
    let isExact = doubled % (denominator * 2) == 0
    return Int64(clamping: quotient - (doubled < 0 && !isExact ? 1 : 0))
}
