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
        lastFrameAt = now
        times.noteEmptyQueue(at: written)
        hasBegun = true
        external.noteWrite(0, of: .all, begun: written)
        triggers.armed = now
        triggers.matcher.arm(at: now)
        if !plan.settings.isEmpty { takeOver(written, applied) }
        actions.push(.log(.streamStarted, at: now))
        if !countsEdges { noteUncounted(now, &actions) }
        if ending == nil { waiting = .nothing }
    }

    /// Before the stream everything was written with the first settings, which may have moved the lens.
    ///
    /// Ticket 0: everything else that is written has a higher one.
    private mutating func takeOver(_ time: Instant<Monotonic>, _ applied: AppliedSettings) {
        let wanted = values[0]
        ControlGroups.all.forEach { group in
            guard wanted[group] != GroupValues.anything else { return }
            timeline.beginWrite(wanted[group], to: group, ticket: 0, at: time)
            written[group] = 0
        }
        timeline.endWrite(0, of: .all, begun: time, ended: time, succeeded: true)
        ControlGroups.all.forEach { timeline.noteReading(applied[$0], of: $0, ticket: 0) }
    }
}
