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
        // Writing the rest of the rows may take a while.
        lights.cancel(now, &actions)
        sequencer.endPulse(now, &actions)
        groups.close(now, &actions)
        if drainTriggers(now, &actions) { return }
        if let pending = sequencer.pending {
            // Before the slot is forgotten, with the edge that it waited for.
            let row = hole(pending.slot, restReason)
            sequencer.dropSlot()
            actions.push(.recordHole(row))
            return
        }
        switch sequencer.drain() {
        case .more: break
        case .nothing: finish(now, &actions)
        case .slots(let slot):
            var row = hole(slot, restReason)
            row.lastSlot = shared.numberedSlots - 1
            actions.push(.recordHole(row))
        }
    }

    /// Why slots that had no turn are holes.
    private var restReason: HoleReason {
        switch sequencer.ending {
        case .interrupted, .completed, .cut, nil: .interrupted
        case .deviceLost: .deviceLost
        case .streamStalled: .streamStalled
        case .storageFailed: .storageFailed
        case .settingsRefused: .settingsRefused
        case .triggerTimeout: .triggerTimeout
        }
    }

    /// Until when the end of the plan waits for frames that nobody wants: where the last one of a raw sensor was
    /// complete so late that it may show a later picture, only the frame behind it decides that.
    ///
    /// - Returns: nil if it does not wait.
    func waitBehindLateFrame(_ now: Instant<Monotonic>) -> Instant<Monotonic>? {
        guard shared.plan.camera.profile.sensor != nil, !triggers.isOn, let last = clock.last,
            let period = clock.period
        else { return nil }
        let readout = shared.plan.camera.profile.timestamps.readout ?? .zero
        guard times.lastTakenAt - last.timestamp > readout + last.delay + period / 2 else {
            return nil
        }
        return now + period * 4
    }

    /// Restores the camera's settings where the plan asks for it, then ends.
    ///
    /// Called again after the settings were written. The reports that are still open are logged before the stream's
    /// end.
    mutating func finish(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if restore(now, &actions) || waitForInputs(now) { return }
        reporter.flushSkipped(now, &actions)
        endSensing(now, &actions)
        reporter.flushDoubts(now, &actions)
        actions.push(.log(.streamStopped, at: now))
        actions.push(.finish(sequencer.ending ?? .completed))
        sequencer.stop()
    }

    /// Nothing is written to a camera that is gone or stands still.
    ///
    /// - Returns: whether something has to be written first.
    private mutating func restore(
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool {
        switch sequencer.ending {
        case .deviceLost, .streamStalled:
            planner.giveUp()
            return false
        default: break
        }
        let (lens, settings) = planner.leave(now, &timeline)
        if let lens { actions.push(.write(lens)) }
        if let settings { order(settings, &actions) }
        guard settings != nil || planner.isApproaching else { return false }
        sequencer.goOn(with: .restoring)
        return true
    }
}
