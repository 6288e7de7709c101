internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

extension RunMachine {
    /// The row of a frame.
    func row(
        _ slot: PlanSlot, _ frame: DequeuedFrame, _ candidate: StreamFrame
    ) -> LedgerRow {
        let applied = foreign.overlaid(on: applied)
        let duration = foreign.exposure.isHidden ? nil : applied.exposure ?? exposure(of: slot)
        let window = readoutStart(of: candidate).flatMap {
            exposureWindow(duration, $0)
        }
        let reference = trigger.map { trigger in
            TriggerReference(
                line: trigger.line, lineSequence: trigger.lineSequence,
                delay: window.map { $0.centre.start - trigger.timestamp }, outcome: .matched)
        }
        return LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings,
            deviceSequence: frame.sequence, rawTimestamp: stamps.raw, stampClock: stamps.clock,
            exposureTime: window?.onSession(session), applied: applied, trigger: reference,
            cameraTicks: stamps.cameraTicks)
    }

    /// The row of a hole.
    func hole(
        _ slot: PlanSlot, _ reason: HoleReason, missingEdge: Int32? = nil
    ) -> LedgerRow {
        var row = LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings, reason: reason)
        if let missingEdge {
            row.trigger = TriggerReference(
                line: missingEdge, lineSequence: 0, delay: nil, outcome: .edgeMissing)
        } else if let trigger {
            row.trigger = TriggerReference(
                line: trigger.line, lineSequence: trigger.lineSequence, delay: nil,
                outcome: .frameMissing)
        }
        return row
    }

    /// Counts a frame that no slot takes; runs of the same kind become one event.
    mutating func skip(
        _ sequence: UInt32, _ why: SkipReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if skipped.count > 0, skipped.why != why { flushSkipped(now, &actions) }
        if skipped.count == 0 { skipped = (0, sequence, why) }
        skipped.count += 1
    }

    /// Writes down the frames that were skipped so far.
    mutating func flushSkipped(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard skipped.count > 0 else { return }
        actions.push(
            .log(
                .framesSkipped(count: skipped.count, from: skipped.from, why: skipped.why), at: now)
        )
        skipped.count = 0
    }
}
