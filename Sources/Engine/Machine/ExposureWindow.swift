internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// Turns a frame's timestamp into the times of its exposure, with bounds.
///
/// Every error is a bound that surely holds, and bounds add up: half-widths are not standard deviations.
struct ExposureWindow {
    /// The earliest moment at which the first row's exposure can have begun: a slot that must not begin before a moment
    /// is held against it.
    let earliestStart: Instant<Monotonic>
    /// Start, middle and end of the exposure of the row half-way through the readout, and how far each may be off.
    ///
    /// Lines before the image count as readout.
    let centre:
        (
            start: Instant<Monotonic>, mid: Instant<Monotonic>, end: Instant<Monotonic>,
            halfWidth: Interval
        )

    /// - Parameters:
    ///   - readout: the earliest and latest moment at which readout began: there the first row's exposure ends.
    ///   - duration: the exposure, if it is known.
    ///   - readoutTime: from the first to the last row, if that is known.
    ///   - period: from frame to frame: neither exposure nor readout can be longer; nil if that is not known yet.
    ///   - clockPerMillion: how far the clock that counts exposure and rows may be off.
    /// - Returns: nil if too little is known to bound the exposure.
    init?(
        readout: ObservedFrame.Readout, duration: Interval?, readoutTime: Interval?,
        period: Interval?, clockPerMillion: Int64 = 0
    ) {
        guard let period = period ?? (duration != nil && readoutTime != nil ? .zero : nil) else {
            return nil
        }
        let half = (readout.latest - readout.earliest) / 2
        let middle = readout.earliest + half
        // What is not known lies between nothing and a whole period: its middle, give or take half of it.
        let exposure = duration ?? period / 2
        let exposureDoubt = duration == nil ? period / 2 : .zero
        let toCentre = readoutTime.map { $0 / 2 } ?? period / 4
        let readoutDoubt = readoutTime == nil ? period / 4 : .zero
        let counted = exposure.magnitude(partsPerMillion: clockPerMillion)
        earliestStart = readout.earliest - (duration.map { $0 + counted } ?? period)
        let end = middle + toCentre
        centre = (
            end - exposure, end - exposure / 2, end,
            half + exposureDoubt + readoutDoubt + counted
                + toCentre.magnitude(partsPerMillion: clockPerMillion) + .nanoseconds(1)
        )
    }

    /// The same on the session's clock.
    ///
    /// The relation is exact, so half-widths stay as they are.
    func onSession(_ relation: ClockRelation<Monotonic, Session>) -> ExposureTime {
        func convert(_ instant: Instant<Monotonic>) -> BoundedInstant<Session> {
            relation.convert(BoundedInstant(instant, halfWidth: centre.halfWidth))
        }
        let mid = convert(centre.mid)
        return ExposureTime(
            start: convert(centre.start).instant, mid: mid.instant,
            end: convert(centre.end).instant, halfWidth: mid.halfWidth)
    }
}
