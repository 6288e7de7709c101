internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Writes the next row of what is left of the plan, or the end.
    ///
    /// Slots that had no turn are one row. Rounds of an endless loop that have not begun are not planned, and in none.
    ///
    /// One row at a call, since ``proceed(_:_:)`` looks at the room for actions in between. First outputs go off, then
    /// the frames that were kept are recorded, then edges and slots are written off.
    mutating func drainNext(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if !isDark { switchOff(now, &actions) }
        closeGroup(now, &actions)
        if drainTriggers(now, &actions) { return }
        let reason = restReason
        if let slot = pending?.slot {
            // Before the slot is forgotten, with the edge that it waited for.
            let row = hole(slot, reason)
            pending = nil
            actions.push(.recordHole(row))
            return
        }
        trigger = nil
        guard ending != .completed, !cursor.isInsideEndlessLoop(of: plan.program.span) else {
            finish(now, &actions)
            return
        }
        switch nextOperation() {
        case .slot(let slot):
            var row = hole(slot, reason)
            row.lastSlot = numberedSlots - 1
            actions.push(.recordHole(row))
            cursor.skipAll(of: plan.program.count)
        case .roundStart(_, _, _, let isEndless, _) where isEndless: finish(now, &actions)
        case .end: finish(now, &actions)
        default: break
        }
    }

    /// Switches off what is on: writing the rest of the rows may take a while.
    private mutating func switchOff(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        isDark = true
        lights.cancel(now, &actions)
        if let litByPulse {
            actions.push(.setOutput(line: litByPulse, active: false, planned: now))
        }
    }

    /// Why slots that had no turn are holes.
    private var restReason: HoleReason {
        switch ending {
        case .interrupted, .completed, nil: .interrupted
        case .deviceLost: .deviceLost
        case .streamStalled: .streamStalled
        case .storageFailed: .storageFailed
        case .settingsRefused: .settingsRefused
        case .triggerTimeout: .triggerTimeout
        }
    }

    /// Until when the end of the plan waits for frames that nobody wants, once: where the last one of a raw sensor was
    /// complete so late that it may show a later picture, only the frame behind it decides that.
    ///
    /// - Returns: nil if it does not wait.
    mutating func waitBehindLateFrame(_ now: Instant<Monotonic>) -> Instant<Monotonic>? {
        guard !hasWaitedAtEnd, plan.camera.profile.sensor != nil, !triggers.isOn,
            let last = clock.last, let period = clock.period
        else { return nil }
        hasWaitedAtEnd = true
        let readout = plan.camera.profile.timestamps.readout ?? .zero
        guard lastFrameAt - last.timestamp > readout + last.delay + period / 2 else { return nil }
        return now + period * 4
    }

    /// Restores the camera's settings where the plan asks for it, then ends.
    ///
    /// Called again after the settings were written. The reports that are still open are logged before the stream's
    /// end.
    mutating func finish(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if restore(now, &actions) { return }
        reports.flushSkipped(now, &actions)
        endSensing(now, &actions)
        reports.flushDoubts(now, &actions)
        actions.push(.log(.streamStopped, at: now))
        actions.push(.finish(ending ?? .completed))
        waiting = .ended
    }

    /// Nothing is written to a camera that is gone or stands still.
    ///
    /// - Returns: whether something has to be written first.
    private mutating func restore(
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool {
        guard hasBegun else { return false }
        let settings = settingsToLeave
        settingsToLeave = nil
        switch ending {
        case .deviceLost, .streamStalled:
            approach = nil
            return false
        default: break
        }
        let groups = settings.map { differing(from: $0) } ?? []
        cutApproach(groups, &actions)
        if let settings, !groups.isEmpty {
            write(settings, groups, slot: -1, isStraight: true, now, &actions)
        }
        guard !groups.isEmpty || approach != nil else { return false }
        waiting = .restoring
        return true
    }
}
