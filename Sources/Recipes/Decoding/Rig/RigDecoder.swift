import Lines
public import Notation
import Timebase

/// Reads rigs: which cameras and lines a machine has.
public enum RigDecoder {
    /// Reads a rig.
    ///
    /// - Throws: all independent errors of the file, sorted by position.
    public static func decode(_ source: SourceFile) throws(DiagnosticList) -> Rig {
        let root = try YAMLReader.read(source)
        let context = DecodingContext(source)
        guard FileHeader.rig.check(root, context: context) else {
            throw DiagnosticList(context.diagnostics)
        }
        let rig = rig(root, context)
        guard let rig, context.diagnostics.isEmpty else {
            precondition(!context.diagnostics.isEmpty, "a rig that can't be read has a reason")
            throw DiagnosticList(context.diagnostics)
        }
        return rig
    }

    private static func rig(_ root: YAMLNode, _ context: DecodingContext) -> Rig? {
        guard let read = MappingReader(root, as: RigKeys.shape, context: context) else {
            return nil
        }
        _ = read(RigKeys.summary)
        let (name, cameras) = (read(RigKeys.name), read(RigKeys.cameras))
        let lines = read(RigKeys.lines)
        refuseSharedPlaces(lines ?? [], context: context)
        return name.map {
            Rig(
                name: $0, source: context.source, cameras: cameras ?? [],
                lines: (lines ?? []).compactMap(request))
        }
    }

    /// Two names for one line would make two owners of it.
    private static func refuseSharedPlaces(_ lines: [LineNeed], context: DecodingContext) {
        for (index, line) in lines.enumerated() {
            guard let place = line.place else { continue }
            let first = lines[..<index].first {
                $0.place?.chip.value == place.chip.value
                    && $0.place?.position.value == place.position.value
            }
            guard let first else { continue }
            context.report(
                "shared-line", at: place.position.range,
                "`\(line.name.value)` and `\(first.name.value)` are the same line of the same chip",
                notes: [context.note("`\(first.name.value)` is here", at: first.name.range)],
                hint: "check the wiring; a line can have one name")
        }
    }

    private static func request(_ line: LineNeed) -> LineRequest? {
        guard let place = line.place, let direction = line.direction else { return nil }
        return LineRequest(
            name: line.name.value, chip: place.chip.value, position: place.position.value,
            direction: direction.value, edge: line.edge?.value ?? .rising,
            bias: line.bias?.value ?? .asIs, isActiveLow: line.isActiveLow?.value ?? false,
            debounce: line.debounce?.value ?? .zero)
    }
}

/// The keys of a rig.
enum RigKeys {
    static let header = FileHeader.rig.key
    static let name = Key("name", Form<String>.recipeName, required: true, "The rig's name.")
    static let summary = Key("description", Form<String>.prose, "What the machine is.")
    static let cameras = Key(
        "cameras", Form<[Rig.Camera]>.table(of: camera),
        "The machine's cameras by the names of recipes.")
    static let lines = Key(
        "lines", lineTable, "The machine's digital lines by the names of recipes.")

    static let shape = MappingShape(
        "a rig", "One machine: its cameras and lines by name, for framelock.",
        keys: [header.shape, name.shape, summary.shape, cameras.shape, lines.shape])

    // MARK: Cameras

    private static let id = Key(
        "id", cameraID, required: true, "Stable id, as `framelock devices` prints it.")
    private static let profile = Key(
        "profile", Form<String>.name,
        "Name of the camera profile; left out, the one that fits the driver.")
    private static let input = Key(
        "input", Form<String>.text(), "Input of a device with several, for example `HDMI 000-0`.")

    private static let cameraShape = MappingShape(
        "a camera", "A camera of the machine.", keys: [id.shape, profile.shape, input.shape])

    private static let camera = NamedForm<Rig.Camera>(.mapping(cameraShape)) {
        name, node, context in
        guard let read = MappingReader(node, as: cameraShape, context: context) else { return nil }
        let (profile, input) = (read(Self.profile), read(Self.input))
        return read(id).map { Rig.Camera(name: name.value, id: $0, profile: profile, input: input) }
    }

    private static let cameraID = Form<String>(Form<String>.text().shape) { node, context in
        CameraKeys.cameraName.read(node, context)?.value
    }

    // MARK: Lines

    private static let lineTable = Form<[LineNeed]>.table(
        of: NamedForm<LineNeed>(.mapping(LineKeys.definition)) { name, node, context in
            LineKeys.read(node, name: name, as: LineKeys.definition, context: context)
        })
}
