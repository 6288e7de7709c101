/// Why a slot ended without its frame.
///
/// The raw values are the words of the ledger's column `reason` and of events.
public enum HoleReason: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// The driver's sequence skips it: the host had no buffer, or the driver withheld a damaged frame.
    case droppedByDriver = "dropped-by-driver"
    /// The sequence has no gap but the spacing of timestamps shows that a frame is missing: lost inside the camera.
    case droppedByDevice = "dropped-by-device"
    /// The sequence skips it, and the host left frames waiting at that time: it was held up, and no buffer was free.
    case hostStalled = "host-stalled"
    /// The spacing of timestamps shows that a frame is missing; the sequence shows nothing, so it is unknown where it
    /// was lost.
    case dropped
    /// A frame seems to be missing, and sequence and timestamps do not agree on it.
    case uncertain
    /// It arrived, marked as damaged or too short.
    case damaged
    /// It arrived while every buffer still waited for the disk.
    case buffersFull = "buffers-full"
    /// It arrived and could not be written.
    case storageFailed = "storage-failed"
    /// The edge that it waited for did not come in time.
    case triggerTimeout = "trigger-timeout"
    /// Its edge came, and the triggered camera made no frame of it.
    case triggerUnanswered = "trigger-unanswered"
    /// Its lights came too late, time after time: the host was held up.
    case lightLate = "light-late"
    /// The camera refused the settings that it was to have.
    case settingsRefused = "settings-refused"
    /// The camera went away.
    case deviceLost = "device-lost"
    /// The stream stood still, without an error from the driver.
    case streamStalled = "stream-stalled"
    /// The run was stopped before its turn.
    case interrupted
    /// The run was cut before the slot had a row: whether its frame was taken nobody knows.
    case cut

    /// Whether it counts as a missing frame (`require: dropped`); others end the run early or concern triggers.
    public var isDrop: Bool {
        switch self {
        case .droppedByDriver, .droppedByDevice, .hostStalled, .dropped, .uncertain, .damaged,
            .buffersFull, .storageFailed, .lightLate:
            true
        case .triggerTimeout, .triggerUnanswered, .settingsRefused, .deviceLost, .streamStalled,
            .interrupted, .cut:
            false
        }
    }

    /// Whether the frame was lost before the host had it whole.
    var isLostOnTheWay: Bool {
        switch self {
        case .droppedByDriver, .droppedByDevice, .hostStalled, .dropped, .uncertain, .damaged: true
        case .buffersFull, .storageFailed, .triggerTimeout, .triggerUnanswered, .lightLate,
            .settingsRefused, .deviceLost, .streamStalled, .interrupted, .cut:
            false
        }
    }

    /// Whether the driver had a number for the frame that is missing.
    public var hasNumber: Bool {
        switch self {
        case .droppedByDriver, .hostStalled, .damaged, .buffersFull, .storageFailed: true
        case .droppedByDevice, .dropped, .uncertain, .lightLate, .triggerTimeout,
            .triggerUnanswered,
            .settingsRefused, .deviceLost, .streamStalled, .interrupted, .cut:
            false
        }
    }
}
