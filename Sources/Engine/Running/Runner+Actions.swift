internal import Devices
internal import Glibc
internal import Imaging
internal import Records
internal import Timebase

/// Does what the machine asks.
///
/// On the capture thread. What can fail is reported to the machine at once, which may order more; that comes behind
/// what is in the queue already.
extension Runner {
    func perform(_ action: EngineAction) {
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
            if row.lastSlot == nil { progress.countHole() }
        case .release(let frame): giveBack(frame)
        case .log(let event, let time): pipeline.hand(.event(event, at: onSession(time)))
        case .finish(let ending): self.ending = ending
        }
    }

    /// Writes settings, however long the device takes, and has the machine know from when on it may have them.
    private func write(_ write: SettingsWrite) {
        hasWritten = true
        let begun = world.now()
        let errno = prepared.writer.write(
            write.settings, write.groups, isApproach: write.isApproach
        ) { log($0) }
        machine.handle(
            .settingsWritten(write, begun: begun, errno: errno), at: world.now(), into: &actions)
        log(
            .settingsWritten(
                settings: write.settings, slot: write.slot < 0 ? nil : write.slot, begun: begun,
                errno: errno))
    }

    /// Reads back after a write and passes to the machine what the device has.
    private func readBack(_ write: SettingsWrite) {
        var applied = AppliedSettings()
        prepared.writer.readBack(
            write.settings, write.groups, isApproach: write.isApproach, into: &applied
        ) { log($0) }
        machine.handle(.settingsRead(write, applied: applied), at: world.now(), into: &actions)
    }

    /// Hands a frame over to the writers; the driver's buffer goes back before that.
    private func keep(_ row: LedgerRow, _ frame: DequeuedFrame) {
        guard let buffer = copy(frame) else { return drop(row, frame) }
        giveBack(frame)
        pipeline.hand(.frame(row, buffer: buffer, at: onSession(world.now())))
        progress.countFrame()
    }

    /// Keeps a frame until its group is whole; without a buffer the ones before it are recorded, so that rows stay in
    /// order.
    private func hold(_ row: LedgerRow, _ frame: DequeuedFrame) {
        guard let buffer = copy(frame) else {
            recordHeld()
            return drop(row, frame)
        }
        giveBack(frame)
        held.append(HeldFrame(row: row, buffer: buffer))
    }

    /// Records what was held, with the present as the time at which it was handed over.
    private func recordHeld() {
        while let frame = held.takeFirst() {
            pipeline.hand(
                .frame(frame.row, buffer: frame.buffer, at: onSession(world.now())))
            progress.countFrame()
        }
    }

    /// Gives up what was held; each of these frames is in the log as abandoned.
    private func discardHeld() {
        while let frame = held.takeFirst() {
            if let sequence = frame.row.deviceSequence {
                log(.framesSkipped(count: 1, from: sequence, why: .abandoned))
            }
            pipeline.hand(.discarded(buffer: frame.buffer))
        }
    }

    /// Copies a frame out of the driver's memory, so that its buffer goes back at once.
    ///
    /// - Returns: the number of the buffer; nil if there is none.
    private func copy(_ frame: DequeuedFrame) -> Int32? {
        guard let buffer = pipeline.buffer() else {
            return nil
        }
        if record.keepsPixels {
            prepared.unpacking.unpack(
                world.camera.bytes(of: frame), into: pipeline.pool.bytes(buffer))
        }
        return buffer
    }

    /// No buffer is free: the run is to stop at once and the disk gives none back, or frames of a triggered camera that
    /// waited for their edges took more than there were.
    private func drop(_ row: LedgerRow, _ frame: DequeuedFrame) {
        var hole = row
        hole.reason = .buffersFull
        perform(.recordHole(hole))
        giveBack(frame)
    }

    /// Queues the driver's buffer again, in a second attempt if the first one is refused and the camera is still there.
    ///
    /// What fails twice is in the log.
    private func giveBack(_ frame: DequeuedFrame) {
        var status = world.camera.requeue(frame)
        // The next dequeue reports a camera that is gone; a driver that refused once may take it now.
        guard status < 0, status != -ENODEV else { return }
        status = world.camera.requeue(frame)
        if status < 0 { log(.bufferRefused(errno: -status)) }
    }
}
