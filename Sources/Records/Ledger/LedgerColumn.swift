/// The columns of `ledger.csv`, in their order.
///
/// The first twenty are a contract: scripts of others read them. New ones are added at the end.
public enum LedgerColumn: Int, CaseIterable, Sendable {
    case slot, step, status, reason, deviceSequence, rawTimestamp, clock, sessionStart,
        sessionMid, sessionEnd, sessionHalfWidth, requestedExposure, appliedExposure,
        requestedGain, appliedGain, lensPosition, triggerID, triggerClass, lumaMean, crc32c,
        triggerDelay, saturatedFraction, settings, requestedLensPosition, requestedTemperature,
        appliedTemperature, requestedRedGain, appliedRedGain, requestedBlueGain, appliedBlueGain,
        exposureKnownBy, gainKnownBy, lensKnownBy, whiteBalanceKnownBy, gapEvidence, cameraTicks,
        lastSlot, label, lights, rounds

    /// What it is called in the first line.
    public var name: String {
        switch self {
        case .slot: "slot"
        case .step: "step"
        case .status: "status"
        case .reason: "reason"
        case .deviceSequence: "device_sequence"
        case .rawTimestamp: "raw_timestamp_ns"
        case .clock: "clock"
        case .sessionStart: "session_start_ns"
        case .sessionMid: "session_mid_ns"
        case .sessionEnd: "session_end_ns"
        case .sessionHalfWidth: "session_half_width_ns"
        case .requestedExposure: "requested_exposure_ns"
        case .appliedExposure: "applied_exposure_ns"
        case .requestedGain: "requested_gain"
        case .appliedGain: "applied_gain"
        case .lensPosition: "applied_lens_position"
        case .triggerID: "trigger_id"
        case .triggerClass: "trigger_class"
        case .lumaMean: "luma_mean"
        case .crc32c: "crc32c"
        case .triggerDelay: "trigger_delay_ns"
        case .saturatedFraction: "saturated_fraction"
        case .settings: "settings"
        case .requestedLensPosition: "requested_lens_position"
        case .requestedTemperature: "requested_temperature_k"
        case .appliedTemperature: "applied_temperature_k"
        case .requestedRedGain: "requested_red_gain"
        case .appliedRedGain: "applied_red_gain"
        case .requestedBlueGain: "requested_blue_gain"
        case .appliedBlueGain: "applied_blue_gain"
        case .exposureKnownBy: "exposure_known_by"
        case .gainKnownBy: "gain_known_by"
        case .lensKnownBy: "lens_known_by"
        case .whiteBalanceKnownBy: "white_balance_known_by"
        case .gapEvidence: "gap_evidence"
        case .cameraTicks: "camera_timestamp_ticks"
        case .lastSlot: "last_slot"
        case .label: "label"
        case .lights: "lights"
        case .rounds: "rounds"
        }
    }

    /// How many there are.
    static let count = allCases.count

    /// The first line of a ledger.
    static let header = allCases.map(\.name).joined(separator: ",")
}
