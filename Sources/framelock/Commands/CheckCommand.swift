internal import ArgumentParser
internal import Instrument
internal import Notation
internal import Records

/// `framelock check`: prints everything that is wrong with a recipe, without running it.
///
/// Exit code 0 if it can be run, 65 if something is wrong with it. Warnings do not change the code.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a recipe against its rig and camera, without running it.")

    /// Opens the attached camera, and puts it back as it was found; without it nothing is touched.
    @OptionGroup var options: RecipeOptions
    @Flag(help: "Ask the attached camera, instead of planning with its profile alone.")
    var camera = false
    /// Standard output gets one object, whether the recipe is good or not.
    @Flag(help: "Print what was found and the estimate as JSON.")
    var json = false

    /// Compiles the plan and throws it away.
    ///
    /// With `--json` the diagnostics are printed before the failure is thrown on: ``Console/run(asJSON:_:)`` then adds
    /// no second object.
    func run() throws {
        try Console.run(asJSON: json) {
            let planned: PlannedRecipe
            do {
                planned = try PlannedRecipe(options.request, asksCamera: camera)
                Console.say(planned.warningText)
                planned.warnOfDisk()
            } catch let failure as Failure {
                if json, let list = failure.diagnostics {
                    try Console.output(report(list, nil).text(.pretty))
                }
                throw failure
            }
            try Console.output(
                json
                    ? report(planned.warnings, planned).text(.pretty)
                    : "\(options.recipe): good; \(planned.estimateText); \(planned.diskText); \(planned.lossText)"
            )
        }
    }

    /// The diagnostics, and the estimate where there is a plan.
    ///
    /// - Parameter planned: nil for a recipe that has no plan; `good` is false then.
    private func report(_ found: DiagnosticList, _ planned: PlannedRecipe?) -> JSONValue {
        [
            "recipe": .string(options.recipe),
            "good": .bool(planned != nil),
            "diagnostics": found.jsonValue["diagnostics"] ?? [],
            "omitted": .integer(Int64(found.omittedCount)),
            "plan_sha256": planned.map { .string("\($0.plan.digest)") } ?? .null,
            "estimate": planned?.estimateJSON ?? .null,
            "disk": planned?.diskJSON ?? .null,
        ]
    }
}
