import Devices
import Notation

/// `gain` of a camera profile: the law between codes and linear gain, by which ISO is converted too.
enum GainKeys {
    /// The words of `law`; which other keys are needed follows from it.
    private enum Law: String, CaseIterable, Sendable {
        case linear, reciprocal, exponential, rational, table
    }

    private static let positive = Form<Int64>.integer(1...4_294_967_295)
    private static let constant = Form<Int64>.integer(-4_294_967_295...4_294_967_295)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let olderControl = Key(
        "older_control", ControlForms.control,
        "What other kernels call it: taken where an attached camera does not have `control`.")
    private static let law = Key(
        "law", Form<Law>.word, required: true,
        "`linear`: gain = code / unity; `reciprocal`: base / (base - code); `exponential`: a step in dB a code;"
            + " `rational`: (m0 code + c0) / (m1 code + c1); `table`: what was measured.")
    private static let unity = Key("unity", positive, "Code of gain 1, for a linear law.")
    private static let base = Key("base", positive, "Base of a reciprocal law.")
    /// In thousandths of a decibel for one code.
    private static let step = Key("step", .decibels, "Gain of one code, for an exponential law.")
    /// All four constants may be negative; together they must make a gain that grows with the code.
    private static let m0 = Key("m0", constant, "Factor above the line of a rational law.")
    private static let c0 = Key("c0", constant, "Constant above the line of a rational law.")
    private static let m1 = Key("m1", constant, "Factor below the line of a rational law.")
    private static let c1 = Key("c1", constant, "Constant below the line of a rational law.")
    /// Measured codes and gains, both ascending; takes the place of `codes`.
    private static let table = Key(
        "table", rowForm.list(count: 2...1_000), "Codes and the gains that were measured.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, "Codes that the control takes.")
    /// A convention of the profile: it makes ISO values of recipes comparable between cameras, and no more.
    private static let iso = Key(
        "iso_at_unity", Form<Int64>.integer(1...1_000_000), required: true,
        "The ISO value that a gain of 1 stands for.")

    static let form = Form<GainModel>.mapping(
        MappingShape(
            "a gain model", "Gain and the code that makes it.",
            keys: [
                control.shape, olderControl.shape, law.shape, unity.shape, base.shape, step.shape,
                m0.shape, c0.shape,
                m1.shape, c1.shape, table.shape, codes.shape, iso.shape,
                ControlForms.latency.shape,
            ],
            rules: [
                .exactlyOne([
                    ["unity"], ["base"], ["step"], ["m0", "c0", "m1", "c1"], ["table"],
                ]),
                .together(["m0", "c0", "m1", "c1"]), .atMostOne(["codes", "table"]),
            ])
    ) { read in
        let (control, codes, iso) = (read(Self.control), read(Self.codes), read(Self.iso))
        let latency = read(ControlForms.latency)
        guard let control, let (law, codes) = law(read, codes: codes), let iso, let latency
        else { return nil }
        var model = GainModel(
            control: control, law: law, codes: codes, isoAtUnity: iso,
            latencyFrames: latency.frames, latencyOrigin: latency.origin)
        model.olderControl = read(Self.olderControl)
        return model
    }

    /// The law with its codes; nil where something is missing or does not fit, which is reported.
    ///
    /// - Parameter codes: of the file; a table brings its own.
    private static func law(
        _ read: MappingReader, codes: CodeRange?
    ) -> (GainModel.Law, CodeRange)? {
        guard let word = read(Self.law) else { return nil }
        if word == .table { return table(read) }
        guard let codes else {
            if !read.has(Self.codes) { report(missing: "codes", for: word, read) }
            return nil
        }
        let law: GainModel.Law? =
            switch word {
            case .linear: value(unity, for: word, read).map { .linear(unity: $0) }
            case .reciprocal: reciprocal(read, codes)
            case .exponential: exponential(read, codes)
            case .rational: rational(read, codes)
            case .table: nil
            }
        return law.map { ($0, codes) }
    }

    /// `base / (base − code)`; the base has to be above the largest code, where the gain would have no end.
    private static func reciprocal(_ read: MappingReader, _ codes: CodeRange) -> GainModel.Law? {
        guard let base = value(base, for: .reciprocal, read) else { return nil }
        if base > codes.maximum { return .reciprocal(base: base) }
        read.context.report(
            "out-of-range", at: read.valueRange(Self.base),
            "the base must be above the largest code, \(codes.maximum): at the base the gain has no end"
        )
        return nil
    }

    /// `10^(code × step / 20 dB)`; more than 200 dB in all is refused, as nothing that a sensor has.
    private static func exponential(_ read: MappingReader, _ codes: CodeRange) -> GainModel.Law? {
        guard let step = value(step, for: .exponential, read) else { return nil }
        let (total, overflow) = step.multipliedReportingOverflow(by: codes.maximum)
        if !overflow, total <= 200_000 { return .exponential(stepMillidecibels: step) }
        read.context.report(
            "out-of-range", at: read.valueRange(Self.step),
            "\(codes.maximum) codes of this step are more than 200 dB, which no sensor has")
        return nil
    }

    /// `(m0 · code + c0) / (m1 · code + c1)`, libcamera's general form; refused where it does not grow from above zero.
    private static func rational(_ read: MappingReader, _ codes: CodeRange) -> GainModel.Law? {
        let keys = [m0, c0, m1, c1]
        guard keys.contains(where: { read.has($0) }) else {
            report(missing: "m0", for: .rational, read)
            return nil
        }
        // That the four belong together is a rule of the mapping.
        let values = keys.map { read($0) }
        guard let m0 = values[0], let c0 = values[1], let m1 = values[2], let c1 = values[3] else {
            return nil
        }
        let constants = RationalGain(m0: m0, c0: c0, m1: m1, c1: c1)
        if constants.grows(over: codes) { return .rational(constants) }
        read.context.report(
            "not-ascending", at: read.keyRange(Self.m0),
            "this gain does not grow from above zero over all codes from \(codes.minimum) to"
                + " \(codes.maximum)")
        return nil
    }

    /// What was measured, with the codes from the first row to the last.
    private static func table(_ read: MappingReader) -> (GainModel.Law, CodeRange)? {
        guard let rows = value(table, for: .table, read) else { return nil }
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy {
            $0.code < $1.code && $0.gain < $1.gain
        }
        guard let first = rows.first, let last = rows.last, isAscending else {
            read.context.report(
                "not-ascending", at: read.keyRange(Self.table),
                "codes and gains of `table` must both grow from row to row")
            return nil
        }
        return (.table(rows), CodeRange(first.code, last.code))
    }

    /// What a law needs; nil where it is missing, which is reported at `law`, or wrong, which is reported there.
    private static func value<Value>(
        _ key: Key<Value>, for law: Law, _ read: MappingReader
    ) -> Value? {
        guard read.has(key) else {
            report(missing: key.name, for: law, read)
            return nil
        }
        return read(key)
    }

    private static func report(missing key: String, for law: Law, _ read: MappingReader) {
        read.context.report(
            "missing-key", at: read.valueRange(Self.law), "a `\(law.rawValue)` law needs `\(key)`")
    }

    // MARK: Table

    private static let code = Key(
        "code", Form<Int64>.integer(0...4_294_967_295), required: true, "The code.")
    private static let gain = Key(
        "gain", Form<Gain>.gain, required: true, "The gain that it gives.")

    private static let rowForm = Form<MeasuredGain>.mapping(
        MappingShape(
            "a row of the table", "A code and the gain that was measured.",
            keys: [code.shape, gain.shape])
    ) { read in
        let (code, gain) = (read(Self.code), read(Self.gain))
        guard let code, let gain else { return nil }
        return .init(code: code, gain: gain)
    }
}
