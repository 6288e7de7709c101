internal import Devices
internal import Timebase

/// A lens that is beyond its place, or on its way there; its own code follows when it has come to rest.
///
/// A lens with hysteresis rests elsewhere when it comes from the other side. Both moves are one write with one ticket.
struct LensApproach {
    /// The write whose last part is still to come.
    let write: SettingsWrite
    /// When the lens began to move.
    let begun: Instant<Monotonic>
    /// When its own code is written; `distantFuture` once that is ordered.
    private(set) var due: Instant<Monotonic>

    init(_ write: SettingsWrite, begun: Instant<Monotonic>, due: Instant<Monotonic>) {
        (self.write, self.begun, self.due) = (write, begun, due)
    }

    /// The lens alone, to its own code; nil if that is ordered already.
    mutating func takeLastMove() -> SettingsWrite? {
        guard due != .distantFuture else { return nil }
        due = .distantFuture
        return SettingsWrite(
            ticket: write.ticket, settings: write.settings, groups: ControlGroups(.lens),
            slot: write.slot)
    }
}
