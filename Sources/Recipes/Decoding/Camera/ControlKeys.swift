import Cameras
import Notation
import Timebase

/// `exposure` of a camera profile.
enum ExposureKeys {
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let unit = Key(
        "unit", Form<Int64>.picoseconds, required: true, "The duration of one code.")
    private static let offset = Key(
        "offset", Form<Interval>.durationOrZero, "What is added whatever the code; 0 if left out.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, required: true, "Codes that the control takes.")

    static let form = Form<ExposureModel>.mapping(
        MappingShape(
            "an exposure model", "Exposure duration = code × unit + offset.",
            keys: [
                control.shape, unit.shape, offset.shape, codes.shape, ControlForms.latency.shape,
            ])
    ) { read in
        let (control, unit, codes) = (read(Self.control), read(Self.unit), read(Self.codes))
        let (offset, latency) = (read(Self.offset), read(ControlForms.latency))
        guard let control, let unit, let codes, let latency else { return nil }
        return ExposureModel(
            control: control, unitPicoseconds: unit, offset: offset ?? .zero, codes: codes,
            latencyFrames: latency)
    }
}

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

/// `focus` of a camera profile.
enum FocusKeys {
    private static let code = Form<Int64>.integer(ControlForms.codeRange)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let near = Key("near", code, required: true, "Code of lens position 0.")
    private static let far = Key("far", code, required: true, "Code of lens position 1.")
    private static let settle = Key(
        "settle", Form<Interval>.durationOrZero,
        "How long the lens moves after a write; 0 if left out."
    )

    static let form = Form<FocusModel>.mapping(
        MappingShape(
            "a focus model", "A straight line from the nearest to the farthest code.",
            keys: [
                control.shape, near.shape, far.shape, ControlForms.latency.shape, settle.shape,
            ])
    ) { read in
        let (control, near, far) = (read(Self.control), read(Self.near), read(Self.far))
        let (latency, settle) = (read(ControlForms.latency), read(Self.settle))
        guard let control, let near, let far, let latency else { return nil }
        guard near != far else {
            read.context.report(
                "empty-range", at: read.valueRange(Self.far),
                "`near` and `far` are the same code, so the lens would not move",
                hint: "leave `focus` out for a lens that does not move")
            return nil
        }
        return FocusModel(
            control: control, nearCode: near, farCode: far, latencyFrames: latency,
            settle: settle ?? .zero)
    }
}
