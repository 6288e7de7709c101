internal import ArgumentParser
internal import Instrument

/// What a command is told of the machine that a recipe is for.
struct MachineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The rig: this machine's cameras and lines by name (default: /etc/framelock/rig.yaml, if it is there).",
            valueName: "file"))
    /// The rig's path; nil for the machine's own, where there is one.
    var rig: String?

    @Option(
        help: ArgumentHelp(
            "The camera profile, by name or file, instead of the recipe's or the rig's.",
            valueName: "name"))
    /// A name for the library, or a path (anything with a slash); nil for the recipe's, the rig's or the one that fits.
    var profile: String?

    @Option(
        help: ArgumentHelp("A folder with camera profiles, searched first.", valueName: "folder"))
    /// Searched before the folder of `FRAMELOCK_PROFILES` and the installed ones.
    var profiles: String?

    /// A recipe for this machine; nothing is opened or read for it.
    func request(_ recipe: String, _ overrides: [String]) -> RecipeRequest {
        var request = RecipeRequest(recipe)
        request.overrides = overrides
        (request.rig, request.profile, request.profiles) = (rig, profile, profiles)
        return request
    }
}
