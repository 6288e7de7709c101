internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

// Rows of the ledger, as the capture thread makes them.
extension RunMachine {
    /// The row of a frame.
    ///
    /// Where no edge is given it is that of the round, if its steps wait for one. The delay is from the edge's
    /// timestamp to the start of the exposure.
    ///
    /// - Parameters:
    ///   - reference: the edge of a triggered camera's frame.
    ///   - edge: when that came.
    mutating func row(
        _ slot: PlanSlot, _ frame: ArrivedFrame,
        triggeredBy reference: TriggerReference? = nil, at edge: Instant<Monotonic>? = nil
    ) -> LedgerRow {
        let applied = shown(by: frame)
        // Where lines take another time than the registers state, so do the rows up to the centre.
        let readout =
            external.leavesUnknown(.exposure)
            ? nil
            : readoutStart(of: frame).map { bounded($0, by: reference, at: edge, applied) }
        let window = readout.flatMap { exposureWindow(knownExposure(applied), $0) }
        var reference =
            reference
            ?? sequencer.trigger.map { trigger in
                TriggerReference(
                    line: trigger.line, lineSequence: trigger.lineSequence, delay: nil,
                    outcome: .matched)
            }
        if let time = edge ?? sequencer.trigger?.timestamp {
            reference?.delay = window.map { $0.centre.start - time }
        }
        var row = LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings,
            deviceSequence: frame.sequence, rawTimestamp: frame.timestamps.raw,
            timestampClock: frame.timestamps.clock,
            exposureTime: window?.onSession(session), applied: applied, trigger: reference,
            cameraTicks: frame.timestamps.cameraTicks)
        row.lateBy = frame.stream.lateBy
        return row
    }

    /// What the edge that surely made a frame shows of its readout beside its timestamp: it is in that edge's window.
    ///
    /// Nothing where the two exclude each other, nor where the exposure may be one that is not in the plan.
    private func bounded(
        _ readout: ObservedFrame.Readout, by reference: TriggerReference?,
        at edge: Instant<Monotonic>?, _ applied: AppliedSettings
    ) -> ObservedFrame.Readout {
        guard let edge, reference?.outcome == .matched,
            let window = shared.plan.camera.trigger?.window,
            knownExposure(applied) != nil
        else { return readout }
        let earliest = max(readout.earliest, edge + window.earliest - window.edgeDelay)
        let latest = min(readout.latest, edge + window.latest)
        return earliest <= latest
            ? ObservedFrame.Readout(earliest: earliest, latest: latest) : readout
    }

    /// The row of a slot without its frame.
    ///
    /// - Parameters:
    ///   - missingEdge: the line on which the edge did not come that it waited for.
    ///   - reference: its edge, where that is known better than by the last wait.
    func hole(
        _ slot: PlanSlot, _ reason: HoleReason, missingEdge: Int32? = nil,
        trigger reference: TriggerReference? = nil
    ) -> LedgerRow {
        var row = LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings, reason: reason)
        if let missingEdge {
            row.trigger = TriggerReference(
                line: missingEdge, lineSequence: nil, delay: nil, outcome: nil)
        } else {
            row.trigger = reference ?? acceptedTrigger(reason)
        }
        return row
    }

    /// The edge that the steps of the round belong to, of a slot whose frame is lost or never was.
    ///
    /// A frame that was lost was made, so its edge is matched; one that never came leaves its edge missed.
    private func acceptedTrigger(_ reason: HoleReason) -> TriggerReference? {
        guard let trigger = sequencer.trigger else { return nil }
        var outcome: TriggerClass = reason.isDrop ? .matched : .missed
        if trigger.line == triggers.line {
            // Of a triggered camera's slots only the one that waited for this edge has it.
            guard sequencer.pending?.edge == trigger.lineSequence, let known = triggers.lastOutcome
            else {
                return nil
            }
            outcome = known
        }
        return TriggerReference(
            line: trigger.line, lineSequence: trigger.lineSequence, delay: nil, outcome: outcome)
    }
}
