internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// The stream has started.
    ///
    /// - Parameters:
    ///   - written: when the first settings had all been written.
    ///   - applied: what the device had of them.
    ///   - now: when the stream had started; a triggered camera takes edges from here on.
    mutating func begin(
        _ written: Instant<Monotonic>, _ applied: AppliedSettings, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        times.start(written, now)
        external.noteWrite(0, of: .all, begun: written, ended: written)
        triggers.arm(at: now)
        planner.takeOver(applied, writtenAt: written, &timeline)
        actions.push(.log(.streamStarted, at: now))
        if !triggers.countsEdges { noteUncounted(now, &actions) }
        sequencer.start()
    }
}
