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
    mutating func proceed(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        var operationsLeft = Self.operationsAtOnce
        while actions.room > Self.reserve, operationsLeft > 0 {
            operationsLeft -= 1
            switch waiting {
            case .nothing:
                if isStopRequested { end(.interrupted) } else { takeNext(now, &actions) }
            case .draining:
                drainNext(now, &actions)
            case .restored:
                finish(now, &actions)
            default:
                lights.advance(now, &actions)
                writeAhead(now, &actions)
                if case .nothing = waiting { continue }
                planLights(now)
                return
            }
        }
    }

    /// Begins the next operation of the plan, or skips it while a round is left out.
    private mutating func takeNext(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        let operation = nextOperation()
        if let leaving, skip(operation, leaving, &actions) { return }
        switch operation {
        case .slot(let slot): begin(slot)
        case .pulse(let line, let duration, _):
            actions.push(.setOutput(line: line, active: true, planned: now))
            waiting = .pulse(line: line, until: now + duration)
        case .wait(let duration, _): waiting = .until(now + duration)
        case .waitForEdge(let line, let within, let step):
            if let edge = edges.pop(line: line) {
                take(edge, step, now, &actions)
            } else {
                let deadline: Instant<Monotonic> =
                    within == .zero ? .distantFuture : now + within
                waiting = .edge(line: line, deadline: deadline, step: step)
            }
        case .roundStart(let depth, let round, let every, _, let step):
            self.depth = depth
            startRound(depth, round, every, step, now, &actions)
        case .roundEnd(let depth): endRound(depth)
        case .group(let retries, let slots, let step): begin(retries, slots, step)
        case .restore(let settings): restore(settings, now, &actions)
        case .end:
            if let time = waitBehindLateFrame(now) {
                waiting = .until(time)
            } else {
                end(.completed)
            }
        }
    }

    /// Puts settings back; where a frame follows at once, its own settings do so.
    private mutating func restore(
        _ settings: Int32, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var ahead = cursor
        if nextSlot(&ahead) != nil { return }
        if isSuperseded() { return }
        let groups = differing(from: settings)
        if !groups.isEmpty { write(settings, groups, slot: -1, now, &actions) }
    }

    /// Whether what follows at once puts settings back itself: an outer loop, or the end of the plan, where the camera
    /// is left with the settings of its last instruction.
    private func isSuperseded() -> Bool {
        var after = cursor
        while true {
            switch after.next(in: plan.program.span) {
            case .restore, .end: return true
            case .roundEnd, .group: continue
            case .slot, .roundStart, .pulse, .wait, .waitForEdge: return false
            }
        }
    }

    /// The groups that were last written with something else than these settings.
    func differing(from settings: Int32) -> ControlGroups {
        let wanted = values[settings]
        var groups: ControlGroups = []
        ControlGroups.all.forEach { group in
            guard wanted[group] != GroupValues.anything, timeline.newest(group) != wanted[group]
            else { return }
            groups.insert(ControlGroups(group))
        }
        return groups
    }

    /// Advances the cursor.
    ///
    /// It is copied out and back, since the program is borrowed from `self` meanwhile.
    mutating func nextOperation() -> PlanCursor.Operation {
        var moving = cursor
        let operation = moving.next(in: plan.program.span)
        cursor = moving
        return operation
    }

    /// A slot's turn has come: what it must satisfy is put together from the waits, writes and lights before it.
    private mutating func begin(_ slot: PlanSlot) {
        var earliest = notBefore ?? .distantPast
        if slot.lights == 0 { earliest = max(earliest, lights.darkFrom) }
        pending = PendingSlot(slot: slot, notBefore: earliest)
        pending?.edge = triggers.accepted
        triggers.accepted = nil
        pending?.settlesAfter = lastRepeatedTicket
        if let group, group.done == 0 {
            pending?.settlesAfter = max(lastRepeatedTicket, group.lastTicketBefore)
        }
        notBefore = nil
        if let refused = refusedSlot, refused <= slot.number {
            pending?.isRefused = refused == slot.number
            refusedSlot = nil
        }
        waiting = .frame
    }

    /// Starts a round at its place in the loop's schedule: round n is due n periods after the first one began.
    ///
    /// Lateness does not add up: a round that is late does not shift those after it.
    ///
    /// - Parameters:
    ///   - depth: of the loop, from 1.
    ///   - round: from 0.
    ///   - every: from start to start; zero for no schedule.
    ///   - step: index of the loop's step.
    private mutating func startRound(
        _ depth: Int, _ round: Int64, _ every: Interval, _ step: Int32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard every > .zero else { return }
        if round == 0 {
            roundsBegan[depth] = now
            return
        }
        let due = roundsBegan[depth] + every * round
        if now <= due {
            waiting = .until(due)
        } else {
            actions.push(
                .log(.periodOverrun(step: step, round: round, late: now - due), at: now))
        }
    }

    /// The edge that a round waited for is forgotten with it.
    private mutating func endRound(_ depth: Int) {
        self.depth = depth - 1
        if let trigger, trigger.depth >= depth { self.trigger = nil }
    }

    /// Leaves out the rest of a round whose edge did not come: its slots are holes.
    ///
    /// - Returns: whether the operation has been dealt with.
    private mutating func skip(
        _ operation: PlanCursor.Operation, _ leaving: LeftRound, _ actions: inout ActionQueue
    ) -> Bool {
        switch operation {
        case .slot(let slot):
            actions.push(.recordHole(hole(slot, .triggerTimeout, missingEdge: leaving.line)))
        case .roundStart(let depth, _, _, let isEndless, _):
            self.depth = depth
            // Nothing follows an endless loop: leaving it out is the end, and not the one that was planned.
            if isEndless { end(.triggerTimeout) }
        case .roundEnd(let depth):
            endRound(depth)
            if depth == leaving.depth { self.leaving = nil }
        case .end: return false
        case .pulse, .wait, .waitForEdge, .group, .restore: break
        }
        return true
    }

    /// An edge has come in.
    ///
    /// Every edge is in the log, whether a step waits for it or not; gaps in its numbers are edges that the kernel
    /// lost.
    mutating func arrive(
        _ edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let line = Int(edge.line)
        let missing = edge.lineSequence &- lastEdge[line] &- 1
        if missing > 0, missing < UInt32.max / 2 {
            actions.push(
                .log(
                    .edgesLost(line: edge.line, count: missing, before: edge.lineSequence), at: now)
            )
        }
        lastEdge[line] = edge.lineSequence
        actions.push(.log(.edge(edge), at: now))
        if triggers.line == edge.line, !isTaken(edge, now) { return }
        sense(edge, now, &actions)
        guard isWaitedFor & (1 << UInt32(edge.line)) != 0 else { return }
        if case .edge(let wanted, _, let step) = waiting, wanted == edge.line {
            take(edge, step, now, &actions)
        } else {
            // Where too many wait, the log has the edge all the same, as one that no step accepted.
            _ = edges.push(edge)
        }
    }

    /// Hands an edge to the matcher.
    ///
    /// - Returns: whether a step may take it: not one of a bounce, nor one from before the stream.
    private mutating func isTaken(_ edge: LineEdge, _ now: Instant<Monotonic>) -> Bool {
        let outcome = triggers.matcher.add(edge)
        if edge.timestamp >= triggers.armed {
            if triggers.silence.edges == 0 { triggers.silence.since = now }
            triggers.silence.edges += 1
        }
        return outcome != .double && edge.timestamp >= triggers.armed
    }

    /// An edge ends a step's wait: frames that begin after it are the step's, or the frame that this very edge makes.
    private mutating func take(
        _ edge: LineEdge, _ step: Int32, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        trigger = ActiveTrigger(
            line: edge.line, lineSequence: edge.lineSequence, timestamp: edge.timestamp,
            depth: depth)
        if edge.line == triggers.line {
            // Its own frame is found by the edge, not by time.
            triggers.accepted = edge.lineSequence
        } else {
            // An edge from the queue may be older than the wait for a time before this one.
            notBefore = max(notBefore ?? .distantPast, edge.timestamp)
        }
        waiting = .nothing
        actions.push(
            .log(
                .edgeAccepted(line: edge.line, lineSequence: edge.lineSequence, step: step), at: now
            ))
    }
}
