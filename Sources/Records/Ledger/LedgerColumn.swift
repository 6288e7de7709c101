/// The columns of `ledger.csv`, in their order.
///
/// The first twenty are a contract: scripts of others read them.
public enum LedgerColumn: String, CaseIterable, Sendable {
    case slot, step, status, reason
    case deviceSequence = "device_sequence"
    case rawTimestamp = "raw_timestamp_ns"
    case clock
    case sessionStart = "session_start_ns"
    case sessionMid = "session_mid_ns"
    case sessionEnd = "session_end_ns"
    case sessionHalfWidth = "session_half_width_ns"
    case requestedExposure = "requested_exposure_ns"
    case appliedExposure = "applied_exposure_ns"
    case requestedGain = "requested_gain"
    case appliedGain = "applied_gain"
    case lensPosition = "lens_position"
    case triggerID = "trigger_id"
    case triggerClass = "trigger_class"
    case lumaMean = "luma_mean"
    case crc32c
    case triggerDelay = "trigger_delay_ns"
    case saturatedFraction = "saturated_fraction"
    case settings
    case requestedLensPosition = "requested_lens_position"
    case cameraTicks = "camera_stamp_ticks"

    /// The first line of a ledger.
    static let header = allCases.map(\.rawValue).joined(separator: ",")
}
