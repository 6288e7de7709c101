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

    @OptionGroup var machine: MachineOptions

    /// What the options mean to the library; nothing is opened or read for it.
    var request: RecipeRequest {
        machine.request(recipe, overrides)
    }
}
