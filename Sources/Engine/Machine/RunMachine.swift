internal import Devices
public import Recipes
internal import Records
public import Timebase
internal import Tracking

/// Runs a plan: takes events, gives actions.
///
/// A pure state machine: no clock, no file, no thread, no allocation.
///
/// Every slot of the plan ends exactly once, as a frame or as a hole with a reason, in slot order:
/// the first frame of the stream that satisfies a slot's start condition decides it. If that frame was lost, the slot
/// is a hole; it is not filled with a later one.
public struct RunMachine: ~Copyable {
    private let shared: SharedPlan
    /// What is to be done.
    var plan: Plan { _read { yield shared.plan } }
    /// Slots that have a number before the run.
    var numberedSlots: Int64 { shared.numberedSlots }
    /// From the monotonic clock to session time, exactly.
    let session: ClockRelation<Monotonic, Session>
    /// So long without a frame, and the stream is taken for broken.
    ///
    /// Ten of the longest periods, of a second where none was promised, and twice the longest exposure; never less than
    /// three seconds.
    let stallTimeout: Interval
    /// The settings of the plan as the delay model compares them.
    let values: PlanValues
    /// Whether the numbers of edges show every one that the kernel lost.
    let countsEdges: Bool
    /// Edges that can wait on one line; more are in the log alone.
    static let waitingEdges = 256

    /// The groups that any settings of the plan lock: their automatics are off.
    let locked: ControlGroups
    /// Behind the operation that was taken last.
    var cursor = PlanCursor()
    /// What has to happen before the next operation is taken.
    var waiting = WaitState.start
    /// The slot that waits for its frame; nil between slots.
    var pending: PendingSlot?
    /// When frames come, and which are missing.
    var clock: StreamClock
    /// Which settings frames show.
    var timeline: SettingsTimeline
    /// The frame length of a raw sensor, where settings differ in it.
    var frameLength = FrameLength()
    /// Whether ``frameLength`` matters at all.
    let variesFrameLength: Bool
    /// The outputs of the exposure that is planned.
    var lights = LightSchedule()
    /// Edges that came before a step waited for them.
    var edges: LineQueue<LineEdge>
    /// The trigger of a camera that a line exposes.
    var triggers: TriggerState
    /// What inputs are still to see of outputs that were switched.
    var sensing: OutputSensing
    /// By line, the kernel's number of the last edge; it counts from 1.
    var lastEdge: InlineArray<32, UInt32> = InlineArray(repeating: 0)
    /// The lines that steps of the plan wait for, bit = line.
    var isWaitedFor: UInt32 = 0

    /// The settings and the slot that each group was last written for; −1 if that failed, or there was none.
    var written = PerGroup<Int32>(repeating: -1)
    /// The slot that each group was last written for; −1 for none, as after a group is begun again.
    var writtenFor = PerGroup<Int64>(repeating: -1)
    /// The number of the last write; 0 before any.
    var lastTicket: Int64 = 0
    /// The last write that was made again, since its slot's frame was believed to have gone by; −1 for none.
    var lastRepeatedTicket: Int64 = -1
    /// A slot to come whose settings were refused when they were written ahead.
    var refusedSlot: Int64?
    /// The lens, while it is beyond its place.
    var approach: LensApproach?
    /// Whether a frame has just come, and nothing since but what was done for it: the best time to write ahead.
    var isFrameTurn = false
    /// Whether frames that are missing before one that has come still have their turn.
    var isCatchingUp = false
    /// The settings that the camera is left with; nil if it keeps the last ones.
    var settingsToLeave: Int32?
    /// Whether the stream has started, so that settings have to be put back at the end.
    var hasBegun = false
    /// The frames that belong together at the moment.
    var group: ActiveGroup?
    /// What others changed.
    var external = ExternalSettings()
    /// Whose metadata come with frames.
    var metadata = MetadataEvidence()
    /// What is logged of several frames at once.
    var reports: FrameReports
    /// When the host last left frames waiting for long.
    var hostStall = HostStall()
    /// The clocks of timestamps, and the timestamps of the last frame that came.
    var times: FrameTimes
    var lastTimestamps = FrameTimestamps()
    /// Frames that are still skipped after the start.
    var startupFramesLeft: Int
    /// What the frames had that the next one may be, where a receiver may have put its timestamp on an older picture.
    var olderShown: GroupValues?
    /// When a frame was last taken, or the stream started.
    var lastFrameAt = Instant<Monotonic>.distantPast

    /// The edge that the steps of the current round belong to.
    var trigger: ActiveTrigger?
    /// The next slot's frame must not begin before this: a wait, an edge or a pulse has ended then.
    var notBefore: Instant<Monotonic>?
    /// Loops around the cursor.
    var depth = 0
    /// By depth from 1, when the first round of the loop there began.
    var roundsBegan: InlineArray<17, Instant<Monotonic>> = InlineArray(repeating: .distantPast)
    /// After a missing edge: what is left out.
    var leaving: LeftRound?
    /// Asked once to stop: the slot that waits gets its frame, then the run ends.
    var isStopRequested = false
    /// Whether outputs were switched off at the end.
    var isDark = false
    /// The output whose pulse the end of the run cuts short.
    var litByPulse: Int32?
    /// Why the run ends, the first reason that there was; nil while it goes on.
    var ending: RunEnding?
    /// Whether it was asked at the end of the plan if the last frame came late.
    var hasWaitedAtEnd = false

    /// Creates a machine for a plan.
    ///
    /// - Parameters:
    ///   - plan: what to do.
    ///   - session: the session's clock.
    ///   - promisedRate: the rate that the camera promised; nil if it promised none.
    ///   - cameraTicksPerSecond: how often the camera's own clock ticks; nil if it is not followed.
    ///   - countsEdges: whether the numbers of edges show every one that the kernel lost.
    ///   - clockResolution: of the host's clocks.
    public init(
        plan: Plan, session: ClockRelation<Monotonic, Session>, promisedRate: FrameRate?,
        cameraTicksPerSecond: Int64? = nil, countsEdges: Bool = true,
        clockResolution: ClockResolution = .nanosecond
    ) {
        shared = SharedPlan(plan)
        variesFrameLength = plan.variesFrameLength
        self.session = session
        clock = StreamClock(
            model: plan.camera.profile.timestamps, nominalPeriod: promisedRate?.period,
            quirks: plan.camera.profile.quirks, isPaced: plan.camera.trigger == nil,
            resolution: clockResolution, registerPeriod: plan.registerPeriod(of: 0))
        times = FrameTimes(
            plan.camera.profile.timestamps, cameraTicksPerSecond: cameraTicksPerSecond,
            resolution: clockResolution)
        reports = FrameReports(isNumbered: plan.camera.trigger != nil)
        edges = LineQueue(lineCount: plan.lines.count, capacity: Self.waitingEdges)
        triggers = TriggerState(plan.camera.trigger, countsEdges: countsEdges)
        self.countsEdges = countsEdges
        sensing = OutputSensing(plan.lines)
        startupFramesLeft = plan.camera.profile.framesBeforeUse
        let exposure = plan.settings.compactMap { $0.quantised.exposure.asked }.max() ?? .zero
        stallTimeout = max(
            .seconds(3),
            max(promisedRate?.period ?? .seconds(1), plan.longestPeriod ?? .zero) * 10
                + exposure * 2)
        values = PlanValues(plan.settings)
        var locked = ControlGroups()
        for group in ControlGroup.all
        where plan.settings.contains(where: { $0.requested.kind(of: group) != .free }) {
            locked.insert(ControlGroups(group))
        }
        self.locked = locked
        timeline = SettingsTimeline(
            profile: plan.camera.profile,
            promisedPeriod: plan.lastingPeriod(promised: promisedRate))
        if case .restore(let settings, _) = plan.program.last { settingsToLeave = settings }
        for case .waitForEdge(let line, _, _) in plan.program { isWaitedFor |= 1 << UInt32(line) }
    }

    /// Takes one event.
    ///
    /// On the capture thread. The order at the end is fixed: a lens that has rested goes to its place, then the plan
    /// goes on, then decisions about edges are taken, each of which lets the plan go on again.
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
            isFrameTurn = true
            arrive(frame, hasRoom: hasRoom, now, &actions)
        case .edge(let edge): arrive(edge, now, &actions)
        case .linesRead(let time): triggers.matcher.noteRead(upTo: time)
        case .settingsWritten(let write, let begun, let errno):
            returned(write, begun, errno, now, &actions)
        case .settingsRead(let write, let applied): settingsRead(write, applied, now)
        case .controlChanged(let change): arrive(change, now, &actions)
        case .outputSet(let line, let active, let planned, let succeeded):
            let event: RunEvent =
                succeeded
                ? .outputSet(line: line, active: active, late: now - planned)
                : .outputFailed(line: line)
            actions.push(.log(event, at: now))
            noteLight(line, active: active, planned: planned, succeeded: succeeded, now)
            if succeeded { sensing.expect(line, active: active, planned: planned, at: now) }
        case .clockRead(let sample):
            times.note(sample)
            actions.push(.log(.clockSample(sample), at: now))
            // Nothing comes of it by itself, also before the start and after the end.
            return
        case .storageFailed: end(.storageFailed)
        case .streamFailed(let errno):
            // A broken stream reports it at every turn; once is enough.
            guard ending == nil else { break }
            actions.push(.log(.streamFailed(errno: errno), at: now))
            end(errno == 0 ? .streamStalled : .deviceLost)
        case .interrupt: interrupt(now, &actions)
        case .tick:
            isFrameTurn = false
            times.noteEmptyQueue(at: now)
            tick(now, &actions)
        }
        advanceApproach(now, &actions)
        proceed(now, &actions)
        settleTriggers(now, &actions)
    }

    /// The first request lets the slot that waits have its frame; the second ends the run at once.
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

    /// Ends waits for time, and takes a stream that stands still for broken.
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
