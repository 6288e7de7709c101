internal import Cameras
internal import Lines
internal import Recipes

/// What rows and events point at by index: the plan's steps, lines and settings, from the plan itself or from what
/// was read back of one.
struct RunNames {
    let steps: [String]
    let lines: [String]
    let requested: [FrameSettings]
    let quantised: [FrameSettings]
    let program: [Instruction]

    init(_ plan: Plan) {
        steps = plan.steps
        lines = plan.lines.map(\.name)
        requested = plan.settings.map(\.requested)
        quantised = plan.settings.map(\.quantised)
        program = plan.program
    }

    init(_ outline: PlanOutline) {
        steps = outline.steps
        lines = outline.lines
        requested = outline.settings.map(\.requested)
        quantised = outline.settings.map(\.quantised)
        program = outline.program
    }

    /// Whether the program has a loop that never ends.
    var isEndless: Bool {
        program.contains { instruction in
            if case .loop(let count, _, _, _) = instruction { count < 0 } else { false }
        }
    }
}
