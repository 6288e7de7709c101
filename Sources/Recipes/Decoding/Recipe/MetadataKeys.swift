import Notation

/// The keys of `metadata`: what is found beside the pictures and changes nothing of the run.
enum MetadataKeys {
    private static let sample = Key("sample", Form<String>.text(), "What is in the picture.")
    private static let `operator` = Key(
        "operator", Form<String>.text(), "Who is responsible for the run.")
    private static let objective = Key(
        "objective", Form<String>.text(), "The lens or microscope objective, for example `10x/0.3`."
    )
    private static let pixelSize = Key(
        "pixel_size", Form<PixelSize>.pixelSize,
        "How large a pixel is at the sample, for example `0.65 um`: the scale of the pictures.")
    private static let notes = Key(
        "notes", Form<[RunMetadata.Note]>.table(of: note),
        "Anything else by names of your own: texts, numbers, `true` or `false`; in quotes all are texts."
    )

    private static let note = NamedForm<RunMetadata.Note>(
        .either([.scalar(.note), .scalar(.noteNumber), .scalar(.boolean)])
    ) { name, node, context in
        guard let scalar = context.scalar(node, wanted: ScalarShape.note.noun) else { return nil }
        return value(scalar, context).map { RunMetadata.Note(name: name.value, value: $0) }
    }

    /// A plain scalar is what it looks like in JSON; a quoted one, and any other, is a text.
    ///
    /// What a parameter stands for counts as plain, since `--set` knows no quotes.
    private static func value(_ scalar: ResolvedScalar, _ context: DecodingContext) -> JSONValue? {
        let isPlain = scalar.parameter != nil || scalar.node.scalar?.isPlain == true
        switch scalar.text {
        case "true" where isPlain: return .bool(true)
        case "false" where isPlain: return .bool(false)
        default: break
        }
        if isPlain, let number = number(scalar.text) { return number }
        return Form<String>.text().read(scalar.node, context).map { .string($0) }
    }

    /// A decimal that every program reads exactly, of 15 digits at most; other numbers are texts.
    private static func number(_ text: String) -> JSONValue? {
        let digits = text.utf8.count { (48...57).contains($0) }
        guard digits <= 15, text.utf8.allSatisfy({ $0 < 58 }) else { return nil }
        return JSONValue.number(text)
    }

    static let form = Form<RunMetadata>.mapping(
        MappingShape(
            "metadata", "What is found beside the pictures of a run and changes nothing of it.",
            keys: [
                sample.shape, `operator`.shape, objective.shape, pixelSize.shape, notes.shape,
            ])
    ) { read in
        var metadata = RunMetadata()
        metadata.sample = read(sample)
        metadata.operator = read(`operator`)
        metadata.objective = read(objective)
        metadata.pixelSize = read(pixelSize)
        // As in canonical JSON, so that plans don't depend on the order of the recipe.
        metadata.notes = (read(notes) ?? []).sorted { $0.name < $1.name }
        return metadata
    }
}

extension ScalarShape {
    fileprivate static let note = ScalarShape(
        "note", "a text, a number, `true` or `false`", .text(pattern: nil), "A text.")
    fileprivate static let noteNumber = ScalarShape.number(
        "note_number", "A number of 15 digits at most.", from: "-999999999999999",
        to: "999999999999999")
    fileprivate static let pixelSize = ScalarShape(
        "pixel_size", "a length", .text(pattern: "^[0-9]+(\\.[0-9]+)? ?(nm|[uµμ]m|mm|m)$"),
        "A length in whole picometres, for example `0.65 um`.")
}

extension Form where Value == PixelSize {
    fileprivate static let pixelSize = Form<Int64>.scalar(
        .pixelSize, limits: "1 nm to 1 m", isTaken: { (1_000...1_000_000_000_000).contains($0) },
        parse: Quantity.picometres
    ).map { PixelSize(picometres: $0) }
}

extension Quantity {
    private static let length = QuantityKind(
        "a length", example: "0.65 um", units: ["nm", "um", "mm", "m"],
        aliases: [("micron", "um"), ("microns", "um")])

    /// Reads a length in whole picometres: `0.65 um` is 650,000.
    fileprivate static func picometres(_ text: String) throws(QuantityProblem) -> Int64 {
        let units: [(name: String, picometres: UInt128)] = [
            ("nm", 1_000), ("um", 1_000_000), ("\u{B5}m", 1_000_000), ("\u{3BC}m", 1_000_000),
            ("mm", 1_000_000_000), ("m", 1_000_000_000_000),
        ]
        var scanner = QuantityScanner(text, length)
        let number = try scanner.number()
        let unit = units[try scanner.unit(units.map(\.name))].picometres
        return try scanner.parts(number, unit, named: "picometres")
    }
}
