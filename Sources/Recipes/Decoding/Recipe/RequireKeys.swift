import Devices
import Timebase

/// `require`: the limits of the verdict.
///
/// What is left out is judged strictly where a frame or a setting is concerned, and not at all where only the recipe
/// can know what is good enough.
enum RequireKeys {
    /// A count that may be reached and not passed, or `any` for none.
    private static let limit = Form<Int64>.integer(0...1_000_000_000_000)
        .map { Int64?.some($0) }.or("any", nil)

    static let dropped = Key(
        "dropped", limit, "Slots that may end without their frame, or `any`; 0 if left out.")
    static let lockViolations = Key(
        "lock_violations", limit,
        "Settings that may turn out different from what was locked, or `any`; 0 if left out.")
    static let unmatchedTriggers = Key(
        "unmatched_triggers", limit,
        "Edges without frame and frames without edge, or `any`; 0 if left out.")
    /// Half a width: the true time lies within it on either side.
    static let clockUncertainty = Key(
        "clock_uncertainty",
        Form<Interval>.duration.map { Interval?.some($0) }.or("any", nil),
        "How far the session time of an exposure may be uncertain, either way, or `any`; not judged if left out."
    )

    static let latePulses = Key(
        "late_pulses", limit,
        "Switches of outputs that may come late, or `any`; not judged if left out.")
    /// A default of its own, ``Requirements/usualPulseTolerance``, which counts only with `late_pulses`.
    static let pulseTolerance = Key(
        "pulse_tolerance", Form<Interval>.durationOrZero,
        "How much after its time an output may be switched without being late; 1 ms if left out.")
    static let temperature = Key(
        "temperature",
        Form<Temperature>.celsius.map { Temperature?.some($0) }.or("any", nil),
        "How warm the instrument may be, or `any`; not judged if left out. A limit needs a thermometer."
    )

    /// The limits; of keys that are left out the defaults of ``Requirements`` stay.
    static let form = Form<Requirements>.mapping(
        MappingShape(
            "`require`", "Limits of the verdict.",
            keys: [
                dropped.shape, lockViolations.shape, unmatchedTriggers.shape,
                clockUncertainty.shape, latePulses.shape, pulseTolerance.shape,
                temperature.shape,
            ])
    ) { read in
        var require = Requirements()
        if let value = read(dropped) { require.dropped = value }
        if let value = read(lockViolations) { require.lockViolations = value }
        if let value = read(unmatchedTriggers) { require.unmatchedTriggers = value }
        if let value = read(clockUncertainty) { require.clockUncertainty = value }
        if let value = read(latePulses) { require.latePulses = value }
        if let value = read(pulseTolerance) { require.pulseTolerance = value }
        if let value = read(temperature) { require.temperature = value }
        return require
    }
}
