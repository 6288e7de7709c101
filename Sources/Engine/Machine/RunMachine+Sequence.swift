internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Actions that one round of the machine may need besides rows of holes.
    private static let reserve = 128

    /// Operations that are taken in one go: a loop without captures must not keep events waiting.
    private static let operationsAtOnce = 16_384

    /// Takes operations of the plan until one has to wait, or there is no more room for actions.
    ///
    /// Called after every event. While a slot waits for its frame it advances lights, writes ahead, and plans lights.
    ///
    /// - Parameter isCatchingUp: whether frames that are missing before one that has come still have their turn: what
    ///   is written waits for them.
    mutating func proceed(
        isCatchingUp: Bool = false, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var operationsLeft = Self.operationsAtOnce
        while actions.room > Self.reserve, operationsLeft > 0 {
            operationsLeft -= 1
            switch sequencer.waiting {
            case .nothing:
                takeTurn(now, &actions)
            case .draining:
                drainNext(now, &actions)
            case .restored:
                finish(now, &actions)
            default:
                lights.advance(now, &actions)
                if !isCatchingUp { writeAhead(now, &actions) }
                if case .nothing = sequencer.waiting { continue }
                planLights(now)
                return
            }
        }
    }

    /// Begins the next operation of the plan.
    private mutating func takeTurn(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        lights.advance(now, &actions)
        switch sequencer.next(lights.still, now, &actions) {
        case .nothing: break
        case .slot(let slot): begin(slot, now)
        case .leftOut(let slot, let line):
            actions.push(.recordHole(hole(slot, .triggerTimeout, missingEdge: line)))
        case .group(let retries, let slots, let step):
            groups.begin(retries: retries, slots: slots, step: step, at: sequencer.cursor)
        case .restore(let settings):
            let program = shared.plan.program
            guard sequencer.cursor.restoresHere(in: program.span),
                let write = planner.restore(settings, now, &timeline)
            else { return }
            order(write, &actions)
        case .end: sequencer.complete(after: waitBehindLateFrame(now))
        }
    }

    /// A slot's turn has come: what it must satisfy is put together from the waits, writes and lights before it.
    private mutating func begin(_ slot: PlanSlot, _ now: Instant<Monotonic>) {
        sequencer.begin(slot, notBefore: slot.lights == 0 ? lights.darkFrom : .distantPast, now)
        planner.begin(slot.number, after: groups.settlesAfter)
        lights.beginSlot()
    }

    /// A slot has its frame.
    mutating func keep(
        _ row: LedgerRow, _ frame: DequeuedFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        reportContradictions(row, frame, now, &actions)
        groups.keep(row, frame, now, &actions)
    }

    /// A slot has lost its frame: it is a hole, unless its group can be taken again.
    mutating func lose(
        _ row: LedgerRow, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard retryGroup(now, &actions) else { return groups.lose(row, now, &actions) }
        // It is in no row, and it did come.
        if row.reason == .buffersFull, let number = row.deviceSequence {
            reporter.skip(number, .abandoned, now, &actions)
        }
    }

    /// Gives the frames of the current group up and begins it again.
    ///
    /// What was written ahead for this attempt must have gone by before the next one takes a frame.
    ///
    /// - Returns: false if there is no group, or it can't be taken again.
    mutating func retryGroup(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) -> Bool {
        guard groups.isHolding, !sequencer.isEnding else { return false }
        reporter.flushSkipped(now, &actions)
        guard let start = groups.retry(after: planner.lastTicket, now, &actions) else {
            return false
        }
        sequencer.goBack(to: start)
        planner.goBack()
        lights.cancel(now, &actions)
        return true
    }

    /// An edge has come in.
    ///
    /// Every edge is in the log, whether a step waits for it or not; gaps in its numbers are edges that the kernel
    /// lost.
    mutating func arrive(
        _ edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        reporter.note(edge, now, &actions)
        if triggers.line == edge.line, !triggers.take(edge, at: now) { return }
        sense(edge, now, &actions)
        sequencer.arrive(edge, now, &actions)
    }
}
