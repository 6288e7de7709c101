internal import Recipes
internal import Timebase

/// Looking ahead, on a copy of the cursor.
extension PlanCursor {
    /// How many operations are looked at for the next slot: a loop without captures must not take long.
    private static let operationsAhead = 64

    /// Advances to the next slot, if nothing but loops lies before it that start their rounds at once.
    ///
    /// - Returns: nil if there is none; the cursor is then somewhere before it.
    mutating func nextSlotAtOnce(in program: Span<Instruction>) -> PlanSlot? {
        var operationsLeft = Self.operationsAhead
        while operationsLeft > 0 {
            operationsLeft -= 1
            switch next(in: program) {
            case .slot(let slot): return slot
            case .roundStart(_, _, let every, _, _): if every > .zero { return nil }
            case .roundEnd, .group, .restore: break
            case .pulse, .wait, .waitForEdge, .end: return nil
            }
        }
        return nil
    }

    /// Whether settings that are put back here stay for a while.
    ///
    /// Not where a frame follows at once, whose own settings are written, nor where another operation puts settings
    /// back itself: an outer loop, or the end of the plan, where the camera is left with the settings of its last
    /// instruction.
    func restoresHere(in program: Span<Instruction>) -> Bool {
        var ahead = self
        if ahead.nextSlotAtOnce(in: program) != nil { return false }
        ahead = self
        while true {
            switch ahead.next(in: program) {
            case .restore, .end: return false
            case .roundEnd, .group: continue
            case .slot, .roundStart, .pulse, .wait, .waitForEdge: return true
            }
        }
    }
}
