public import Timebase

extension ExposureModel {
    /// The duration of a code, rounded to the nearest nanosecond.
    ///
    /// - Parameter code: any number, since it may come from a device; what no time can hold counts as the longest.
    public func duration(ofCode code: Int64) -> Interval {
        let nanoseconds = rounded(Int128(code) * Int128(unitPicoseconds), over: 1_000)
        let (sum, overflow) = offset.nanoseconds.addingReportingOverflow(nanoseconds)
        return Interval(nanoseconds: overflow ? .max : sum)
    }

    /// The shortest and longest duration.
    public var range: ClosedRange<Interval> {
        duration(ofCode: codes.minimum)...duration(ofCode: codes.maximum)
    }

    /// The code nearest to a duration.
    ///
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(for asked: Interval, profile: String) throws(SettingProblem) -> Int64 {
        guard range.contains(asked) else {
            throw SettingProblem(
                .exposure, id: "exposure-out-of-range",
                "exposure \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of camera profile `\(profile)`)",
                hint: "use an exposure in that range")
        }
        // The ends of the range are rounded to nanoseconds, so a request inside may still lie beyond the code's exact
        // value.
        return codes.nearestInside(
            Int128((asked - offset).nanoseconds) * 1_000, over: Int128(unitPicoseconds))
    }
}
