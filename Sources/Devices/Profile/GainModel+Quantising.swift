extension GainModel {
    /// The gain of a code, to the nearest millionth.
    ///
    /// - Parameter code: any number, since it may come from a device.
    /// - Returns: nil for a code that the law gives no gain: negative, at and beyond a pole, or before a table.
    public func gain(ofCode code: Int64) -> Gain? {
        guard code >= 0 else { return nil }
        switch law {
        case .linear(let unity):
            return Gain(millionths: rounded(Int128(code) * 1_000_000, over: Int128(unity)))
        case .reciprocal(let base):
            guard code < base else { return nil }
            return Gain(millionths: rounded(Int128(base) * 1_000_000, over: Int128(base - code)))
        case .exponential(let step):
            let (millidecibels, overflow) = code.multipliedReportingOverflow(by: step)
            return overflow ? nil : Gain(millidecibels: millidecibels)
        case .rational(let constants):
            // The same sign everywhere in the range; elsewhere there may be a pole or nothing at all.
            var (over, under) = constants.parts(code)
            if under < 0 { (over, under) = (-over, -under) }
            guard under > 0, over >= 0, over < Int128(1) << 96 else { return nil }
            return Gain(millionths: rounded(over * 1_000_000, over: under))
        case .table(let rows):
            return rows.last { $0.code <= code }?.gain
        }
    }

    /// The smallest and largest gain.
    public var range: ClosedRange<Gain> {
        guard let low = gain(ofCode: codes.minimum), let high = gain(ofCode: codes.maximum) else {
            preconditionFailure("a profile's codes all have a gain")
        }
        return low...high
    }

    /// The ISO values that ``range`` stands for, each to the nearest whole number.
    public var isoRange: ClosedRange<Int64> {
        func iso(_ gain: Gain) -> Int64 {
            rounded(Int128(gain.millionths) * Int128(isoAtUnity), over: 1_000_000)
        }
        return iso(range.lowerBound)...iso(range.upperBound)
    }

    /// The code whose gain is nearest to the one asked for; the larger one of two that are equally near.
    ///
    /// - Parameters:
    ///   - asked: the gain.
    ///   - origin: where the limits come from, for the message.
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(for asked: Gain, from origin: LimitOrigin) throws(SettingProblem) -> Int64 {
        let range = range
        guard range.contains(asked) else {
            throw SettingProblem(
                .gain, id: "gain-out-of-range",
                "gain \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of \(limit ?? origin); ISO \(isoAtUnity) is 1x)",
                hint: "use a gain in that range")
        }
        return nearestCode(to: asked)
    }

    /// As ``code(for:from:)``, for a profile known by its name alone.
    public func code(for asked: Gain, profile: String) throws(SettingProblem) -> Int64 {
        try code(for: asked, from: .profile(profile, file: nil))
    }

    /// Every law grows with the code, so the nearest code is one of the two around the place where the gain passes the
    /// one asked for.
    private func nearestCode(to asked: Gain) -> Int64 {
        if case .table(let rows) = law { return nearestCode(of: rows, to: asked) }
        var low: Int64 = 0
        var high = (codes.maximum - codes.minimum) / codes.step
        while high > low {
            let middle = low + (high - low + 1) / 2
            if gain(atStep: middle) <= asked { low = middle } else { high = middle - 1 }
        }
        let last = (codes.maximum - codes.minimum) / codes.step
        let next = min(low + 1, last)
        let below = asked.millionths - gain(atStep: low).millionths
        let above = gain(atStep: next).millionths - asked.millionths
        return codes.minimum + (next > low && above <= below ? next : low) * codes.step
    }

    private func gain(atStep step: Int64) -> Gain {
        gain(ofCode: codes.minimum + step * codes.step) ?? .unity
    }

    /// Only measured codes are used.
    private func nearestCode(of rows: [MeasuredGain], to asked: Gain) -> Int64 {
        var best: (code: Int64, distance: UInt64)?
        for row in rows where codes.contains(row.code) {
            let distance = (row.gain.millionths - asked.millionths).magnitude
            if best.map({ distance <= $0.distance }) ?? true { best = (row.code, distance) }
        }
        return best?.code ?? codes.minimum
    }

    /// The gain that an ISO value stands for.
    public func gain(forISO iso: Int64) -> Gain {
        Gain(millionths: rounded(Int128(iso) * 1_000_000, over: Int128(isoAtUnity)))
    }
}

/// The nearest whole number to a quotient with a positive denominator; half goes up.
package func rounded(_ numerator: Int128, over denominator: Int128) -> Int64 {
    let (doubled, divisor) = (numerator * 2 + denominator, denominator * 2)
    // Nearly all are of numbers that 64 bits hold, whose quotients take a fraction of the time.
    if let doubled = Int64(exactly: doubled), let divisor = Int64(exactly: divisor) {
        return roundedDown(doubled, over: divisor)
    }
    return Int64(clamping: roundedDown(doubled, over: divisor))
}

private func roundedDown<Number: FixedWidthInteger>(
    _ numerator: Number, over denominator: Number
) -> Number {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return remainder < 0 ? quotient - 1 : quotient
}
