internal import ArgumentParser
internal import Instrument

/// What every command that reads a recipe takes.
///
/// `check`, `plan`, `run` and `simulate` share it, so that a recipe is found and understood alike by all of them.
struct RecipeOptions: ParsableArguments {
    /// The recipe's path as it was typed; diagnostics name the file by it.
    @Argument(help: "The recipe (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var recipe: String

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Gives a parameter of the recipe its value.", valueName: "NAME=VALUE"))
    /// Each `NAME=VALUE`, as often as there are parameters to set.
    ///
    /// Diagnostics about one show it as a line of its own.
    var overrides: [String] = []

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

    /// What the options mean to the library; nothing is opened or read for it.
    var request: RecipeRequest {
        var request = RecipeRequest(recipe)
        request.overrides = overrides
        (request.rig, request.profile, request.profiles) = (rig, profile, profiles)
        return request
    }
}
