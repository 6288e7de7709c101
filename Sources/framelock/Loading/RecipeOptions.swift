internal import ArgumentParser
internal import Instrument

/// What every command that reads a recipe takes.
struct RecipeOptions: ParsableArguments {
    @Argument(help: "The recipe (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var recipe: String

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Gives a parameter of the recipe its value.", valueName: "NAME=VALUE"))
    var overrides: [String] = []

    @Option(
        help: ArgumentHelp(
            "The rig: this machine's cameras and lines by name (default: /etc/framelock/rig.yaml, if it is there).",
            valueName: "file"))
    var rig: String?

    @Option(
        help: ArgumentHelp(
            "The camera profile, by name or file, instead of the recipe's or the rig's.",
            valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp("A folder with camera profiles, searched first.", valueName: "folder"))
    var profiles: String?

    /// What they mean.
    var request: RecipeRequest {
        var request = RecipeRequest(recipe)
        request.overrides = overrides
        (request.rig, request.profile, request.profiles) = (rig, profile, profiles)
        return request
    }
}
