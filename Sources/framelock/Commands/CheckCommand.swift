internal import ArgumentParser
internal import Instrument
internal import Notation
internal import Records

/// `framelock check`: says everything that is wrong with a recipe, without running it.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a recipe against its rig and camera, without running it.")

    @OptionGroup var options: RecipeOptions
    @Flag(help: "Ask the attached camera, instead of planning with its profile alone.")
    var camera = false
    @Flag(help: "Print what was found and the estimate as JSON.")
    var json = false

    func run() throws {
        try Console.run(asJSON: json) {
            let planned: PlannedRecipe
            do {
                planned = try PlannedRecipe(options.request, asksCamera: camera)
                Console.say(planned.warningText)
            } catch let failure as Failure {
                if json, let list = failure.diagnostics {
                    try Console.output(report(list, nil).text(.pretty))
                }
                throw failure
            }
            try Console.output(
                json
                    ? report(planned.warnings, planned).text(.pretty)
                    : "\(options.recipe): good; \(planned.estimateText)")
        }
    }

    /// The diagnostics, and the estimate where there is a plan.
    private func report(_ found: DiagnosticList, _ planned: PlannedRecipe?) -> JSONValue {
        [
            "recipe": .string(options.recipe),
            "good": .bool(planned != nil),
            "diagnostics": found.jsonValue["diagnostics"] ?? [],
            "omitted": .integer(Int64(found.omittedCount)),
            "plan_sha256": planned.map { .string("\($0.plan.digest)") } ?? .null,
            "estimate": planned?.estimateJSON ?? .null,
        ]
    }
}
