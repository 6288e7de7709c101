internal import Devices
internal import Timebase

/// What a run's manifest has of the driver's timestamps: how they lie to the ends of exposures.
///
/// The same terms as ``TimestampModel`` and ``RowReadout`` gave the run, so that a fit computes as the engine did.
struct TimestampTerms {
    /// Kernel timestamps of frames are cut off to a step of the clock, and then to whole microseconds: by so much the
    /// truth may be later.
    let resolution: Interval

    /// How late a timestamp is at most (`max_delay` of the profile).
    let delay: Interval
    /// How far the clock that counts exposures and rows may be off, in parts per million.
    let clockPerMillion: Int64
    /// From the moment that a timestamp marks to the end of the exposure of the frame's centre; nil where the readout's
    /// time is not known.
    let toEnd: RowReadout.BoundedOffset?

    init(_ manifest: Manifest) {
        resolution = .microseconds(1) + manifest.clockResolution.excess
        clockPerMillion = manifest.rows.clockPerMillion
        delay = manifest.timestamps.delay
        let (point, offset) = (manifest.timestamps.point, manifest.rows.offset)
        guard let readout = manifest.timestamps.readout else {
            toEnd = nil
            return
        }
        // Half of the readout is cut off to a nanosecond, as in the ledger.
        let toCentre = point == .endOfReadout ? readout / 2 - readout : readout / 2
        let counted = toCentre.magnitude(partsPerMillion: clockPerMillion)
        toEnd = RowReadout.BoundedOffset(
            toCentre + offset.span, halfWidth: offset.halfWidth + counted + .nanoseconds(2))
    }

    /// What a timestamp shows of the end of the exposure, if it was made at one of some times; nil if too little is
    /// known.
    ///
    /// - Parameter times: of the monotonic clock, at one of which the timestamp was made.
    func end(
        timestamped times: ClosedRange<Instant<Monotonic>>
    ) -> ClosedRange<Instant<Monotonic>>? {
        guard let toEnd else { return nil }
        return times.lowerBound - delay + toEnd.span - toEnd.halfWidth...times.upperBound
            + toEnd.span + toEnd.halfWidth
    }
}
