internal import Recipes

/// The lights of a plan's slots, asked for in the order of rows.
///
/// Part of ``PixelEvidence``.
struct SlotLights {
    private let program: [Instruction]
    private var cursor = PlanCursor()
    private var last: PlanSlot?

    init(_ plan: Plan) { program = plan.program }

    /// The lights of a slot, a bit for each line; nil for a slot that lies before the last one, or is none of the plan.
    mutating func of(slot: Int64) -> UInt32? {
        let program = program
        while (last?.number ?? -1) < slot {
            switch cursor.next(in: program.span) {
            case .slot(let slot): last = slot
            case .end: return nil
            default: continue
            }
        }
        return last?.number == slot ? last?.lights : nil
    }
}
