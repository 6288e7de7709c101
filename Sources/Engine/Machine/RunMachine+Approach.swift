internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// A lens that is beyond its place, or on its way there; its own code follows when it has come to rest.
///
/// A lens with hysteresis rests elsewhere when it comes from the other side. Both moves are one write with one ticket.
struct LensApproach {
    /// The write whose last part is still to come.
    let write: SettingsWrite
    /// When the lens began to move.
    let begun: Instant<Monotonic>
    /// When its own code is written; `distantFuture` once that is ordered.
    var due: Instant<Monotonic>
}

extension RunMachine {
    /// Whether a write of these groups takes the lens beyond its place first.
    func approaches(_ settings: Int32, _ groups: ControlGroups) -> Bool {
        groups.has(.lens) && values.hasApproach(settings)
    }

    /// The first part of a write has returned: the lens is under way until the second one has, everything else is done.
    ///
    /// Only the lens waits: for all other groups the write is over, and frames may show it.
    mutating func beginApproach(
        _ write: SettingsWrite, _ begun: Instant<Monotonic>, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        timeline.endWrite(
            write.ticket, of: write.groups.subtracting(ControlGroups(.lens)), begun: begun,
            ended: now, succeeded: true)
        approach = LensApproach(
            write: write, begun: begun, due: now + timeline.delay(of: .lens).settle)
        actions.push(.readBack(write))
    }

    /// Orders the lens's own code once the lens has rested beyond its place.
    ///
    /// Called after every event; ``nextDeadline`` wakes the machine for it.
    mutating func advanceApproach(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let approach, now >= approach.due else { return }
        orderLastMove(&actions)
    }

    /// At the end of the run no frame is waited for: the lens goes where it was last sent, without a rest.
    ///
    /// - Parameter groups: what is written anyway; the lens among them makes its last move needless.
    mutating func cutApproach(_ groups: ControlGroups, _ actions: inout ActionQueue) {
        guard let approach, approach.due != .distantFuture else { return }
        if groups.has(.lens) { self.approach = nil } else { orderLastMove(&actions) }
    }

    /// Orders the lens alone, to its own code; nothing more is due then.
    private mutating func orderLastMove(_ actions: inout ActionQueue) {
        guard var write = approach?.write else { return }
        approach?.due = .distantFuture
        write.groups = ControlGroups(.lens)
        write.isApproach = false
        actions.push(.write(write))
    }

    /// The last move of an approach has been written, or refused.
    ///
    /// - Returns: when the lens began to move, so that no frame since then counts as undisturbed; nil if the write
    ///   belongs to no approach.
    mutating func endApproach(of write: SettingsWrite) -> Instant<Monotonic>? {
        guard let approach, approach.write.ticket == write.ticket else { return nil }
        self.approach = nil
        return approach.begun
    }
}
