import Devices
import Notation
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

    /// Evidence that can be asked for; nobody needs to ask for less.
    private enum Proof: String, CaseIterable, Sendable {
        case metadata, pixels

        var evidence: SettingEvidence { self == .metadata ? .metadata : .pixels }
    }
    private static let proofOfExposure = Key(
        "exposure", Form<Proof>.word, "How the exposure of each frame is to be known.")
    private static let proofOfGain = Key(
        "gain", Form<Proof>.word, "How the gain of each frame is to be known.")
    private static let proofShape = MappingShape(
        "`proof`", "How settings of frames are to be known, by control.",
        keys: [proofOfExposure.shape, proofOfGain.shape],
        rules: [.atLeastOne(["exposure", "gain"])])
    private static let proofForm = Form<PerGroup<SettingEvidence?>>(
        .either([Form<Proof>.word.shape, .mapping(proofShape)])
    ) { node, context in
        guard node.entries != nil else {
            return Form<Proof>.word.read(node, context).map { word in
                PerGroup { $0 == .exposure || $0 == .gain ? word.evidence : nil }
            }
        }
        guard let read = MappingReader(node, as: proofShape, context: context) else { return nil }
        let (exposure, gain) = (read(proofOfExposure), read(proofOfGain))
        return PerGroup {
            $0 == .exposure ? exposure?.evidence : $0 == .gain ? gain?.evidence : nil
        }
    }
    static let proof = Key(
        "proof", proofForm.located,
        "The weakest evidence for exposure and gain of every frame, or of one of them; not judged if left out."
            + " Refused where it can't be had: pixels of a setting that is the same in all frames, metadata of a"
            + " camera that sends none."
    )

    /// The limits; of keys that are left out the defaults of ``Requirements`` stay.
    static let form = Form<RequireNeed>.mapping(
        MappingShape(
            "`require`", "Limits of the verdict.",
            keys: counts.map(\.1.shape) + [
                clockUncertainty.shape, pulseTolerance.shape, temperature.shape, proof.shape,
            ])
    ) { read in
        var require = Requirements()
        for (limit, key) in counts {
            if let value = read(key) { require[keyPath: limit.path] = value }
        }
        if let value = read(clockUncertainty) { require.clockUncertainty = value }
        if let value = read(pulseTolerance) { require.pulseTolerance = value }
        if let value = read(temperature) { require.temperature = value }
        let proof = read(proof)
        if let proof { require.proof = proof.value }
        return RequireNeed(limits: require, proof: proof?.range)
    }
}
