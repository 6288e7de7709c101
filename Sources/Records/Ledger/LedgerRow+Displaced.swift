public import Timebase

extension LedgerRow {
    /// Takes the picture for one of another exposure: its settings are unknown, and its times are less well known.
    ///
    /// Lens and white balance stay as they are.
    ///
    /// - Parameters:
    ///   - shift: from the times of the row to the middle of what they may be.
    ///   - span: so much further than before the truth may be from there, either way.
    public mutating func leaveOutSettings(laterBy shift: Interval, within span: Interval) {
        applied.exposure = nil
        applied.gainMillionths = nil
        trigger?.delay = nil
        guard var time = exposureTime else { return }
        let exposure = time.end - time.start
        time.end = time.end + shift
        time.start = time.end - exposure
        time.mid = time.end - exposure / 2
        time.halfWidth = time.halfWidth + span
        exposureTime = time
    }
}
