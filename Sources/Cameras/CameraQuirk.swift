/// What a kind of camera does that no other should: data of its profile, known by name.
public enum CameraQuirk: String, Hashable, Sendable, CaseIterable {
    /// Above some code the exposure starts anew from the shortest; `codes` of the profile end before it.
    case exposureRollsOver = "exposure_rolls_over"
    /// A value is refused while its automatic is on, instead of kept for later.
    case refusesValueWhileAutomatic = "refuses_value_while_automatic"
    /// Settings written before the stream starts are lost when it does.
    case forgetsSettingsAtStart = "forgets_settings_at_start"
    /// The driver's sequence number does not count.
    case sequenceIsStuck = "sequence_is_stuck"
    /// While an automatic is on, the control reads an old value.
    case readsStaleWhileAutomatic = "reads_stale_while_automatic"
    /// Frames of the sensor are corrected for defects before they leave it, unless the driver is told not to.
    case correctsDefectsOnSensor = "corrects_defects_on_sensor"
}
