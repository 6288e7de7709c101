internal import ArgumentParser
internal import Instrument
internal import Notation

/// `framelock plan`: shows what a recipe will do, slot by slot.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Shows what a recipe will do: slots with requested and quantised settings, time, bytes."
    )

    @OptionGroup var options: RecipeOptions
    @Flag(help: "Ask the attached camera, instead of planning with its profile alone.")
    var camera = false
    @Flag(help: "Print the plan as JSON.")
    var json = false
    @Option(help: ArgumentHelp("List at most so many slots.", valueName: "count"))
    var slots = 1_000

    func validate() throws {
        guard (0...10_000_000).contains(slots) else {
            throw ValidationError("--slots takes 0 to 10000000")
        }
    }

    func run() throws {
        try Console.run(asJSON: json) {
            let planned = try PlannedRecipe(options.request, asksCamera: camera)
            Console.say(planned.warningText)
            let listing = SlotListing(planned.plan, maximum: slots)
            try Console.output(
                json ? planned.json(listing).text(.pretty) : planned.text(listing))
        }
    }
}
