internal import Recipes
internal import Timebase

/// The slot that waits for its frame, and what that frame must satisfy; forgotten with its row.
struct PendingSlot {
    /// The slot.
    let slot: PlanSlot
    /// The frame's exposure must not have begun before this.
    var notBefore: Instant<Monotonic>
    /// With lights: the timestamp of the frame that they are planned for; nil until they are.
    ///
    /// A timestamp and not a number: the sequence does not count frames that are lost inside the camera.
    var litFrame: Instant<Monotonic>?
    /// Frames that passed since their lights were not on, or not for long enough.
    var unlitFrames = 0
    /// The camera refused the settings: the slot ends as a hole.
    var isRefused = false
    /// Its frame passed once: nothing is written for later slots before it has another.
    var isAlone = false
    /// What was written up to this ticket must have gone by; −1 for nothing.
    ///
    /// Else what was written ahead for the attempt of a group before would show in the middle of this one, and what was
    /// written again for a slot that got its frame before that could show, in the middle of the next capture.
    var settlesAfter: Int64 = -1
    /// Of a triggered camera: the edge that its step waited for; nil if it takes the next one.
    var edge: UInt32?
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

/// A round that is left out because its edge did not come; outside loops, the rest of the sequence.
struct LeftRound {
    let depth: Int
    let line: Int32
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
    /// Nothing any more.
    case ended
}
