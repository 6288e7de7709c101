/// What a kind of camera does that no other should: data of its profile, known by name.
public enum CameraQuirk: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// Above some code the exposure starts again from the shortest; `codes` of the profile end before it.
    case exposureRollsOver = "exposure_rolls_over"
    /// A value is refused while its automatic is on, instead of kept for later.
    case refusesValueWhileAutomatic = "refuses_value_while_automatic"
    /// Settings written before the stream starts are lost when it does.
    case forgetsSettingsAtStart = "forgets_settings_at_start"
    /// While an automatic is on, the control reads an old value.
    case readsStaleWhileAutomatic = "reads_stale_while_automatic"
    /// Frames of the sensor are corrected for defects before they leave it, unless the driver is set not to.
    case correctsDefectsOnSensor = "corrects_defects_on_sensor"
    /// The driver's sequence number does not count: it is ignored.
    case sequenceIsStuck = "sequence_is_stuck"
    /// The driver's sequence number restarts in mid-stream: where timestamps contradict it, they are believed.
    case sequenceResets = "sequence_resets"
    /// The driver's sequence number counts the fields of interlaced video: two for each frame.
    case sequenceCountsFields = "sequence_counts_fields"
    /// The driver does not timestamp frames: each has the time at which it was taken.
    case timestampsAreZero = "timestamps_are_zero"
    /// The driver repeats its timestamps: a frame's time is the one at which it was taken.
    case timestampsAreStuck = "timestamps_are_stuck"
    /// The driver's timestamps go back: a frame's time is the one at which it was taken.
    case timestampsGoBack = "timestamps_go_back"
    /// The driver's timestamps lie in the future: they show how far frames are apart, not when they were.
    case timestampsAreAhead = "timestamps_are_ahead"
    /// The driver hands some frames out twice, with the same number and timestamp: the second one is given back.
    case framesAreRepeated = "frames_are_repeated"
    /// The camera keeps another rate than its driver promises.
    case rateIsAnother = "rate_is_another"
}
