import Cameras
import Notation

/// `gain` of a camera profile.
enum GainKeys {
    private enum Law: String, CaseIterable, Sendable {
        case linear, reciprocal
    }

    private static let positive = Form<Int64>.integer(1...4_294_967_295)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let law = Key(
        "law", Form<Law>.word, required: true,
        "`linear`: gain = code / unity; `reciprocal`: gain = base / (base - code).")
    private static let unity = Key("unity", positive, "Code of gain 1, for a linear law.")
    private static let base = Key("base", positive, "Base of a reciprocal law.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, required: true, "Codes that the control takes.")
    private static let iso = Key(
        "iso_at_unity", Form<Int64>.integer(1...1_000_000), required: true,
        "The ISO value that a gain of 1 stands for.")

    static let form = Form<GainModel>.mapping(
        MappingShape(
            "a gain model", "Gain and the code that makes it.",
            keys: [
                control.shape, law.shape, unity.shape, base.shape, codes.shape, iso.shape,
                ControlForms.latency.shape,
            ], rules: [.exactlyOne([["unity"], ["base"]])])
    ) { read in
        let (control, codes, iso) = (read(Self.control), read(Self.codes), read(Self.iso))
        let latency = read(ControlForms.latency)
        guard let control, let codes, let law = law(read, codes: codes), let iso, let latency
        else { return nil }
        return GainModel(
            control: control, law: law, codes: codes, isoAtUnity: iso, latencyFrames: latency)
    }

    private static func law(_ read: MappingReader, codes: CodeRange) -> GainModel.Law? {
        let (unity, base) = (read(unity), read(base))
        switch read(law) {
        case .linear?:
            if let unity { return .linear(unity: unity) }
            reportMissing("unity", for: "linear", read)
        case .reciprocal?:
            guard let base else {
                reportMissing("base", for: "reciprocal", read)
                return nil
            }
            if base > codes.maximum { return .reciprocal(base: base) }
            read.context.report(
                "out-of-range", at: read.valueRange(Self.base),
                "the base must be above the largest code, \(codes.maximum): at the base the gain has no end"
            )
        case nil: break
        }
        return nil
    }

    private static func reportMissing(_ key: String, for law: String, _ read: MappingReader) {
        if key == "unity" ? read.has(unity) : read.has(base) { return }
        read.context.report(
            "missing-key", at: read.valueRange(Self.law), "a `\(law)` law needs `\(key)`")
    }
}
