internal import Timebase
internal import Tracking

/// When the host last left frames waiting for long: frames that are missing then were lost for want of a buffer.
///
/// It is evidence and no proof: the ledger's `host-stalled` means that the host left frames waiting then.
struct HostStall {
    /// A frame that waited so many periods for the host was not looked for.
    private static let patience: Int64 = 6

    /// The timestamp of the first frame that waited.
    private var from = Instant<Monotonic>.distantFuture
    /// When the last of them was taken; before ``from`` if none waited.
    private var to = Instant<Monotonic>.distantPast

    /// Takes note of a frame that has come.
    ///
    /// - Parameters:
    ///   - readout: how long it was on its way from the sensor.
    ///   - period: time from frame to frame.
    mutating func note(
        _ frame: StreamFrame, readout: Interval, period: Interval, at now: Instant<Monotonic>
    ) {
        guard !frame.isTimedByArrival,
            now - frame.timestamp > period * Self.patience + frame.delay + readout
        else { return }
        if frame.timestamp > to { from = frame.timestamp }
        to = max(to, now)
    }

    /// Whether a frame fell into it: between the first frame that waited and a period after the last one was taken.
    func covers(_ frame: StreamFrame, period: Interval) -> Bool {
        frame.timestamp > from && frame.timestamp <= to + period
    }
}
