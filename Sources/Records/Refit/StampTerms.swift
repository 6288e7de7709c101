internal import Cameras
internal import Notation
internal import Timebase

/// What a run's manifest says of the driver's stamps: how they lie to the ends of exposures.
struct StampTerms {
    /// Kernel stamps of frames are cut off to a step of the clock, and then to whole microseconds.
    let resolution: Interval
    private static let hour: Int64 = 3_600_000_000_000

    /// How late a stamp is at most; nil where that is not known.
    let lateness: Interval?
    /// How far the clock that counts exposures and rows may be off, in parts per million.
    let clockPerMillion: Int64
    /// From the moment that a stamp marks to the end of the exposure of the frame's centre; nil where the readout's
    /// time is not known.
    let toEnd: RowReadout.BoundedOffset?

    init(_ manifest: JSONValue) {
        resolution = .microseconds(1) + ClockResolution(manifest).excess
        func interval(_ json: JSONValue?, _ range: ClosedRange<Int64>) -> Interval? {
            json?.integerValue.flatMap {
                range.contains($0) ? Interval(nanoseconds: $0) : nil
            }
        }
        let stamps = manifest["timestamps"]
        let rows = manifest["rows"]
        clockPerMillion = RowReadout(json: rows)?.clockPerMillion ?? 0
        lateness = interval(stamps?["lateness_ns"], 0...Self.hour)
        guard let readout = interval(stamps?["readout_ns"], 0...Self.hour),
            let point = stamps?["point"]?.stringValue.flatMap({ TimestampModel.Point(rawValue: $0) }
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

    /// What a stamp says of the end of the exposure, if it was made at one of some times; nil if too little is known.
    func end(
        stamped times: ClosedRange<Instant<Monotonic>>
    ) -> ClosedRange<Instant<Monotonic>>? {
        guard let lateness, let toEnd else { return nil }
        return times.lowerBound - lateness + toEnd.span - toEnd.halfWidth...times.upperBound
            + toEnd.span + toEnd.halfWidth
    }
}
