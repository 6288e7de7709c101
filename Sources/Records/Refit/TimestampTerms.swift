internal import Devices
internal import Notation
internal import Timebase

/// What a run's manifest says of the driver's timestamps: how they lie to the ends of exposures.
struct TimestampTerms {
    /// Kernel timestamps of frames are cut off to a step of the clock, and then to whole microseconds.
    let resolution: Interval
    private static let hour: Int64 = 3_600_000_000_000

    /// How late a timestamp is at most; nil where that is not known.
    let delay: Interval?
    /// How far the clock that counts exposures and rows may be off, in parts per million.
    let clockPerMillion: Int64
    /// From the moment that a timestamp marks to the end of the exposure of the frame's centre; nil where the readout's
    /// time is not known.
    let toEnd: RowReadout.BoundedOffset?

    init(_ manifest: JSONValue) {
        resolution = .microseconds(1) + ClockResolution(manifest).excess
        func interval(_ json: JSONValue?, _ range: ClosedRange<Int64>) -> Interval? {
            json?.integerValue.flatMap {
                range.contains($0) ? Interval(nanoseconds: $0) : nil
            }
        }
        let timestamps = manifest["timestamps"]
        let rows = manifest["rows"]
        clockPerMillion = RowReadout(json: rows)?.clockPerMillion ?? 0
        delay = interval(timestamps?["max_delay_ns"], 0...Self.hour)
        guard let readout = interval(timestamps?["readout_ns"], 0...Self.hour),
            let point = timestamps?["point"]?.stringValue.flatMap({
                TimestampModel.Point(rawValue: $0)
            }
            ),
            let span = interval(rows?["exposure_end_ns"], -Self.hour...Self.hour),
            let halfWidth = interval(rows?["exposure_end_half_width_ns"], 0...Self.hour)
        else {
            toEnd = nil
            return
        }
        // Half of the readout is cut off to a nanosecond, as in the ledger.
        let toCentre = point == .endOfReadout ? readout / 2 - readout : readout / 2
        let counted = toCentre.magnitude(partsPerMillion: clockPerMillion)
        toEnd = RowReadout.BoundedOffset(
            toCentre + span, halfWidth: halfWidth + counted + .nanoseconds(2))
    }

    /// What a timestamp says of the end of the exposure, if it was made at one of some times; nil if too little is
    /// known.
    func end(
        timestamped times: ClosedRange<Instant<Monotonic>>
    ) -> ClosedRange<Instant<Monotonic>>? {
        guard let delay, let toEnd else { return nil }
        return times.lowerBound - delay + toEnd.span - toEnd.halfWidth...times.upperBound
            + toEnd.span + toEnd.halfWidth
    }
}
