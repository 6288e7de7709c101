internal import Devices
public import Notation

/// Which camera a recipe means on one machine.
///
/// Made after decoding and before the plan: a recipe has a name, a rig states which device that is, and a profile is
/// then found for the device. Where recipe and rig both state something, the recipe counts.
public struct CameraChoice: Hashable, Sendable {
    /// `simulated`, or the stable id of a device.
    public var id: String
    /// Name of the profile, where recipe or rig give one; nil leaves it to whoever looks for one that fits.
    public var profile: String?
    /// Input of the device, where recipe or rig give one; nil for the one that is selected.
    public var input: String?

    /// Whether it is the camera that needs no hardware, whose lines and clocks need none either.
    var isSimulated: Bool { id == CameraIdentity.simulatedID }

    /// Looks up what `camera: {use: …}` names: a camera of the rig, else `simulated`, else a stable id (which has a
    /// colon).
    ///
    /// The rig comes first, so that a machine can have a camera of the name `simulated`. Whether a device of that id is
    /// attached is not asked here.
    ///
    /// - Parameters:
    ///   - need: the recipe's `camera`.
    ///   - rig: the machine; nil where none is named and none is installed.
    ///   - file: the recipe's name, for the diagnostic.
    /// - Throws: a diagnostic `unknown-camera` at the name, with the nearest camera of the rig.
    public init(_ need: CameraNeed, rig: Rig?, in file: String) throws(DiagnosticList) {
        let name = need.use.value
        if let camera = rig?.camera(named: name) {
            id = camera.id
            profile = need.profile?.value ?? camera.profile?.value
            input = need.input?.value ?? camera.input
        } else if name == CameraIdentity.simulatedID || name.contains(":")
            || name.hasPrefix("/dev/")
        {
            id = name
            profile = need.profile?.value
            input = need.input?.value
        } else {
            let names = rig?.cameras.map(\.name) ?? []
            let place = rig.map { "rig `\($0.name)` (\($0.source.name))" }
            throw DiagnosticList(
                Diagnostic(
                    "unknown-camera", at: need.use.range, in: file,
                    place.map { "\($0) has no camera `\(name)`" }
                        ?? "no rig is given, so there is no camera `\(name)`",
                    hint: nearestWord(to: name, in: names).map { "did you mean `\($0)`?" }
                        ?? (rig == nil
                            ? "name a rig with --rig FILE (hardware/rigs/simulated.yaml needs no"
                                + " hardware), or use `simulated` or a stable id as `framelock devices`"
                                + " prints it"
                            : names.isEmpty
                                ? "it has no cameras: add one under `cameras`"
                                : "its cameras are \(names.joined(separator: ", "))")))
        }
    }
}
