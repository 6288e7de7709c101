internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// A camera that is exposed by a line: each frame belongs to its edge.
///
/// A slot takes the frame of the edge that its step waited for, or of the next one whose frame has its settings. If the
/// camera made no frame of that edge, the slot is a hole.
extension RunMachine {
    /// Room that one decision needs at most.
    ///
    /// More than the engine's own, since the plan goes on after each decision.
    private static let reserve = 256

    /// Applies decisions, each before the plan goes on.
    ///
    /// Called after every event, and does nothing for a free-running camera.
    mutating func settleTriggers(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard triggers.isOn else { return }
        while actions.room > Self.reserve, sequencer.ending == nil,
            let decision = triggers.matcher.next()
        {
            note(decision, now, &actions)
            triggers.note(decision)
            if let sequence = decision.sequence, decision.isDelivered, decision.edge != nil {
                offer(decision, frame: sequence, now, &actions)
            } else if let edge = decision.edge {
                offer(decision, edge, now, &actions)
            }
            proceed(now, &actions)
        }
        if !triggers.matcher.isWaitingForEdges { releaseStrays(now, &actions) }
    }

    /// Writes a decision down; the edge need not be waited for any more.
    ///
    /// - Parameters:
    ///   - decision: about an edge, a frame, or both.
    ///   - now: the present.
    ///   - actions: takes the event.
    mutating func note(
        _ decision: TriggerDecision, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let line = triggers.line
        guard let edge = decision.edge else {
            guard let sequence = decision.sequence else { return }
            actions.push(
                .log(
                    .frameClassified(line: line, sequence: sequence, outcome: decision.outcome),
                    at: now))
            return
        }
        actions.push(
            .log(
                .edgeClassified(
                    line: line, lineSequence: edge.lineSequence, outcome: decision.outcome,
                    sequence: decision.sequence), at: now))
        sequencer.forget(edge)
    }

    /// A frame of a triggered camera has come in, `gap` after the one before.
    ///
    /// It is judged later: its edge may not have been read yet.
    mutating func arriveTriggered(
        _ frame: ArrivedFrame, _ gap: FrameGap, after before: StreamFrame?, _ hasRoom: Bool,
        _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        var frame = frame
        if !gap.breaksCount {
            observeMissing(gap, between: before, and: frame.stream, now, &actions)
            timeline.observe(observed(frame, step: before == nil ? 0 : 1))
        }
        external.observe(clock, isCounted: gap.isWhole, timeline)
        compareMetadata(of: &frame)
        if frame.frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
        }
        guard let readout = readoutStart(of: frame) else {
            reporter.skip(frame.sequence, .idle, now, &actions)
            return actions.push(.release(frame.frame))
        }
        decideLater(frame, hasRoom: hasRoom)
        triggers.matcher.add(
            TriggeredFrame(
                sequence: frame.sequence, earliestReadout: readout.earliest,
                latestReadout: readout.latest, missing: gap.isUnverifiable ? nil : gap.numbered))
    }

    /// Keeps a frame until it is known which edge made it.
    ///
    /// Whether it has the settings of the slot that waits now is noted, since the slot or the timeline may have moved
    /// on when the decision comes.
    private mutating func decideLater(
        _ frame: ArrivedFrame, hasRoom: Bool
    ) {
        let isStartup = startupFramesLeft > 0
        if isStartup { startupFramesLeft -= 1 }
        var settings: Int32 = -1
        if let wanted = sequencer.pending?.slot.settings, timeline.isExact(shared.values[wanted]) {
            settings = wanted
        }
        triggers.keep(frame, hasRoom: hasRoom, isStartup: isStartup, settings: settings)
    }

    /// Counts the frames that the sequence skips; the matcher decides which edges they belong to.
    private mutating func observeMissing(
        _ gap: FrameGap, between before: StreamFrame?, and after: StreamFrame,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard let before, gap.numbered > 0 else { return }
        reportNumbered(gap, between: before, and: after, now, &actions)
        var number: Int64 = 0
        while number < gap.numbered {
            number += 1
            let lost = missing(number, of: gap, between: before, and: after)
            timeline.observe(observed(lost, step: 1))
            metadata.observeMissing(expected: believedSettings)
            triggers.countMissing()
        }
    }

    // MARK: The end

    /// Writes down what became of the edges that are left; one at a time, since there may be many.
    ///
    /// - Returns: false once there are no more.
    mutating func drainTriggers(
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool {
        guard triggers.isOn else { return false }
        guard let decision = triggers.nextAtEnd(wanted: sequencer.pending?.edge) else {
            releaseStrays(now, &actions)
            return false
        }
        note(decision, now, &actions)
        if let sequence = decision.sequence, decision.isDelivered, decision.edge != nil,
            let undecided = takeUndecided(sequence, now, &actions)
        {
            giveUp(undecided, now, &actions)
        }
        return true
    }
}
