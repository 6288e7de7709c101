internal import ArgumentParser
internal import Instrument
internal import Notation

/// `framelock plan`: shows what a recipe will do, slot by slot.
///
/// What is printed as quantised is what the device will really have: codes turned back into durations and gains.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Shows what a recipe will do: slots with requested and quantised settings, time, bytes.",
        discussion: """
            A setting is shown as asked for, and behind an arrow as the camera will have it where that differs. \
            `about at` is when the slot's frame is due, from the start of the stream; with a plus, an edge is waited \
            for first, and that takes as long as it takes. Slots that differ in nothing but their time share a row.
            """)

    /// Opens the attached camera, and puts it back as it was found; formats, ranges and a sensor's timing are then its
    /// own.
    @OptionGroup var options: RecipeOptions
    @Flag(help: "Ask the attached camera, instead of planning with its profile alone.")
    var camera = false
    @Flag(help: "Print the plan as JSON.")
    var json = false
    /// The most slots to list, 0 to 10,000,000; the plan itself is always whole in the JSON.
    @Option(help: ArgumentHelp("List at most so many slots.", valueName: "count"))
    var slots = 1_000

    func validate() throws {
        guard (0...10_000_000).contains(slots) else {
            throw ValidationError("--slots takes 0 to 10000000")
        }
    }

    /// Prints the plan; warnings of the recipe go to standard error before it.
    func run() throws {
        try Console.run(asJSON: json) {
            let planned = try PlannedRecipe(options.request, asksCamera: camera)
            Console.say(planned.warningText)
            planned.warnOfDisk()
            let listing = SlotListing(planned.plan, maximum: slots)
            try Console.output(
                json ? planned.json(listing).text(.pretty) : planned.text(listing))
        }
    }
}
