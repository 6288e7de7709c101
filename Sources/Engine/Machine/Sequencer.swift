internal import Devices
internal import Recipes
internal import Records
internal import Timebase

/// Walks the plan: which slot has its turn, what is waited for before it, and why the walk ends.
///
/// It knows lines and time, and nothing of frames and settings: what an operation asks of those is returned as a
/// ``Turn``. A slot waits from ``begin(_:notBefore:)`` until it is ended, given up, or the run ends.
struct Sequencer: ~Copyable {
    /// What an operation of the plan asks of the rest of the machine.
    enum Turn {
        /// Nothing: it is done, or waits for its time or its edge.
        case nothing
        /// A slot's turn has come: ``Sequencer/begin(_:notBefore:)``.
        case slot(PlanSlot)
        /// A slot of a round that is left out, since no edge came on this line.
        case leftOut(PlanSlot, missingEdge: Int32)
        /// The next slots belong together.
        case group(retries: Int32, slots: Int64, step: Int32)
        /// Settings are put back.
        case restore(settings: Int32)
        /// The plan is over: ``Sequencer/complete(after:)``.
        case end
    }

    /// What is left of the plan after the end of a run.
    enum Rest {
        /// Nothing that has a row.
        case nothing
        /// All slots from this one on.
        case slots(from: PlanSlot)
        /// Not known yet; to be asked again.
        case more
    }

    /// A round that is left out because its edge did not come; outside loops, the rest of the sequence.
    private struct LeftRound {
        let depth: Int
        let line: Int32
    }

    private let program: [Instruction]
    /// The line that exposes the camera; −1 for none.
    private let cameraLine: Int32
    /// The lines that steps of the plan wait for, bit = line.
    private let watchedLines: UInt32
    /// Edges that came before a step waited for them.
    private var edges: LineQueue<LineEdge>
    /// The edge of the camera's own line that the last wait took, until a slot belongs to it.
    private var accepted: UInt32?
    /// The next slot's frame must not begin before this: a wait, an edge or a pulse has ended then.
    private var notBefore = Instant<Monotonic>.distantPast
    /// Loops around the cursor.
    private var depth = 0
    /// When rounds are due.
    private var rounds = RoundSchedule()
    /// When the round is due that was waited for last.
    private var awaitedRound: Instant<Monotonic>?
    /// When the slot that waits could have begun: its turn, or the end of what was waited for.
    private var slotDue = Instant<Monotonic>.distantPast
    /// After a missing edge: what is left out.
    private var leaving: LeftRound?
    /// Asked once to stop: the slot that waits gets its frame, then the run ends.
    private var isStopRequested = false
    /// The output whose pulse the end of the run cuts short, until it is switched off.
    private var cutPulse: Int32?
    /// Whether it was waited at the end of the plan.
    private var hasWaitedAtEnd = false

    /// Behind the operation that was taken last.
    private(set) var cursor = PlanCursor()
    /// What has to happen before the next operation is taken.
    private(set) var waiting = WaitState.start
    /// The slot that waits for its frame, or that waited when the run ended; nil between slots.
    private(set) var pending: PendingSlot?
    /// The edge that the steps of the current round belong to.
    private(set) var trigger: ActiveTrigger?
    /// Why the run ends, the first reason that there was; nil while it goes on.
    private(set) var ending: RunEnding?

    init(_ plan: Plan) {
        program = plan.program
        cameraLine = plan.camera.trigger?.line ?? -1
        edges = LineQueue(lineCount: plan.lines.count, capacity: Plan.waitingEdges)
        var lines: UInt32 = 0
        for case .waitForEdge(let line, _, _) in plan.program { lines |= 1 << UInt32(line) }
        watchedLines = lines
    }

    // MARK: What is waited for

    /// The slot that may take a frame; nil where none waits.
    var waitingSlot: PendingSlot? {
        if case .frame = waiting { pending } else { nil }
    }

    /// When the round begins that is waited for; nil if none is.
    var roundDue: Instant<Monotonic>? {
        if case .until(let time) = waiting, time == awaitedRound { time } else { nil }
    }

    /// Whether no more slots are begun: the run ends, or will with the slot that waits.
    var isEnding: Bool { ending != nil || isStopRequested }

    /// When there is something to do; `distantPast` for at once, `distantFuture` where only an event can bring any.
    var deadline: Instant<Monotonic> {
        switch waiting {
        case .nothing, .draining, .restored: .distantPast
        case .start, .ended, .frame, .restoring: .distantFuture
        case .until(let time), .pulse(_, let time), .edge(_, let time, _), .sensing(let time): time
        }
    }

    /// Ends waits for time, and those for edges that did not come.
    mutating func tick(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        switch waiting {
        case .until(let time) where now >= time:
            notBefore = time
            waiting = .nothing
        case .pulse(let line, let time) where now >= time:
            actions.push(.setOutput(line: line, active: false, planned: time))
            // The next exposure begins after the pulse, as it would after a wait.
            notBefore = now
            waiting = .nothing
        case .edge(let line, let deadline, let step) where now >= deadline:
            actions.push(.log(.triggerTimeout(line: line, step: step), at: now))
            trigger = nil
            leaving = LeftRound(depth: depth, line: line)
            waiting = .nothing
        default: break
        }
    }

    // MARK: Operations

    /// The stream has started: operations are taken from here on.
    mutating func start() {
        if ending == nil { waiting = .nothing }
    }

    /// Takes the next operation of the plan; nothing may be waited for.
    ///
    /// A pulse of a line that is `lit` (bit = line) until some time begins then.
    mutating func next(
        _ lit: Lights.Still, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Turn {
        let here = cursor
        if isStopRequested {
            end(.interrupted)
            return .nothing
        }
        let operation = advance()
        if let leaving, let turn = leaveOut(operation, leaving) { return turn }
        switch operation {
        case .slot(let slot): return .slot(slot)
        case .group(let retries, let slots, let step):
            return .group(retries: retries, slots: slots, step: step)
        case .restore(let settings): return .restore(settings: settings)
        case .end: return .end
        case .pulse(let line, _, _) where lit.lines & (1 << UInt32(line)) != 0 && lit.until > now:
            cursor = here
            waiting = .until(lit.until)
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
            if let due = rounds.start(round, every, depth: depth, step: step, now, &actions) {
                waiting = .until(due)
                awaitedRound = due
            }
        case .roundEnd(let depth): endRound(depth)
        }
        return .nothing
    }

    /// Advances the cursor.
    ///
    /// It is copied out and back, since the program is borrowed from `self` meanwhile.
    private mutating func advance() -> PlanCursor.Operation {
        var moving = cursor
        let operation = moving.next(in: program.span)
        cursor = moving
        return operation
    }

    /// The edge that a round waited for is forgotten with it.
    private mutating func endRound(_ depth: Int) {
        self.depth = depth - 1
        if let trigger, trigger.depth >= depth { self.trigger = nil }
    }

    /// Leaves out the rest of a round whose edge did not come: its slots are holes.
    ///
    /// - Returns: nil for an operation that is taken all the same.
    private mutating func leaveOut(
        _ operation: PlanCursor.Operation, _ leaving: LeftRound
    ) -> Turn? {
        switch operation {
        case .slot(let slot): return .leftOut(slot, missingEdge: leaving.line)
        case .roundStart(let depth, _, _, let isEndless, _):
            self.depth = depth
            // Nothing follows an endless loop: leaving it out is the end, and not the one that was planned.
            if isEndless { end(.triggerTimeout) }
        case .roundEnd(let depth):
            endRound(depth)
            if depth == leaving.depth { self.leaving = nil }
        case .end: return nil
        case .pulse, .wait, .waitForEdge, .group, .restore: break
        }
        return .nothing
    }

    // MARK: Slots

    /// A slot waits for its frame.
    ///
    /// - Parameter earliest: its exposure must not begin before this, nor before what was waited for has ended.
    mutating func begin(
        _ slot: PlanSlot, notBefore earliest: Instant<Monotonic>, _ now: Instant<Monotonic>
    ) {
        slotDue = notBefore == .distantPast ? now : notBefore
        pending = PendingSlot(slot: slot, notBefore: max(notBefore, earliest), edge: accepted)
        accepted = nil
        notBefore = .distantPast
        waiting = .frame
    }

    /// The slot that waits has to wait for a later frame.
    mutating func delaySlot(to time: Instant<Monotonic>) {
        guard let pending else { return }
        self.pending?.notBefore = max(pending.notBefore, time)
    }

    /// The slot that waits has a frame of a free-running camera, whose exposure began at `start`.
    mutating func noteFrame(
        _ start: Instant<Monotonic>, period: Interval, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        rounds.noteFrame(start, due: slotDue, period: period, now, &actions)
    }

    /// The slot that waits has lost its frame, found at the frame with this sequence: it waits for another one.
    mutating func keepWaiting(after sequence: UInt32) -> PendingSlot.Loss {
        pending?.lose(at: sequence) ?? .tooMany
    }

    /// The slot has its frame, or lost it; the next operation can be taken.
    mutating func endSlot() {
        pending = nil
        waiting = .nothing
    }

    /// The slot ends without having waited for a frame: what it had to wait for, the next one has to.
    mutating func passSlot() {
        if let pending { (notBefore, accepted) = (pending.notBefore, pending.edge) }
        endSlot()
    }

    /// Goes on from an earlier place, with no slot waiting.
    mutating func goBack(to start: PlanCursor) {
        cursor = start
        endSlot()
    }

    // MARK: Edges

    /// Whether a step of the plan waits for edges of a line.
    func watches(_ line: Int32) -> Bool { watchedLines & (1 << UInt32(line)) != 0 }

    /// An edge has come that a step may take, now or later.
    mutating func arrive(
        _ edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard watches(edge.line) else { return }
        if case .edge(let wanted, _, let step) = waiting, wanted == edge.line {
            take(edge, step, now, &actions)
        } else {
            // Where too many wait, the log has the edge all the same, as one that no step accepted.
            _ = edges.push(edge)
        }
    }

    /// It is decided what became of an edge: no later step can take it.
    mutating func forget(_ edge: LineEdge) {
        var place = 0
        while let waiting = edges.peek(place, line: edge.line) {
            if waiting.lineSequence == edge.lineSequence {
                return edges.remove(place, line: edge.line)
            }
            place += 1
        }
    }

    /// An edge ends a step's wait: frames that begin after it are the step's, or the frame that this very edge makes.
    private mutating func take(
        _ edge: LineEdge, _ step: Int32, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        trigger = ActiveTrigger(
            line: edge.line, lineSequence: edge.lineSequence, timestamp: edge.timestamp,
            depth: depth)
        if edge.line == cameraLine {
            // Its own frame is found by the edge, not by time.
            accepted = edge.lineSequence
        } else {
            rounds.followEdge()
            // An edge from the queue may be older than the wait for a time before this one.
            notBefore = max(notBefore, edge.timestamp)
        }
        waiting = .nothing
        actions.push(
            .log(
                .edgeAccepted(line: edge.line, lineSequence: edge.lineSequence, step: step), at: now
            ))
    }

    // MARK: The end

    /// Ends the run: from here on only rows for the rest of the plan are written.
    mutating func end(_ ending: RunEnding) {
        guard self.ending == nil else { return }
        self.ending = ending
        if case .pulse(let line, _) = waiting { cutPulse = line }
        waiting = .draining
    }

    /// The first request lets the slot that waits have its frame; the second ends the run at once.
    mutating func interrupt(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if ending != nil { return }
        actions.push(.log(.interrupted, at: now))
        // A slot that only waits for its frame gets it, unless this is the second request; everything else ends here.
        if case .frame = waiting, !isStopRequested {
            isStopRequested = true
            return
        }
        end(.interrupted)
    }

    /// Ends the run as planned.
    ///
    /// - Parameter time: until when it waits first, once; nil for not at all.
    mutating func complete(after time: Instant<Monotonic>?) {
        if let time, !hasWaitedAtEnd {
            hasWaitedAtEnd = true
            waiting = .until(time)
        } else {
            end(.completed)
        }
    }

    /// Switches off the pulse that the end has cut short.
    mutating func endPulse(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let line = cutPulse else { return }
        cutPulse = nil
        actions.push(.setOutput(line: line, active: false, planned: now))
    }

    /// The slot that waited when the run ended has its row, with the edge that it waited for.
    mutating func dropSlot() { pending = nil }

    /// Looks one operation further for slots that had no turn.
    ///
    /// Rounds of an endless loop that have not begun are not planned, so that there is nothing behind it.
    mutating func drain() -> Rest {
        trigger = nil
        guard ending != .completed, !cursor.isInsideEndlessLoop(of: program.span) else {
            return .nothing
        }
        switch advance() {
        case .slot(let slot):
            cursor.skipAll(of: program.count)
            return .slots(from: slot)
        case .roundStart(_, _, _, let isEndless, _): return isEndless ? .nothing : .more
        case .end: return .nothing
        default: return .more
        }
    }

    /// What the end waits for once rows are written: settings that are put back, then inputs that see outputs.
    mutating func goOn(with state: WaitState) { waiting = state }

    /// A write has been read back, or was refused: where it put settings back at the end, that is done.
    mutating func endRestoring() {
        if case .restoring = waiting { waiting = .restored }
    }

    /// Nothing is waited for any more, ever.
    mutating func stop() { waiting = .ended }
}
