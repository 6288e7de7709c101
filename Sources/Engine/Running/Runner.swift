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
    /// What the camera is known to have; settings that a write leaves alone stay as they were.
    private var applied: AppliedSettings
    private var stopRequestsSeen = 0
    private var storageErrnoSeen: Int32 = 0

    /// Creates the runner of a prepared run.
    ///
    /// - Parameters:
    ///   - prepared: the devices.
    ///   - record: where to.
    ///   - progress: is kept up to date.
    public init(_ prepared: PreparedRun, record: RunRecord, progress: RunProgress) {
        self.prepared = prepared
        self.record = record
        self.progress = progress
        world = prepared.world
        applied = prepared.applied
        session = ClockRelation(sessionStart: prepared.epoch)
        let world = prepared.world
        pipeline = RecordingPipeline(
            record: record, layout: prepared.accepted.layout,
            bufferCount: prepared.plan.output.bufferCount, isAborted: { world.stopRequests > 1 })
        machine = RunMachine(
            plan: prepared.plan, session: session, promisedRate: prepared.accepted.rate)
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
        do {
            try world.camera.start()
        } catch {
            feed(.streamFailed(errno: error.kind == .notFound ? ENODEV : EIO))
            while ending == nil { feed(.tick) }
            // What stopped the stream is the news, not what else may go wrong on the way out.
            _ = try? finish()
            throw error
        }
        feed(.started(settingsWritten: prepared.settingsWritten, applied: prepared.applied))
        while ending == nil { turn() }
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

    /// One turn of the loop: waits, then tells the machine everything that has happened, in the order lines, frames,
    /// time.
    ///
    /// Lines come first, so that an edge is known before the frame that belongs to it is judged.
    private func turn() {
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
        while ending == nil, let edge = world.lines.readEdge() { feed(.edge(edge)) }
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
        case .write(let settings, let previous): write(settings, after: previous)
        case .setOutput(let line, let active, let planned):
            let succeeded = world.lines.set(line: line, active: active)
            machine.handle(
                .outputSet(line: line, active: active, planned: planned, succeeded: succeeded),
                at: world.now(), into: &actions)
        case .record(let row, let frame): keep(row, frame)
        case .recordHole(let row):
            pipeline.hand(.hole(row))
            progress.countHole()
        case .release(let frame): giveBack(frame)
        case .log(let event, let time): pipeline.hand(.event(event, at: onSession(time)))
        case .finish(let ending): self.ending = ending
        }
    }

    private func write(_ settings: Int32, after previous: Int32) {
        let begun = world.now()
        let errno = prepared.writer.write(settings, after: previous)
        log(.settingsWritten(settings: settings, begun: begun, errno: errno))
        if errno == 0 { prepared.writer.readBack(settings, into: &applied) { log($0) } }
        machine.handle(
            .settingsWritten(errno: errno, applied: applied), at: world.now(), into: &actions)
    }

    /// Reads the locked controls once more: what somebody else changed during the run shows here at the latest.
    private func checkLock() {
        let settings = machine.currentSettings
        guard ending == .completed || ending == .interrupted,
            prepared.plan.settings.indices.contains(Int(settings))
        else { return }
        prepared.writer.readBack(settings, into: &applied) { log($0) }
    }

    /// Copies a frame out of the driver's memory, so that its buffer goes back at once.
    private func keep(_ row: LedgerRow, _ frame: DequeuedFrame) {
        // In virtual time nothing is dropped: the clock stands still while the disk catches up.
        guard let buffer = pipeline.buffer(waits: world.isVirtual) else {
            precondition(world.isVirtual, "the machine was told that there is room")
            return drop(row, frame)
        }
        prepared.unpacking.unpack(world.camera.bytes(of: frame), into: pipeline.pool.bytes(buffer))
        giveBack(frame)
        pipeline.hand(.frame(row, buffer: buffer, at: onSession(world.now())))
        progress.countFrame()
    }

    /// The run is to stop at once and the disk gives no buffer back.
    private func drop(_ row: LedgerRow, _ frame: DequeuedFrame) {
        var hole = row
        hole.reason = .storageFull
        if hole.trigger != nil { hole.trigger?.outcome = .frameMissing }
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
