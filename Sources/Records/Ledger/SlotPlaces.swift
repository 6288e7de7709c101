internal import Recipes

/// Where a slot stands in its plan, beside its step: what is on, and which rounds it is in.
public struct SlotPlace: Hashable, Sendable {
    /// The outputs that are active during its exposure; bit n is line n of the plan.
    public var lights: UInt32
    /// The rounds of the loops around it, from 0, the outermost first; empty outside of loops.
    public var rounds: [Int64]

    /// Creates a place; outside of loops and without lights where nothing is given.
    public init(lights: UInt32 = 0, rounds: [Int64] = []) {
        self.lights = lights
        self.rounds = rounds
    }

    /// The rounds with spaces between them, as the ledger writes them; empty outside of loops.
    package var roundsText: String { rounds.map(String.init).joined(separator: " ") }
}

/// The places of a plan's slots, asked for in the order of rows.
struct SlotPlaces {
    private let program: [Instruction]
    private var cursor = PlanCursor()
    private var last: (slot: Int64, lights: UInt32)?

    init(_ program: [Instruction]) { self.program = program }

    /// The place of a slot; nil for a slot that lies before the last one, or is none of the plan.
    mutating func of(slot: Int64) -> SlotPlace? {
        lights(of: slot).map { SlotPlace(lights: $0, rounds: cursor.rounds) }
    }

    /// The lights of a slot alone, which allocates nothing; nil as with ``of(slot:)``.
    mutating func lights(of slot: Int64) -> UInt32? {
        let program = program
        while (last?.slot ?? -1) < slot {
            switch cursor.next(in: program.span) {
            case .slot(let slot): last = (slot.number, slot.lights)
            case .end: return nil
            default: continue
            }
        }
        return last?.slot == slot ? last?.lights : nil
    }
}
