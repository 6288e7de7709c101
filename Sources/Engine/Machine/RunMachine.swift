internal import Cameras
internal import Lines
public import Recipes
internal import Records
public import Timebase

/// Runs a plan: takes events, gives actions.
///
/// A pure state machine: no clock, no file, no thread, no allocation.
///
/// Every slot of the plan ends exactly once, as a frame or as a hole with a reason, in slot order:
/// the first frame of the stream that satisfies a slot's start condition decides it. If that frame was lost, the slot
/// is a hole; it is not filled with a later one.
public struct RunMachine: ~Copyable {
    let plan: Plan
    let session: ClockRelation<Monotonic, Session>
    let stallTimeout: Interval
    /// The longest delays of any settings: what is restored to where it was found has no delay of its own in the plan.
    let longest: (settle: Interval, latencyFrames: Int)

    var cursor = PlanCursor()
    var waiting = WaitState.start
    var pending: PendingSlot?
    var clock: StreamClock
    var barrier = SettingsBarrier()
    var lights = LightSchedule()
    var edges: EdgeQueue
    var lastEdge: InlineArray<32, UInt32> = InlineArray(repeating: 0)
    var isWaitedFor: UInt32 = 0

    /// Index of the settings that the camera has; −1 when that is not known.
    var currentSettings: Int32 = 0
    var applied = AppliedSettings()
    /// When `applied` was read from the device.
    var appliedSince = Instant<Monotonic>.distantPast
    var foreign = ForeignSettings()
    var lensRestsAt = Instant<Monotonic>.distantPast
    var startupFramesLeft: Int
    var lastFrameAt = Instant<Monotonic>.distantPast

    var trigger: ActiveTrigger?
    var notBefore: Instant<Monotonic>?
    var depth = 0
    var roundsBegan: InlineArray<17, Instant<Monotonic>> = InlineArray(repeating: .distantPast)
    /// After a missing edge: what is left out.
    var leaving: LeftRound?
    var isStopRequested = false
    /// Whether outputs were switched off at the end.
    var isDark = false
    /// The output whose pulse the end of the run cuts short.
    var litByPulse: Int32?
    var ending: RunEnding?

    var skipped: (count: Int64, from: UInt32, why: SkipReason) = (0, 0, .idle)

    /// Creates a machine for a plan.
    ///
    /// - Parameters:
    ///   - plan: what to do.
    ///   - session: the session's clock.
    ///   - promisedRate: the rate that the camera promised; nil if it promised none.
    public init(
        plan: Plan, session: ClockRelation<Monotonic, Session>, promisedRate: FrameRate?
    ) {
        self.plan = plan
        self.session = session
        clock = StreamClock(
            model: plan.camera.profile.timestamps, nominalPeriod: promisedRate?.period)
        edges = EdgeQueue(lineCount: plan.lines.count)
        startupFramesLeft = plan.camera.profile.startupFrames
        let exposure = plan.settings.compactMap { $0.quantised.exposure.asked }.max() ?? .zero
        stallTimeout = max(
            .seconds(3), (promisedRate?.period ?? .seconds(1)) * 10 + exposure * 2)
        longest = (
            plan.settings.map(\.settle).max() ?? .zero,
            plan.settings.map(\.latencyFrames).max() ?? 0
        )
        for case .waitForEdge(let line, _, _) in plan.program { isWaitedFor |= 1 << UInt32(line) }
    }

    /// When the machine wants to be told the time, at the latest.
    public var nextDeadline: Instant<Monotonic> {
        let own: Instant<Monotonic> =
            switch waiting {
            case .nothing, .draining: .distantPast
            case .start, .ended, .frame: .distantFuture
            case .until(let time), .pulse(_, let time), .edge(_, let time, _): time
            }
        guard case .ended = waiting else {
            return min(own, lights.nextDeadline, stallDeadline)
        }
        return own
    }

    /// Whether the machine has more to say as soon as there is room for it.
    public var hasMore: Bool {
        switch waiting {
        case .nothing, .draining: true
        default: false
        }
    }

    var stallDeadline: Instant<Monotonic> {
        if case .start = waiting { return .distantFuture }
        return lastFrameAt + stallTimeout
    }

    /// Takes one event.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: when it was noticed; never earlier than at the last call.
    ///   - actions: where to put what is to be done; must be empty enough (see ``ActionQueue``).
    public mutating func handle(
        _ event: EngineEvent, at now: Instant<Monotonic>, into actions: inout ActionQueue
    ) {
        switch event {
        case .started(let written, let applied): begin(written, applied, now, &actions)
        case .frame(let frame, let hasRoom):
            foreign.settle(&applied, at: frame.sequence)
            arrive(frame, hasRoom: hasRoom, now, &actions)
        case .edge(let edge): arrive(edge, now, &actions)
        case .settingsWritten(let errno, let applied): settle(errno, applied, now)
        case .controlChanged(let change): arrive(change, now, &actions)
        case .outputSet(let line, let active, let planned, let succeeded):
            let event: RunEvent =
                succeeded
                ? .outputSet(line: line, active: active, late: now - planned)
                : .outputFailed(line: line)
            actions.push(.log(event, at: now))
        case .storageFailed: end(.storageFailed)
        case .streamFailed(let errno):
            // A broken stream says so at every turn; once is enough.
            guard ending == nil else { break }
            actions.push(.log(.streamFailed(errno: errno), at: now))
            end(errno == 0 ? .streamStalled : .deviceLost)
        case .interrupt: interrupt(now, &actions)
        case .tick: tick(now, &actions)
        }
        proceed(now, &actions)
    }

    private mutating func begin(
        _ written: Instant<Monotonic>, _ applied: AppliedSettings, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        lastFrameAt = now
        self.applied = applied
        appliedSince = written
        // Taking the camera over may have moved the lens.
        lensRestsAt = written + (plan.settings.first?.settle ?? .zero)
        barrier.written(
            at: lensRestsAt, latencyFrames: plan.settings.first?.latencyFrames ?? 0)
        actions.push(.log(.streamStarted, at: now))
        if ending == nil { waiting = .nothing }
    }

    private mutating func settle(
        _ errno: Int32, _ applied: AppliedSettings, _ now: Instant<Monotonic>
    ) {
        guard let slot = pending?.slot else { return }
        let settings = plan.settings[Int(slot.settings)]
        let movesLens =
            currentSettings < 0
            || plan.settings[Int(currentSettings)].quantised.lens != settings.quantised.lens
        let isWritten = errno == 0
        currentSettings = isWritten ? slot.settings : -1
        pending?.isRefused = !isWritten
        if isWritten {
            self.applied = applied
            appliedSince = now
            foreign.forget()
        }
        let isRestored = settings.requested.keepsSomething
        if movesLens, isWritten {
            lensRestsAt = now + (isRestored ? longest.settle : settings.settle)
        }
        // An earlier write may still move it, where the slot that ordered it is over.
        barrier.written(
            at: max(now, lensRestsAt),
            latencyFrames: isRestored ? longest.latencyFrames : settings.latencyFrames)
    }

    private mutating func interrupt(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if ending != nil { return }
        actions.push(.log(.interrupted, at: now))
        // A slot that only waits for its frame gets it, unless this is the second request; everything else ends here.
        if case .frame = waiting, !isStopRequested {
            isStopRequested = true
            return
        }
        end(.interrupted)
    }

    private mutating func tick(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
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
        if now >= stallDeadline, ending == nil {
            actions.push(.log(.streamFailed(errno: 0), at: now))
            end(.streamStalled)
        }
    }

    /// Ends the run: from here on only rows for the rest of the plan are written.
    mutating func end(_ ending: RunEnding) {
        guard self.ending == nil else { return }
        self.ending = ending
        if case .pulse(let line, _) = waiting { litByPulse = line }
        waiting = .draining
    }
}
