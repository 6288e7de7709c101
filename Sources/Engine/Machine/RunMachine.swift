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
///
/// It owns parts with a state of their own and passes what one of them finds to the next: the ``Sequencer`` walks the
/// plan, the ``WritePlanner`` writes settings, the ``GroupKeeper`` holds frames back, ``Lights`` switches outputs, the
/// ``Reporter`` logs series; the others follow the stream.
///
/// Methods that every frame needs are mutating also where they change nothing: of others the compiler copies all of the
/// machine, some ten kilobytes, at each call.
public struct RunMachine: ~Copyable {
    /// What is to be done, and what is worked out of it.
    let shared: SharedPlan
    /// From the monotonic clock to session time, exactly.
    let session: ClockRelation<Monotonic, Session>
    /// So long without a frame, and the stream is taken for broken.
    ///
    /// Ten of the longest periods, of a second where none was promised, and twice the longest exposure; never less than
    /// three seconds.
    let stallTimeout: Interval

    // What is to be done, and what of it is.

    var sequencer: Sequencer
    var planner: WritePlanner
    var groups = GroupKeeper()
    var lights = Lights()
    var reporter: Reporter

    // What the stream, its settings and its lines are known to be.

    /// When frames come, and which are missing.
    var clock: StreamClock
    /// The clocks of timestamps.
    var times: FrameTimes
    /// Which settings frames show.
    var timeline: SettingsTimeline
    /// The frame length of a raw sensor, where settings differ in it.
    var frameLength = FrameLength()
    /// What others changed.
    var external = ExternalSettings()
    /// Whose metadata come with frames.
    var metadata = MetadataEvidence()
    /// When the host last left frames waiting for long.
    var hostStall = HostStall()
    /// The trigger of a camera that a line exposes.
    var triggers: TriggerState
    /// What inputs are still to see of outputs that were switched.
    var sensing: OutputSensing
    /// Frames that are still skipped after the start.
    var startupFramesLeft: Int

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
        sequencer = Sequencer(plan)
        planner = WritePlanner(plan, shared.values)
        self.session = session
        clock = StreamClock(
            model: plan.camera.profile.timestamps, nominalPeriod: promisedRate?.period,
            quirks: plan.camera.profile.quirks, isPaced: plan.camera.trigger == nil,
            resolution: clockResolution, registerPeriod: plan.registerPeriod(of: 0))
        times = FrameTimes(
            plan.camera.profile.timestamps, cameraTicksPerSecond: cameraTicksPerSecond,
            resolution: clockResolution)
        reporter = Reporter(isNumbered: plan.camera.trigger != nil)
        triggers = TriggerState(plan.camera.trigger, countsEdges: countsEdges)
        sensing = OutputSensing(plan.lines)
        startupFramesLeft = plan.camera.profile.framesBeforeUse
        let exposure = plan.settings.compactMap { $0.quantised.exposure.asked }.max() ?? .zero
        stallTimeout = max(
            .seconds(3),
            max(promisedRate?.period ?? .seconds(1), plan.longestPeriod ?? .zero) * 10
                + exposure * 2)
        timeline = SettingsTimeline(
            profile: plan.camera.profile,
            promisedPeriod: plan.lastingPeriod(promised: promisedRate))
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
            planner.noteFrame()
            arrive(frame, hasRoom: hasRoom, now, &actions)
        case .edge(let edge):
            arrive(edge, now, &actions)
            checkInputs(now)
        case .linesRead(let time): triggers.matcher.noteRead(upTo: time)
        case .settingsWritten(let write, let begun, let errno):
            returned(write, begun, errno, now, &actions)
        case .settingsRead(let write, let applied): settingsRead(write, applied)
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
        case .storageFailed: sequencer.end(.storageFailed)
        case .streamFailed(let errno):
            // A broken stream reports it at every turn; once is enough.
            guard sequencer.ending == nil else {
                if errno != 0 { giveUpInputs() }
                break
            }
            actions.push(.log(.streamFailed(errno: errno), at: now))
            sequencer.end(errno == 0 ? .streamStalled : .deviceLost)
        case .interrupt: sequencer.interrupt(now, &actions)
        case .tick:
            planner.noteTick()
            times.noteEmptyQueue(at: now)
            sequencer.tick(now, &actions)
            checkInputs(now)
            checkStall(now, &actions)
        }
        if let move = planner.lastMove(now) { actions.push(.write(move)) }
        proceed(now, &actions)
        settleTriggers(now, &actions)
    }

    /// Takes a stream that stands still for broken.
    private mutating func checkStall(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard now >= stallDeadline, sequencer.ending == nil else { return }
        actions.push(.log(.streamFailed(errno: 0), at: now))
        sequencer.end(.streamStalled)
    }
}
