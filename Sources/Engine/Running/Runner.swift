internal import Cameras
internal import Glibc
internal import Imaging
internal import Lines
internal import Recipes
public import Records
internal import Timebase

/// Runs a plan in a world: feeds the machine with what the devices say and does what the machine asks.
///
/// ``run()`` is the capture path: it allocates nothing, takes no lock and waits only in the world's `wait`.
public final class Runner {
    private let prepared: PreparedRun
    private let world: any RunWorld
    private let record: RunRecord
    private let pipeline: RecordingPipeline
    private let session: ClockRelation<Monotonic, Session>
    private let progress: RunProgress
    private var machine: RunMachine
    private var actions = ActionQueue()
    private var ending: RunEnding?
    private let held: HeldFrames
    private var stopRequestsSeen = 0
    private var storageErrnoSeen: Int32 = 0
    private let isTriggered: Bool

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
        isTriggered = prepared.plan.camera.trigger != nil
        held = HeldFrames(capacity: Int(prepared.plan.largestGroup))
        session = ClockRelation(sessionStart: prepared.epoch)
        let world = prepared.world
        pipeline = RecordingPipeline(
            record: record, layout: prepared.accepted.layout,
            pool: prepared.pool, preview: preview, waitsForStills: world.isVirtual,
            isAborted: { world.stopRequests > 1 })
        machine = RunMachine(
            plan: prepared.plan, session: session, promisedRate: prepared.accepted.rate,
            countsEdges: prepared.world.lines.countsEdges)
    }

    /// Runs the plan to its end, and ends the record.
    ///
    /// The first request to stop ends the run in order, the second at once: then not even a disk that hangs is waited
    /// for.
    ///
    /// - Throws: ``CameraError`` if the stream can't be started; the record then says that the device was lost.
    ///   ``StorageError`` if the record can't be ended.
    public func run() throws -> Judgement {
        pipeline.start()
        for (event, time) in prepared.events {
            pipeline.hand(.event(event, at: onSession(time)))
        }
        logClock()
        let known: (applied: AppliedSettings, written: Instant<Monotonic>)
        do {
            try world.camera.start()
            known = try repeatSettings()
        } catch {
            feed(.streamFailed(errno: error.kind == .notFound ? ENODEV : EIO))
            while ending == nil { feed(.tick) }
            // What stopped the stream is the news, not what else may go wrong on the way out.
            _ = try? finish()
            throw error
        }
        feed(.started(settingsWritten: known.written, applied: known.applied))
        while ending == nil { turn() }
        progress.endCapture()
        checkLock()
        return try finish()
    }

    /// Releases the devices and ends the record.
    private func finish() throws -> Judgement {
        world.camera.stop()
        logClock()
        world.lines.close()
        guard pipeline.finish() else {
            throw StorageError("finish", path: record.folder.path, errno: ETIMEDOUT)
        }
        return try record.finish(
            ending ?? .completed, at: world.now(), realtime: world.realtime())
    }

    /// Writes the first settings again, where the camera is known to forget them when its stream starts.
    ///
    /// - Returns: the settings that hold now, and when they were written.
    private func repeatSettings() throws(CameraError) -> (AppliedSettings, Instant<Monotonic>) {
        guard prepared.plan.camera.profile.forgetsAtStart else {
            return (prepared.applied, prepared.settingsWritten)
        }
        let applied = try prepared.handOver.repeatAfterStart(prepared.applied) { log($0) }
        return (applied, world.now())
    }

    /// One turn of the loop: waits, then tells the machine everything that has happened, in the order lines, changes
    /// of controls, frames, time.
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
        let linesReadUpTo = world.now()
        while ending == nil, let edge = world.lines.readEdge() { feed(.edge(edge)) }
        if ending == nil, isTriggered { feed(.linesRead(upTo: linesReadUpTo)) }
        while ending == nil, let change = world.camera.readControlChange() {
            feed(.controlChanged(change))
        }
        while ending == nil, takeFrame() {}
        if ending == nil { feed(.tick) }
    }

    /// Takes one frame from the camera, if one waits.
    private func takeFrame() -> Bool {
        switch world.camera.dequeue() {
        case .frame(let frame):
            feed(.frame(frame, hasRoom: world.isVirtual || pipeline.pool.hasFree))
            return true
        case .empty: return false
        case .failed(let errno):
            feed(.streamFailed(errno: errno))
            return false
        }
    }

    private func feed(_ event: EngineEvent) {
        machine.handle(event, at: world.now(), into: &actions)
        while let action = actions.pop() { perform(action) }
    }

    private func perform(_ action: EngineAction) {
        switch action {
        case .write(let settings): write(settings)
        case .readBack(let settings): readBack(settings)
        case .setOutput(let line, let active, let planned):
            let succeeded = world.lines.set(line: line, active: active)
            machine.handle(
                .outputSet(line: line, active: active, planned: planned, succeeded: succeeded),
                at: world.now(), into: &actions)
        case .record(let row, let frame): keep(row, frame)
        case .hold(let row, let frame): hold(row, frame)
        case .recordHeld: recordHeld()
        case .discardHeld: discardHeld()
        case .recordHole(let row):
            pipeline.hand(.hole(row))
            progress.countHole()
        case .release(let frame): giveBack(frame)
        case .log(let event, let time): pipeline.hand(.event(event, at: onSession(time)))
        case .finish(let ending): self.ending = ending
        }
    }

    private func write(_ write: SettingsWrite) {
        let begun = world.now()
        let errno = prepared.writer.write(
            write.settings, write.groups, isApproach: write.isApproach)
        machine.handle(
            .settingsWritten(write, begun: begun, errno: errno), at: world.now(), into: &actions)
        log(.settingsWritten(settings: write.settings, begun: begun, errno: errno))
    }

    private func readBack(_ write: SettingsWrite) {
        var applied = AppliedSettings()
        prepared.writer.readBack(
            write.settings, write.groups, isApproach: write.isApproach, into: &applied
        ) { log($0) }
        machine.handle(.settingsRead(write, applied: applied), at: world.now(), into: &actions)
    }

    /// Reads the locked controls once more: what somebody else changed during the run shows here at the latest.
    private func checkLock() {
        guard ending == .completed || ending == .interrupted else { return }
        var applied = AppliedSettings()
        ControlGroups.all.forEach { group in
            let settings = machine.lastSettings(of: group)
            guard settings >= 0 else { return }
            prepared.writer.readBack(settings, ControlGroups(group), into: &applied) { log($0) }
        }
    }

    private func keep(_ row: LedgerRow, _ frame: DequeuedFrame) {
        guard let buffer = copy(frame) else { return drop(row, frame) }
        giveBack(frame)
        pipeline.hand(.frame(row, buffer: buffer, at: onSession(world.now())))
        progress.countFrame()
    }

    private func hold(_ row: LedgerRow, _ frame: DequeuedFrame) {
        guard let buffer = copy(frame) else {
            recordHeld()
            return drop(row, frame)
        }
        giveBack(frame)
        held.append(HeldFrame(row: row, buffer: buffer))
    }

    private func recordHeld() {
        while let frame = held.takeFirst() {
            pipeline.hand(
                .frame(frame.row, buffer: frame.buffer, at: onSession(world.now())))
            progress.countFrame()
        }
    }

    private func discardHeld() {
        while let frame = held.takeFirst() {
            if let sequence = frame.row.deviceSequence {
                log(.framesSkipped(count: 1, from: sequence, why: .abandoned))
            }
            pipeline.hand(.discarded(buffer: frame.buffer))
        }
    }

    /// Copies a frame out of the driver's memory, so that its buffer goes back at once.
    private func copy(_ frame: DequeuedFrame) -> Int32? {
        // In virtual time nothing is dropped: the clock stands still while the disk catches up.
        guard let buffer = pipeline.buffer(waits: world.isVirtual) else {
            return nil
        }
        prepared.unpacking.unpack(world.camera.bytes(of: frame), into: pipeline.pool.bytes(buffer))
        return buffer
    }

    /// No buffer is free: the run is to stop at once and the disk gives none back, or frames of a triggered camera that
    /// waited for their edges took more than there were.
    private func drop(_ row: LedgerRow, _ frame: DequeuedFrame) {
        var hole = row
        hole.reason = .storageFull
        perform(.recordHole(hole))
        giveBack(frame)
    }

    private func giveBack(_ frame: DequeuedFrame) {
        // A driver that does not take a buffer back is gone, which the next dequeue says too.
        _ = world.camera.requeue(frame)
    }

    private func log(_ event: RunEvent) {
        pipeline.hand(.event(event, at: onSession(world.now())))
    }

    private func logClock() {
        let before = world.now()
        let relation = world.realtime()
        let after = world.now()
        let reading = relation.convert(BoundedInstant(before, halfWidth: .zero)).instant
        log(.clockSample(before: before, realtime: reading, after: after))
    }

    private func onSession(_ time: Instant<Monotonic>) -> Instant<Session> {
        session.convert(BoundedInstant(time, halfWidth: .zero)).instant
    }
}
