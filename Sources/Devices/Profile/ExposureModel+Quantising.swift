public import Timebase

extension ExposureModel {
    /// Picoseconds of one code, rounded to the nearest; ``unit`` is exact.
    public var unitPicoseconds: Int64 {
        rounded(Int128(unit.picoseconds), over: Int128(unit.divisor))
    }

    /// The duration of a code, rounded to the nearest nanosecond.
    ///
    /// - Parameter code: any number, since it may come from a device; what no time can hold counts as the longest.
    public func duration(ofCode code: Int64) -> Interval {
        if !table.isEmpty {
            return (table.last { $0.code <= code } ?? table[0]).duration
        }
        let (sum, overflow) = offset.nanoseconds.addingReportingOverflow(
            unit.duration(ofCodes: code).nanoseconds)
        return Interval(nanoseconds: overflow ? .max : sum)
    }

    /// The shortest and longest duration.
    public var range: ClosedRange<Interval> {
        duration(ofCode: codes.minimum)...duration(ofCode: codes.maximum)
    }

    /// The code nearest to a duration.
    ///
    /// - Parameters:
    ///   - asked: the duration.
    ///   - origin: where the limits come from, for the message.
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(
        for asked: Interval, from origin: LimitOrigin
    ) throws(SettingProblem) -> Int64 {
        guard range.contains(asked) else {
            throw SettingProblem(
                .exposure, id: "exposure-out-of-range",
                "exposure \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of \(limit ?? origin))",
                hint: hint(asked))
        }
        if !table.isEmpty { return measuredCode(for: asked) }
        // The ends of the range are rounded to nanoseconds, so a request inside may still lie beyond the code's exact
        // value.
        return codes.nearestInside(
            Int128((asked - offset).nanoseconds) * 1_000 * Int128(unit.divisor),
            over: Int128(unit.picoseconds))
    }

    /// As ``code(for:from:)``, for a profile known by its name alone.
    public func code(for asked: Interval, profile: String) throws(SettingProblem) -> Int64 {
        try code(for: asked, from: .profile(profile, file: nil))
    }

    private func hint(_ asked: Interval) -> String {
        if case .frameLength = limit, asked > range.upperBound {
            return "use a shorter exposure, or a lower frame rate"
        }
        if case .frameCount = limit {
            return "record exposures so short in a run of their own, with shorter frames"
        }
        return "use an exposure in that range"
    }

    /// Only measured codes are used; the later one of two that are equally near.
    private func measuredCode(for asked: Interval) -> Int64 {
        var best: (code: Int64, distance: UInt64)?
        for row in table where codes.contains(row.code) {
            let distance = (row.duration - asked).nanoseconds.magnitude
            if best.map({ distance <= $0.distance }) ?? true { best = (row.code, distance) }
        }
        return best?.code ?? codes.minimum
    }
}
