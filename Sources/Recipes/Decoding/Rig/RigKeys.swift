import Devices
import Notation

/// The keys of a rig: tables of cameras, lines and clocks by the names that recipes use.
enum RigKeys {
    static let header = FileHeader.rig.key
    static let name = Key("name", Form<String>.recipeName, required: true, "The rig's name.")
    static let summary = Key("description", Form<String>.prose, "What the machine is.")
    static let cameras = Key(
        "cameras", Form<[Rig.Camera]>.table(of: camera),
        "The machine's cameras by the names of recipes.")
    static let lines = Key(
        "lines", lineTable, "The machine's digital lines by the names of recipes.")

    static let clocks = Key(
        "clocks", Form<[ClockNeed]>.table(of: ClockKeys.definition),
        "The machine's PTP hardware clocks by the names of recipes.")

    static let shape = MappingShape(
        "a rig", "One machine: its cameras, lines and clocks by name, for framelock.",
        keys: [
            header.shape, name.shape, summary.shape, cameras.shape, lines.shape, clocks.shape,
        ])

    // MARK: Cameras

    private static let id = Key(
        "id", cameraID, required: true, "Stable id, as `framelock devices` prints it.")
    private static let profile = Key(
        "profile", Form<String>.name.located,
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

    /// A stable id; a device file is refused as in recipes.
    ///
    /// Whether it is one of this machine's is not asked.
    private static let cameraID = Form<String>(Form<String>.text().shape) { node, context in
        CameraKeys.cameraName.read(node, context)?.value
    }

    // MARK: Lines

    /// Lines as whole definitions, kept as needs until ``RigDecoder`` has compared their places.
    private static let lineTable = Form<[LineNeed]>.table(
        of: NamedForm<LineNeed>(.mapping(LineKeys.definition)) { name, node, context in
            LineKeys.read(node, name: name, as: LineKeys.definition, context: context)
        })
}
