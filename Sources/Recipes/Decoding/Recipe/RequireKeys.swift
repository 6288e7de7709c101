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

    /// The counts, in the order of ``CountLimit/all``.
    private static let counts = CountLimit.all.map { ($0, Key($0.name, limit, $0.summary)) }

    /// Half a width: the true time lies within it on either side.
    static let clockUncertainty = Key(
        "clock_uncertainty",
        Form<Interval>.duration.map { Interval?.some($0) }.or("any", nil),
        "How far the session time of an exposure may be uncertain, either way, or `any`; not judged if left out."
    )

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
            keys: counts.map(\.1.shape) + [
                clockUncertainty.shape, pulseTolerance.shape, temperature.shape,
            ])
    ) { read in
        var require = Requirements()
        for (limit, key) in counts {
            if let value = read(key) { require[keyPath: limit.path] = value }
        }
        if let value = read(clockUncertainty) { require.clockUncertainty = value }
        if let value = read(pulseTolerance) { require.pulseTolerance = value }
        if let value = read(temperature) { require.temperature = value }
        return require
    }
}
