internal import Recipes
internal import Timebase

/// The slot that waits for its frame, and which frames come too early for it; forgotten with its row.
struct PendingSlot {
    /// The slot.
    let slot: PlanSlot
    /// The frame's exposure must not have begun before this; `distantPast` for any frame.
    var notBefore: Instant<Monotonic>
    /// Of a triggered camera: the edge that its step waited for; nil if it takes the next one.
    let edge: UInt32?
    /// How often its frame was lost, frames in a row counting once.
    private var losses = 0
    /// The sequence of the frame at which the last loss was found.
    private var lastLoss: UInt32?

    init(slot: PlanSlot, notBefore: Instant<Monotonic>, edge: UInt32?) {
        (self.slot, self.notBefore, self.edge) = (slot, notBefore, edge)
    }

    /// What it is that a slot loses its frame.
    enum Loss { case another, sameGap, tooMany }

    /// So many losses end it: a camera whose frames all come damaged must not keep a run from ending.
    static let mostLosses = 16

    /// It has lost its frame, which was found at the frame with this sequence.
    mutating func lose(at sequence: UInt32) -> Loss {
        if lastLoss == sequence { return .sameGap }
        guard losses < Self.mostLosses else { return .tooMany }
        (losses, lastLoss) = (losses + 1, sequence)
        return .another
    }
}

/// The edge that the steps of a round belong to.
///
/// Rows of the slots below it have it as their edge.
struct ActiveTrigger {
    let line: Int32
    let lineSequence: UInt32
    let timestamp: Instant<Monotonic>
    /// How deep in loops the wait for it stood: it counts until that round ends.
    let depth: Int
}

/// What the engine waits for; whatever is not this is done at once.
enum WaitState {
    /// Nothing: the next operation can be taken.
    case nothing
    /// The stream has to start.
    case start
    /// A frame for the pending slot.
    case frame
    /// A time; the next exposure must not begin before it either.
    case until(Instant<Monotonic>)
    /// An edge, until a deadline; `distantFuture` to wait for ever.
    case edge(line: Int32, deadline: Instant<Monotonic>, step: Int32)
    /// The end of a pulse, whose output is on meanwhile.
    case pulse(line: Int32, until: Instant<Monotonic>)
    /// The end of the run: rows for the rest of the plan are being written.
    case draining
    /// The camera's settings are being put back, at the end of the run; then that is done.
    case restoring
    case restored
    /// What inputs see of the last switches of outputs, until a time at the latest.
    case sensing(until: Instant<Monotonic>)
    /// Nothing any more.
    case ended
}
