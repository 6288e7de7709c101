public import Timebase

extension ExposureModel {
    /// The duration of a code, rounded to the nearest nanosecond.
    public func duration(ofCode code: Int64) -> Interval {
        let picoseconds = Int128(code) * Int128(unitPicoseconds)
        return offset + Interval(nanoseconds: Int64((picoseconds + 500) / 1_000))
    }

    /// The shortest and longest duration.
    public var range: ClosedRange<Interval> {
        duration(ofCode: codes.minimum)...duration(ofCode: codes.maximum)
    }

    /// The code nearest to a duration.
    ///
    /// - Throws: ``SettingProblem`` outside ``range``; a request is never moved to a limit.
    public func code(for asked: Interval, profile: String) throws(SettingProblem) -> Int64 {
        let unit = Int128(unitPicoseconds)
        let picoseconds = Int128((asked - offset).nanoseconds) * 1_000
        guard range.contains(asked),
            let code = codes.nearest(Int64((picoseconds + unit / 2) / unit))
        else {
            throw SettingProblem(
                .exposure, id: "exposure-out-of-range",
                "exposure \(asked) is outside \(range.lowerBound) to \(range.upperBound)"
                    + " (\(control.name) of camera profile `\(profile)`)",
                hint: "use an exposure in that range")
        }
        return code
    }
}
