internal import Devices
internal import Notation
internal import Timebase

/// Limits of a camera in one format, for programs: of `devices --json` by format, of `plan --json` for the chosen one.
enum FormatLimitsListing {
    /// Whole numbers with their units; null for what can't be set.
    ///
    /// Exposures in nanoseconds, gains in millionths, ISO as it is: nothing in it is rounded by floating point.
    static func json(
        exposure: ClosedRange<Interval>?, iso: ClosedRange<Int64>?, gain: ClosedRange<Gain>?
    ) -> JSONValue {
        [
            "exposure_minimum_ns": exposure.map { .integer($0.lowerBound.nanoseconds) } ?? .null,
            "exposure_maximum_ns": exposure.map { .integer($0.upperBound.nanoseconds) } ?? .null,
            "iso_minimum": iso.map { .integer($0.lowerBound) } ?? .null,
            "iso_maximum": iso.map { .integer($0.upperBound) } ?? .null,
            "gain_minimum_millionths": gain.map { .integer($0.lowerBound.millionths) } ?? .null,
            "gain_maximum_millionths": gain.map { .integer($0.upperBound.millionths) } ?? .null,
        ]
    }
}
