internal import Devices
internal import Timebase

/// Frames of a raw sensor whose picture may be that of a later frame.
///
/// A receiver that misses the end of a frame and the start of the next ones fills the buffer again, and hands it out
/// under the first one's timestamp and number. Such a frame is complete a period late, and behind it more frames are
/// missing by their timestamps than by their numbers. Either alone has other reasons: a host that is late, and frames
/// that the receiver never counted. What a row with both signs has of exposure, gain and times is removed before it
/// is written.
struct DisplacedPictures {
    /// The frame before a gap on which timestamps and numbers differ.
    private struct Gap {
        var sequence: UInt32
        /// Frames that are missing by timestamps.
        var frames: Int64
    }

    private let period: Interval
    private let readout: Interval
    private var gap: Gap?

    /// - Parameters:
    ///   - camera: the profile, with the frame timing that the plan chose.
    ///   - isTriggered: whether a line exposes the camera: its frames keep no period.
    /// - Returns: nil for cameras whose frames do not follow registers, or are exposed by a line.
    init?(_ camera: CameraProfile, isTriggered: Bool) {
        guard camera.sensor != nil, !isTriggered, let period = camera.timing?.period else {
            return nil
        }
        self.init(period: period, readout: camera.timestamps.readout ?? .zero)
    }

    /// - Parameters:
    ///   - period: from frame to frame.
    ///   - readout: from the first to the last row; zero if unknown.
    init(period: Interval, readout: Interval) {
        self.period = period
        self.readout = readout
    }

    /// How long a frame that came late waits for the one behind it: so long also where none comes any more.
    var patience: Interval { period * 2 + .seconds(1) }

    /// Takes note of a gap.
    ///
    /// Only a disputed gap matters, whose spacing has room for more frames than the sequence counts; the last one is
    /// kept.
    mutating func note(_ event: RunEvent) {
        guard case .sequenceTimestampMismatch(let before, let counted, _, let most?, _) = event,
            most > 0
        else { return }
        let missing = UInt32(truncatingIfNeeded: max(0, counted ?? 0))
        gap = Gap(sequence: before &- 1 &- missing, frames: most)
    }

    /// Whether a frame was complete so late that its end was not its own.
    ///
    /// - Parameters:
    ///   - row: whose picture may be displaced.
    ///   - time: when the row was handed over, at the earliest when its frame was complete.
    /// - Returns: false where the row has no frame or no time.
    func isLate(_ row: LedgerRow, at time: Instant<Session>) -> Bool {
        guard row.reason == nil, let exposure = row.exposureTime else { return false }
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
        let half = period * gap.frames / 2
        row.leaveOutSettings(laterBy: half, within: half + period)
    }
}
