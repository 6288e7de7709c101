public import Cameras
internal import Glibc
internal import Imaging
internal import Timebase

/// The simulated camera: frames on an exact timeline, a linear sensor, control latency, drops from a seed.
///
/// Frame k is read out at start + (k + 1) periods and delivered 2 ms later, or as ``SimulatedDelays`` says. Injected:
/// drops before delivery (a gap in the sequence), frames lost because all buffers are taken, and what
/// ``SimulatedFaults`` names.
public final class SimulatedCamera: CameraDriver {
    private static let bufferCount = 8

    private struct Buffer {
        var isTaken = false
        var frame: Int64 = 0
        /// When its readout began.
        var readout = Instant<Monotonic>.distantPast
        var state = SensorState()
        var light = SceneLight()
        /// The light of each row, where it differs.
        var rows: [SceneLight] = []
        var isRendered = false
    }

    /// Which camera it is.
    public let identity = CameraIdentity(
        id: "simulated", name: "framelock simulated camera", driver: "simulated",
        bus: "simulation", backend: "simulated", path: "")
    /// No descriptor: the world knows when frames come.
    public var pollDescriptor: Int32 { -1 }

    private let clock: SimulatedClock
    private let lines: SimulatedLines
    private let options: SimulationOptions
    private var drops: SplitMix64
    private var writes: SplitMix64
    private var stamps: SplitMix64
    private var registers: SimulatedRegisters
    private var lens: SimulatedLens
    private var sensor: SimulatedSensor?
    private var layout: FrameLayout?
    private var rate = FrameRate(frames: 30)
    private var buffers = Array(repeating: Buffer(), count: bufferCount)
    private var startedAt: Instant<Monotonic>?
    private var nextFrame: Int64 = 0
    private var cameraClock: SimulatedStamps?
    private var metadata: SimulatedMetadataNode?
    /// The last frame that was handed out, while it is to be handed out once more.
    private var again: DequeuedFrame?
    /// The sensor of a camera that a line exposes; nil for a free-running one.
    private var triggered: TriggeredExposures?

    init(clock: SimulatedClock, lines: SimulatedLines, options: SimulationOptions) {
        self.clock = clock
        self.lines = lines
        self.options = options
        drops = SplitMix64(seed: options.seed).split(1)
        writes = SplitMix64(seed: options.seed).split(4)
        stamps = SplitMix64(seed: options.seed).split(5)
        registers = SimulatedRegisters(options.faults, options.delays)
        lens = SimulatedLens(options.lens, at: SensorState().focusCode)
        if options.triggerLine != nil {
            triggered = TriggeredExposures(
                SimulatedTriggeredSensor(
                    faults: options.lineFaults,
                    random: SplitMix64(seed: options.seed).split(13)))
        }
    }

    /// What the camera offers and how its controls stand.
    public func describe() throws(CameraError) -> CameraDescription {
        CameraDescription(
            identity: identity, formats: options.delays.formats,
            controls: registers.describe())
    }

    /// Sets format and rate.
    public func configure(
        _ configuration: CaptureConfiguration
    ) throws(CameraError) -> AcceptedConfiguration {
        let offered = options.delays.formats.contains {
            $0.pixelFormat == configuration.pixelFormat && $0.size == configuration.size
                && (configuration.rate.map($0.rates.contains) ?? true)
        }
        guard offered, configuration.region == nil,
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else {
            throw CameraError(
                .unsupported,
                "the simulated camera does not offer \(configuration.pixelFormat.name) at"
                    + " \(configuration.size): `framelock devices` lists what it does")
        }
        self.layout = layout
        rate = configuration.rate ?? FrameRate(frames: 30)
        sensor = SimulatedSensor(layout: layout, options: options, bufferCount: Self.bufferCount)
        return AcceptedConfiguration(layout: layout, rate: rate, bufferCount: Self.bufferCount)
    }

    /// Writes controls in order.
    public func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        if isUnplugged { return -ENODEV }
        for value in values {
            let returns = clock.now + options.delays.write
            if options.delays.write > .zero {
                let part = Int64(writes.next() >> 44)
                clock.sleep(until: clock.now + options.delays.write * part / (1 << 20))
            }
            let status = registers.write(value, exposing: frameBeingExposed)
            clock.sleep(until: returns)
            if status != 0 { return status }
        }
        return 0
    }

    /// Reads one control.
    public func read(_ control: CameraControl) -> Result<Int64, CameraError> {
        if isUnplugged {
            return .failure(CameraError(.notFound, "the simulated camera is unplugged"))
        }
        guard let code = registers.read(control) else {
            return .failure(
                CameraError(.unsupported, "the simulated camera has no control \(control.name)"))
        }
        return .success(code)
    }

    /// Stamps frames with the camera's own clock as well, if the options give it one.
    public func followCameraClock() throws(CameraError) -> Int64 {
        guard let timing = options.timekeeping.camera else {
            throw CameraError(
                .unsupported, "the simulated camera was made without a clock of its own")
        }
        cameraClock = SimulatedStamps(timing, seed: options.seed)
        return timing.ticksPerSecond
    }

    /// The simulated sensor sends its registers to whoever asks for them.
    public func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool {
        metadata = SimulatedMetadataNode(options)
        return true
    }

    /// Starts the stream.
    public func start() throws(CameraError) {
        startedAt = clock.now
        nextFrame = 0
    }

    /// Stops the stream.
    public func stop() {
        startedAt = nil
    }

    /// When the next frame is delivered.
    var nextDelivery: Instant<Monotonic> {
        guard startedAt != nil else { return .distantFuture }
        if triggered != nil {
            expose()
            return triggered?.frames.first.map { delivery(readout: $0.readout) } ?? .distantFuture
        }
        return delivery(readout: readout(of: nextFrame))
    }

    /// Takes the oldest frame whose time has come.
    public func dequeue() -> DequeueResult {
        if let frame = handOutAgain() { return .frame(frame) }
        if triggered != nil { return dequeueTriggered() }
        while clock.now >= nextDelivery {
            if isUnplugged { return .failed(errno: ENODEV) }
            let frame = nextFrame
            nextFrame += 1
            let state = state(ofFrame: frame)
            metadata?.send(state, number: UInt32(truncatingIfNeeded: frame))
            let stamp = readout(of: frame) + options.shutter.lateness(stamps.next())
            let exposure = Interval.microseconds(state.exposureMicroseconds)
            let end = firstEnd(of: frame)
            lines.expose(from: end - exposure, to: end)
            let isDropped = drops.happens(chancePerMillion: options.dropsPerMillion)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            let light = SceneLight(lines: lines, from: end - exposure, to: end)
            buffers[free] = Buffer(
                isTaken: true, frame: frame, readout: readout(of: frame), state: state,
                light: light,
                rows: rowLights(of: frame, exposure))
            let delivered = self.frame(frame, count: frame, stamped: stamp, in: free)
            if options.lies.repeated.contains(frame) { again = delivered }
            return .frame(delivered)
        }
        return .empty
    }

    /// A frame as the driver hands it out, with what it says that is not true.
    ///
    /// - Parameters:
    ///   - frame: its number.
    ///   - count: the driver's, if that told the truth.
    private func frame(
        _ frame: Int64, count: Int64, stamped stamp: Instant<Monotonic>, in buffer: Int
    ) -> DequeuedFrame {
        let lies = options.lies
        return DequeuedFrame(
            buffer: Int32(buffer),
            sequence: lies.sequence(
                frame: frame, count: count, countAtReset: lies.reset?.frame ?? 0),
            timestamp: lies.stamp(
                frame: frame, truth: clock.stamp(stamp),
                first: clock.stamp(readout(of: lies.wrongStamps.lowerBound))),
            cameraStamp: cameraClock?.stamp(buffers[buffer].readout, at: clock),
            embedded: metadata?.data(of: UInt32(truncatingIfNeeded: count)),
            byteCount: layout?.byteCount ?? 0, isDamaged: false)
    }

    /// The last frame once more, if that is what the driver does.
    private func handOutAgain() -> DequeuedFrame? {
        guard var frame = again, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
            return nil
        }
        again = nil
        buffers[free] = buffers[Int(frame.buffer)]
        buffers[free].isTaken = true
        buffers[free].isRendered = false
        frame.buffer = Int32(free)
        return frame
    }

    /// Lets the sensor see the pulses that have come.
    private func expose() {
        while let pulse = lines.takeTriggerPulse() {
            guard let startedAt, pulse.time >= startedAt, let number = triggered?.count else {
                continue
            }
            let state = registers.state(ofFrame: number)
            triggered?.take(pulse, state)
        }
    }

    private func dequeueTriggered() -> DequeueResult {
        while clock.now >= nextDelivery, let frame = triggered?.frames.first {
            if isUnplugged { return .failed(errno: ENODEV) }
            triggered?.frames.removeFirst()
            nextFrame += 1
            if frame.fate == .lostInside { continue }
            let sequence = triggered?.takeSequence() ?? 0
            metadata?.send(frame.state, number: sequence)
            let isDropped =
                frame.fate == .lostByDriver
                || drops.happens(chancePerMillion: options.dropsPerMillion)
            let begin = frame.readout - .microseconds(frame.state.exposureMicroseconds)
            lines.expose(from: begin, to: frame.readout)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            buffers[free] = Buffer(
                isTaken: true, frame: nextFrame - 1, readout: frame.readout, state: frame.state,
                light: SceneLight(lines: lines, from: begin, to: frame.readout))
            let stamp = frame.readout + options.shutter.lateness(stamps.next())
            let delivered = self.frame(
                nextFrame - 1, count: Int64(sequence), stamped: stamp, in: free)
            if options.lies.repeated.contains(nextFrame - 1) { again = delivered }
            return .frame(delivered)
        }
        return .empty
    }

    /// The bytes of a frame; made when they are first asked for.
    public func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        let index = Int(frame.buffer)
        guard let sensor else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if !buffers[index].isRendered {
            buffers[index].isRendered = true
            sensor.render(
                frame: buffers[index].frame, state: buffers[index].state,
                light: buffers[index].light, rows: buffers[index].rows, into: index)
        }
        return sensor.bytes(index)
    }

    /// What a frame that was dequeued and not yet requeued was exposed with.
    func truth(of frame: DequeuedFrame) -> SimulatedFrame {
        let buffer = buffers[Int(frame.buffer)]
        return SimulatedFrame(
            number: buffer.frame, fate: .delivered, sequence: frame.sequence,
            stamp: frame.timestamp, exposureEnd: buffer.readout,
            codes: buffer.state.codes)
    }

    /// Gives a buffer back.
    public func requeue(_ frame: DequeuedFrame) -> Int32 {
        buffers[Int(frame.buffer)].isTaken = false
        return 0
    }

    /// Whether the frame has come before which the camera is unplugged.
    private var isUnplugged: Bool {
        startedAt != nil && options.faults.unpluggedBeforeFrame.map { nextFrame >= $0 } ?? false
    }

    /// What a frame is exposed with; frames are asked for in order.
    private func state(ofFrame frame: Int64) -> SensorState {
        if options.hasWorkingAutomatics { registers.runAutomatics(options.scene) }
        var state = registers.state(ofFrame: frame)
        let end = readout(of: frame)
        // A command that this frame is the first to show reached the lens when the last one ended.
        lens.move(to: state.focusCode, at: readout(of: frame - 1))
        state.lensError = lens.error(at: end - .microseconds(state.exposureMicroseconds / 2))
        return state
    }

    /// When a frame's exposure ends and its readout begins.
    private func readout(of frame: Int64) -> Instant<Monotonic> {
        guard let startedAt, let rate else { return .distantFuture }
        return startedAt + rate.duration(ofFrames: frame + 1)
    }

    /// When the exposure of the row ends that is read first.
    private func firstEnd(of frame: Int64) -> Instant<Monotonic> {
        let shutter = options.shutter
        return readout(of: frame) + shutter.endOffset
            + shutter.rowTime * Int64(shutter.embeddedRows)
    }

    /// The light of each row; empty where it is the same for all.
    private func rowLights(of frame: Int64, _ exposure: Interval) -> [SceneLight] {
        let (start, rows) = (readout(of: frame), layout?.size.height ?? 0)
        guard options.shutter.rowTime > .zero else { return [] }
        return (0..<rows).map { row in
            let end = start + options.shutter.end(ofRow: row, of: rows)
            return SceneLight(lines: lines, from: end - exposure, to: end)
        }
    }

    /// How long a frame takes to be read.
    private var rowsReadout: Interval {
        options.shutter.readout(rows: layout?.size.height ?? 0)
    }

    /// When a frame has come whose readout begins then.
    private func delivery(readout: Instant<Monotonic>) -> Instant<Monotonic> {
        readout + options.delays.transfer + rowsReadout
    }

    /// The first frame whose readout has not begun.
    private var frameBeingExposed: Int64 {
        guard startedAt != nil else { return -2 }
        if let triggered { return triggered.count }
        var frame = max(0, nextFrame - 2)
        while readout(of: frame) <= clock.now { frame += 1 }
        return frame
    }
}
