internal import Devices
internal import Glibc
internal import Timebase

/// The simulated camera with ``InjectedFaults`` on its frames and writes, each reported as it happens.
///
/// The run has this in the camera's place; the camera behind it does not know what is changed.
final class FaultyCamera: CameraDriver {
    /// As many as the simulated camera has.
    private static let bufferCount = 8

    private let camera: SimulatedCamera
    private let clock: SimulatedClock
    let faults: InjectedFaults
    private let record: (SimulatedTruth) -> Void
    /// For frames: what becomes of them, and others' writes.
    var frameRNG: SplitMix64
    /// For writes, apart from those of frames, so that more writes leave the frames as they are.
    private var writeRNG: SplitMix64
    private var driverFaults: DriverFaults
    private(set) var startedAt: Instant<Monotonic>?
    /// Frames that got no number so far.
    private var unnumbered: UInt32 = 0
    /// For each buffer of the driver, until when it was taken.
    private var takenUntil = Array(repeating: Instant<Monotonic>.distantPast, count: bufferCount)
    /// For each buffer of the simulated camera, which of the driver's its frame is in.
    private var places = Array(0..<bufferCount)
    /// Codes that were acknowledged and never reached the sensor.
    private var lost: [CameraControl: Int64] = [:]
    private var external: [ControlChange] = []
    /// The frame whose end the receiver missed, with its truth.
    private var unended: (frame: DequeuedFrame, truth: SimulatedFrame)?
    private var endRNG: SplitMix64
    /// How many of the next writes are lost.
    private var lostWritesLeft = 0
    private var isGone = false

    init(
        _ camera: SimulatedCamera, _ clock: SimulatedClock, _ options: SimulationOptions,
        record: @escaping (SimulatedTruth) -> Void
    ) {
        self.camera = camera
        self.clock = clock
        self.record = record
        faults = options.faults.injected
        frameRNG = SplitMix64(seed: options.seed).split(8)
        writeRNG = SplitMix64(seed: options.seed).split(9)
        driverFaults = DriverFaults(faults, seed: options.seed)
        endRNG = SplitMix64(seed: options.seed).split(23)
    }

    var identity: CameraIdentity { camera.identity }
    var pollDescriptor: Int32 { camera.pollDescriptor }

    func describe() throws(DeviceError) -> CameraDescription { try camera.describe() }

    func configure(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        try camera.configure(configuration)
    }

    func followCameraClock() throws(DeviceError) -> Int64 { try camera.followCameraClock() }

    func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool {
        camera.followEmbeddedData(format)
    }

    func start() throws(DeviceError) {
        try camera.start()
        startedAt = clock.now
        clock.step(faults.clockSteps, after: clock.now)
        driverFaults.restart()
        unended = nil
        tellLasting()
    }

    /// Tells of the faults that last as long as the stream.
    private func tellLasting() {
        let controls = faults.ignoredControls.map(\.control).sorted { $0.rawValue < $1.rawValue }
        for control in controls {
            let code = try? camera.read(control).get()
            record(.fault(.ignoredControl, at: clock.now, code.map { ControlValue(control, $0) }))
        }
        if faults.extraLatency > 0 { record(.fault(.reaction, at: clock.now, nil)) }
        if faults.timestampJitter > .zero { record(.fault(.jitter, at: clock.now, nil)) }
        if camera.isFasterThanReported {
            record(.fault(.understatedPixelRate, at: clock.now, nil))
        }
    }

    func stop() { camera.stop() }

    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer { camera.bytes(of: frame) }

    func requeue(_ frame: DequeuedFrame) -> Int32 {
        takenUntil[places[Int(frame.buffer)]] = clock.now
        return camera.requeue(frame)
    }

    /// When something comes of the camera: a frame, or that it is gone.
    var nextDelivery: Instant<Monotonic> { min(camera.nextDelivery, unpluggedAt) }

    private var unpluggedAt: Instant<Monotonic> {
        guard let startedAt, let after = faults.unplugged, !isGone else { return .distantFuture }
        return startedAt + after
    }

    /// Whether the camera is gone; reported once, when it is asked first.
    private var isUnplugged: Bool {
        if clock.now >= unpluggedAt {
            isGone = true
            record(.fault(.unplugged, at: clock.now, nil))
        }
        return isGone
    }

    // MARK: Frames

    func dequeue() -> DequeueResult {
        if isUnplugged { return .failed(errno: ENODEV) }
        while true {
            let delivery = camera.nextDelivery
            let result = camera.dequeue()
            guard case .frame(var frame) = result else { return result }
            var truth = camera.truth(of: frame)
            let fate = fate(delivery)
            truth.fate = unended == nil ? fate : .lostInCamera
            if truth.fate == .lostInCamera { unnumbered &+= 1 }
            frame.sequence = frame.sequence &- unnumbered
            let elapsed = delivery - (startedAt ?? delivery)
            for fault in driverFaults.apply(to: &frame, at: elapsed, period: camera.period) {
                record(.fault(fault, at: clock.now, nil))
            }
            truth.timestamp = frame.timestamp
            truth.sequence = truth.fate == .lostInCamera ? nil : frame.sequence
            if truth.fate == .delivered, camera.isRawSensor,
                endRNG.happens(chancePerMillion: faults.lostFrameEnds)
            {
                missEnd(of: frame, truth, at: delivery)
                continue
            }
            record(.frame(truth))
            interfere()
            if let older = endLate(timestampedAs: frame) { return .frame(older) }
            switch truth.fate {
            case .delivered: break
            case .damaged: frame.isDamaged = true
            case .short:
                frame.byteCount /= 2
                frame.isDamaged = true
            case .lostInCamera, .lostInDriver, .noBuffer:
                _ = camera.requeue(frame)
                continue
            }
            take(frame, at: delivery)
            return .frame(frame)
        }
    }

    /// A frame takes the place of a free buffer until it is given back.
    ///
    /// Not that of its own: the simulated camera makes a frame when it is asked for, in the first buffer that is free
    /// then, and the driver had filled one after the other while nobody asked.
    private func take(_ frame: DequeuedFrame, at delivery: Instant<Monotonic>) {
        let place = takenUntil.firstIndex { $0 <= delivery } ?? Int(frame.buffer)
        places[Int(frame.buffer)] = place
        takenUntil[place] = .distantFuture
    }

    /// The receiver does not notice that a frame has ended: it goes on with the same picture.
    private func missEnd(
        of frame: DequeuedFrame, _ truth: SimulatedFrame, at delivery: Instant<Monotonic>
    ) {
        record(.fault(.lostFrameEnd, at: clock.now, nil))
        interfere()
        take(frame, at: delivery)
        unended = (frame, truth)
    }

    /// The picture whose end was missed is done when the next frame ends, and has that one's timestamp.
    private func endLate(timestampedAs next: DequeuedFrame) -> DequeuedFrame? {
        guard var (frame, truth) = unended else { return nil }
        unended = nil
        frame.timestamp = next.timestamp
        truth.timestamp = next.timestamp
        record(.frame(truth))
        _ = camera.requeue(next)
        return frame
    }

    /// What becomes of the next frame, which comes to the host at a time.
    private func fate(_ delivery: Instant<Monotonic>) -> SimulatedFrame.Fate {
        // Each is drawn for each frame, so that one fault more or less leaves the others where they are.
        let isLostInside = frameRNG.happens(chancePerMillion: faults.deviceDrops)
        let isLost = frameRNG.happens(chancePerMillion: faults.driverDrops)
        let isDamaged = frameRNG.happens(chancePerMillion: faults.damagedFrames)
        let isShort = frameRNG.happens(chancePerMillion: faults.shortFrames)
        if isLostInside { return .lostInCamera }
        if !takenUntil.contains(where: { $0 <= delivery }) { return .noBuffer }
        if isLost { return .lostInDriver }
        return isDamaged ? .damaged : isShort ? .short : .delivered
    }

    // MARK: Controls

    /// Writes controls, with what may go wrong on the way.
    ///
    /// Before the stream starts nothing does. A late write lets time pass before the sensor gets it; one that is to be
    /// refused and lost is refused.
    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        if isUnplugged { return -ENODEV }
        guard startedAt != nil else { return camera.write(values) }
        let (begun, last) = (clock.now, values.last)
        let isLate = writeRNG.happens(chancePerMillion: faults.lateWrites)
        var isLost = writeRNG.happens(chancePerMillion: faults.lostWrites)
        let isRefused = writeRNG.happens(chancePerMillion: faults.refusedWrites)
        if isLate {
            let periods = Int64(writeRNG.next() % 8_000) + 1_000
            let extra = camera.period * periods / 1_000
            clock.sleep(until: begun + extra)
            record(.fault(.lateWrite, at: begun, last))
        }
        if isRefused {
            record(.fault(.refusedWrite, at: clock.now, last))
            return -EIO
        }
        if isLost { lostWritesLeft = max(lostWritesLeft, faults.lostWriteRun) }
        isLost = lostWritesLeft > 0
        lostWritesLeft = max(0, lostWritesLeft - 1)
        if isLost {
            for value in values { lost[value.control] = value.code }
            record(.fault(.lostWrite, at: clock.now, last))
            return 0
        }
        for value in values { lost[value.control] = nil }
        return camera.write(values)
    }

    /// Reads a control back; a write that was lost reads as if it had reached the sensor.
    func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        if isUnplugged {
            return .failure(DeviceError(.notFound, "the simulated camera is unplugged"))
        }
        return lost[control].map { .success($0) } ?? camera.read(control)
    }

    /// Somebody else changes the exposure, sometimes.
    private func interfere() {
        let bits = frameRNG.next()
        guard frameRNG.happens(chancePerMillion: faults.externalWrites) else { return }
        let value = ControlValue(SimulatedControls.exposure, 1_000 + Int64(bits % 20_000))
        lost[value.control] = nil
        withUnsafePointer(to: value) {
            _ = camera.write(UnsafeBufferPointer(start: $0, count: 1))
        }
        external.append(ControlChange(value.control, value.code, at: clock.now))
        record(.fault(.externalWrite, at: clock.now, value))
    }

    func watch(_ controls: [CameraControl]) { camera.watch(controls) }

    func readControlChange() -> ControlChange? {
        external.isEmpty ? nil : external.removeFirst()
    }
}
