internal import ArgumentParser

/// `framelock check`: says everything that is wrong with a recipe, without running it.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a recipe against its rig and camera, without running it.")

    @OptionGroup var options: RecipeOptions
    @Flag(help: "Ask the attached camera, instead of planning with its profile alone.")
    var camera = false

    func run() throws {
        try Console.run {
            let planned = try PlannedRecipe(options, asksCamera: camera)
            if let warnings = planned.warnings { Console.say(warnings + "\n") }
            Console.output("\(options.recipe): good; \(planned.estimateText)")
        }
    }
}
