internal import Devices
internal import Glibc
internal import Imaging
internal import Recipes
public import Records
internal import Timebase

/// Runs a plan in a world: feeds the machine with what the devices report and does what the machine asks.
///
/// ``run()`` is the capture path: it allocates nothing, takes no lock and waits only in the world's `wait`.
///
/// One for each run, on one thread from ``run()`` to its end.
public final class Runner {
    let prepared: PreparedRun
    let world: any World
    private let clocks: any ClockDriver
    let record: RunRecord
    let pipeline: any RecordingPipeline
    /// From the monotonic clock to session time.
    private let session: ClockRelation<Monotonic, Session>
    let progress: RunProgress
    var machine: RunMachine
    var actions = ActionQueue()
    /// Why the run ended; nil until the machine orders ``EngineAction/finish(_:)``.
    var ending: RunEnding?
    /// Frames of the group that is not whole yet.
    let held: HeldFrames
    /// Requests to stop that the machine has received.
    private var stopRequestsSeen = 0
    /// The last error number of the disk that the machine has received.
    private var storageErrnoSeen: Int32 = 0
    /// Why the stream did not start or stood still, as far as the camera and the plan show it; empty if it did neither.
    public private(set) var whyNoFrames: [String] = []
    private let isTriggered: Bool
    /// Whether the camera gave any frame: a stream that never began has other reasons than one that ended.
    private var hasSeenFrame = false
    /// Whether settings were written since changes of controls were read.
    var hasWritten = false

    /// Creates the runner of a prepared run.
    ///
    /// - Parameters:
    ///   - prepared: the devices.
    ///   - record: where to.
    ///   - progress: is kept up to date.
    ///   - preview: is offered every recorded frame; nil if nobody looks.
    public init(
        _ prepared: PreparedRun, record: RunRecord, progress: RunProgress,
        preview: PreviewTap? = nil
    ) {
        self.prepared = prepared
        self.record = record
        self.progress = progress
        world = prepared.world
        clocks = prepared.world.clocks
        isTriggered = prepared.plan.camera.trigger != nil
        held = HeldFrames(capacity: Int(prepared.plan.largestGroup))
        session = ClockRelation(sessionStart: prepared.epoch)
        pipeline = Self.pipeline(prepared, record, preview)
        machine = RunMachine(
            plan: prepared.plan, session: session, promisedRate: prepared.accepted.rate,
            cameraTicksPerSecond: prepared.accepted.cameraTicksPerSecond,
            countsEdges: prepared.world.lines.countsEdges,
            clockResolution: world.clockResolution)
    }

    /// Threads where time is real, or stands still while they work; steps where the disk has a time of its own.
    private static func pipeline(
        _ prepared: PreparedRun, _ record: RunRecord, _ preview: PreviewTap?
    ) -> any RecordingPipeline {
        let world = prepared.world
        if let disk = world.disk {
            return SteppedPipeline(
                disk: disk, world: world, record: record, layout: prepared.accepted.layout,
                pool: prepared.pool)
        }
        return ThreadedPipeline(
            record: record, layout: prepared.accepted.layout, pool: prepared.pool,
            preview: preview, thermometer: world.thermometer, waits: world.isVirtual,
            isAborted: { world.stopRequests > 1 })
    }

    /// Runs the plan to its end, and ends the record.
    ///
    /// The first request to stop ends the run in order, the second at once: then not even a disk that hangs is waited
    /// for.
    ///
    /// A stream that can't be started ends the run before its first frame: the record states that the device was lost,
    /// and ``whyNoFrames`` has the reason.
    ///
    /// - Throws: ``StorageError`` if the record can't be ended; ``DeviceError`` if the stream could not be started
    ///   either.
    public func run() throws -> Judgement {
        pipeline.start()
        for (event, time) in prepared.events {
            pipeline.hand(.event(event, at: onSession(time)))
        }
        clocks.start()
        readClocks()
        let known: (applied: AppliedSettings, written: Instant<Monotonic>)
        do {
            try world.camera.start()
            known = try repeatSettings()
        } catch {
            feed(.streamFailed(errno: error.kind == .notFound ? ENODEV : EIO))
            while ending == nil { feed(.tick) }
            progress.endCapture()
            whyNoFrames = [error.message]
            // What stopped the stream is the news, not what else may go wrong on the way out.
            guard let judgement = try? finish() else { throw error }
            return judgement
        }
        feed(.started(settingsWritten: known.written, applied: known.applied))
        while ending == nil { turn() }
        if ending == .streamStalled {
            whyNoFrames = world.camera.whyNoFrames()
            if !hasSeenFrame { whyNoFrames += prepared.plan.camera.waitsForTrigger }
        }
        progress.endCapture()
        checkLock()
        return try finish()
    }

    /// Releases the devices and ends the record.
    ///
    /// - Throws: ``StorageError``, with ETIMEDOUT if the run was asked to stop at once and the writers hang.
    private func finish() throws -> Judgement {
        world.camera.stop()
        clocks.stop()
        readClocks()
        world.lines.close()
        guard pipeline.finish() else {
            throw StorageError("finish", path: record.folder.path, errno: ETIMEDOUT)
        }
        // A disk may refuse the last frames when no slot is left that could end the run.
        if ending == .completed, pipeline.storageErrno != 0 { ending = .storageFailed }
        return try record.finish(
            ending ?? .completed, at: world.now(), realtime: world.realtime())
    }

    /// Writes the first settings again, where the camera is known to forget them when its stream starts.
    ///
    /// - Returns: the settings that hold now, and when they were written.
    private func repeatSettings() throws(DeviceError) -> (AppliedSettings, Instant<Monotonic>) {
        guard prepared.plan.camera.profile.forgetsAtStart else {
            return (prepared.applied, prepared.settingsWritten)
        }
        let applied = try prepared.takeover.repeatAfterStart(prepared.applied) { log($0) }
        return (applied, world.now())
    }

    /// Reads the locked controls once more: what somebody else changed during the run shows here at the latest.
    ///
    /// Where the stream broke there is nothing to read any more. What differs is in the log, which the verdict counts.
    private func checkLock() {
        guard ending == .completed || ending == .interrupted else { return }
        var applied = AppliedSettings()
        ControlGroups.all.forEach { group in
            let settings = machine.lastSettings(of: group)
            guard settings >= 0 else { return }
            prepared.writer.readBack(settings, ControlGroups(group), into: &applied) { log($0) }
        }
    }

    /// One turn of the loop: waits, then passes to the machine everything that has happened, in the order clocks,
    /// lines, changes of controls, frames, time.
    ///
    /// Lines come first, so that an edge is known before the frame that belongs to it is judged.
    private func turn() {
        progress.countTurn()
        if !machine.hasMore { world.wait(until: machine.nextDeadline) }
        while ending == nil, world.stopRequests > stopRequestsSeen {
            stopRequestsSeen += 1
            feed(.interrupt)
        }
        let errno = pipeline.storageErrno
        if errno != storageErrnoSeen {
            storageErrnoSeen = errno
            feed(.storageFailed)
        }
        readClocks()
        let linesReadUpTo = world.now()
        while ending == nil, let edge = world.lines.readEdge() { feed(.edge(edge)) }
        if ending == nil, isTriggered { feed(.linesRead(upTo: linesReadUpTo)) }
        let emptyAt = readCamera()
        if ending == nil { feed(.tick, at: emptyAt) }
    }

    /// Tells the machine of the changes of controls, and then of the frames, that wait.
    ///
    /// Changes of controls come before frames: a change that was noticed later would leave frames with the wrong
    /// settings.
    ///
    /// - Returns: when no frame waited.
    private func readCamera() -> Instant<Monotonic> {
        while true {
            hasWritten = false
            while ending == nil, let change = world.camera.readControlChange() {
                feed(.controlChanged(change))
            }
            // Read before the look that finds no frame: then none waited.
            var emptyAt = world.now()
            while ending == nil, !hasWritten, takeFrame() { emptyAt = world.now() }
            // During a write, which may take long, others may have changed what the frames show that came meanwhile.
            if ending != nil || !hasWritten { return emptyAt }
        }
    }

    /// Takes one frame from the camera, if one waits.
    ///
    /// - Returns: whether there was one; false also for a stream that broke, of which the machine was notified.
    private func takeFrame() -> Bool {
        switch world.camera.dequeue() {
        case .frame(let frame):
            hasSeenFrame = true
            feed(.frame(frame, hasRoom: pipeline.hasRoom))
            return true
        case .empty: return false
        case .failed(let errno):
            feed(.streamFailed(errno: errno))
            return false
        }
    }

    private func feed(_ event: EngineEvent) { feed(event, at: world.now()) }

    /// Tells the machine, then does what it asks until it asks for nothing more.
    private func feed(_ event: EngineEvent, at time: Instant<Monotonic>) {
        machine.handle(event, at: time, into: &actions)
        while let action = actions.pop() { perform(action) }
    }

    /// Into the record, with the present as its time.
    func log(_ event: RunEvent) {
        pipeline.hand(.event(event, at: onSession(world.now())))
    }

    /// Fetches what was read of the clocks meanwhile.
    private func readClocks() {
        while let report = clocks.read() {
            switch report {
            case .sample(let sample): feed(.clockRead(sample))
            case .discipline(let discipline): log(.clockDiscipline(discipline))
            }
        }
    }

    /// Exactly: session time is the monotonic clock's, counted from the epoch.
    func onSession(_ time: Instant<Monotonic>) -> Instant<Session> {
        session.convert(BoundedInstant(time, halfWidth: .zero)).instant
    }
}
