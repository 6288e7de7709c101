internal import Devices
internal import Timebase
internal import Tracking

/// Frames whose picture may be that of a later frame than their timestamp.
///
/// A driver whose timestamps stand still may give a frame that of the one that was lost before it inside the camera: as
/// nobody counts that one, timestamp and number go along with each other. But the frame comes whole periods later than
/// others by its timestamp, and behind it the loss shows, or the timestamp comes once more.
///
/// Of raw sensors it is the picture. A receiver that misses the end of a frame and the start of the next ones fills the
/// buffer again, and hands it out under the first one's timestamp and number. Such a frame is complete a period late,
/// and behind it more frames are missing by their timestamps than by their numbers. Either alone has other reasons: a
/// host that is late, and frames that the receiver never counted.
///
/// What a row with both signs has of exposure, gain and times is removed before it is written.
struct DisplacedPictures {
    /// The frame before a gap on which timestamps and numbers differ.
    private struct Gap {
        var sequence: UInt32
        /// Frames that are missing by timestamps.
        var frames: Int64
    }

    /// Nil for cameras whose frames follow no registers: the engine knows how late those came.
    private let period: Interval?
    private let readout: Interval
    private var gap: Gap?
    /// Frames that the sequence counts and that are missing, in the newest gap.
    private var numbered: (from: UInt32, before: UInt32)?

    /// - Parameters:
    ///   - camera: the profile, with the frame timing that the plan chose.
    ///   - isTriggered: whether a line exposes the camera: its frames keep no period.
    /// - Returns: nil for cameras that are exposed by a line, and for raw sensors whose timing is not known.
    init?(_ camera: CameraProfile, isTriggered: Bool) {
        if isTriggered || camera.sensor != nil && camera.timing == nil { return nil }
        self.init(
            period: camera.sensor == nil ? nil : camera.timing?.period,
            readout: camera.timestamps.readout ?? .zero)
    }

    /// - Parameters:
    ///   - period: from frame to frame by registers; nil where rows have how late their frames came.
    ///   - readout: from the first to the last row; zero if unknown.
    init(period: Interval?, readout: Interval) {
        self.period = period
        self.readout = readout
    }

    /// How long a frame that came late waits for the one behind it: so long also where none comes any more.
    var patience: Interval { (period ?? .zero) * 2 + .seconds(1) }

    /// Takes note of a gap.
    ///
    /// Only a disputed gap matters, whose spacing has room for more frames than the sequence counts; the last one is
    /// kept.
    ///
    /// Of cameras without registers every gap matters that the sequence does not count.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .sequenceTimestampMismatch(let before, let counted, _, let most?, _) where most > 0:
            let missing = UInt32(truncatingIfNeeded: max(0, counted ?? 0))
            gap = Gap(sequence: before &- 1 &- missing, frames: most)
        case .framesMissing(let count, let before, let reason) where period == nil:
            guard reason.hasNumber else {
                let first = numbered?.before == before ? numbered?.from : nil
                gap = Gap(sequence: (first ?? before) &- 1, frames: count)
                return
            }
            let from = before &- UInt32(truncatingIfNeeded: count)
            numbered = (numbered?.before == from ? numbered?.from ?? from : from, before)
        case .timestampInvalid(_, let from, .repeated) where period == nil:
            gap = Gap(sequence: from &- 1, frames: 1)
        default: break
        }
    }

    /// Takes note of a row that stands behind another: the same timestamp once more is no time of either.
    mutating func note(_ row: LedgerRow, after last: LedgerRow) {
        guard period == nil, let sequence = last.deviceSequence, row.reason == nil,
            row.rawTimestamp == last.rawTimestamp
        else { return }
        gap = Gap(sequence: sequence, frames: 1)
    }

    /// Whether a frame was complete so late that its end was not its own.
    ///
    /// - Parameters:
    ///   - row: whose picture may be displaced.
    ///   - time: when the row was handed over, at the earliest when its frame was complete.
    /// - Returns: false where the row has no frame or no time.
    func isLate(_ row: LedgerRow, at time: Instant<Session>) -> Bool {
        guard row.reason == nil, let exposure = row.exposureTime else { return false }
        guard let period else { return row.lateBy > .zero }
        return time - exposure.end - exposure.halfWidth > readout / 2 + period / 2
    }

    /// Whether the gap behind a frame that came late was logged.
    func isBeforeGap(_ row: LedgerRow) -> Bool {
        gap.map { $0.sequence == row.deviceSequence } ?? false
    }

    /// Leaves out what is not known of a frame before the gap: which of the missing ones it shows.
    ///
    /// Exposure and gain are not known then, and the times have the middle of the gap, with a bound that reaches over
    /// all of it and a period more.
    func leaveOutUnknown(_ row: inout LedgerRow) {
        guard let gap else { return }
        // Any of them, with any exposure that fits.
        let half = (period.map { $0 * gap.frames } ?? row.lateBy) / 2
        row.leaveOutSettings(laterBy: half, within: half + (period ?? row.lateBy))
    }
}
