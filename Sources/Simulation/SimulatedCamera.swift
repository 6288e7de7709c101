public import Cameras
internal import Glibc
internal import Imaging
internal import Timebase

/// The simulated camera: frames on an exact timeline, a linear sensor, control latency, drops from a seed.
///
/// Frame k is read out at start + (k + 1) periods and delivered 2 ms later. Injected: drops before delivery (a gap in
/// the sequence), frames lost because all buffers are taken, and what ``SimulatedFaults`` names.
public final class SimulatedCamera: CameraDriver {
    private static let transfer = Interval.milliseconds(2)
    private static let bufferCount = 8

    private struct Buffer {
        var isTaken = false
        var frame: Int64 = 0
        var state = SensorState()
        var light = SceneLight()
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
    private var registers: SimulatedRegisters
    private var lens: SimulatedLens
    private var sensor: SimulatedSensor?
    private var layout: FrameLayout?
    private var rate = FrameRate(frames: 30)
    private var buffers = Array(repeating: Buffer(), count: bufferCount)
    private var startedAt: Instant<Monotonic>?
    private var nextFrame: Int64 = 0
    /// The sensor of a camera that a line exposes; nil for a free-running one.
    private var triggered: TriggeredExposures?

    init(clock: SimulatedClock, lines: SimulatedLines, options: SimulationOptions) {
        self.clock = clock
        self.lines = lines
        self.options = options
        drops = SplitMix64(seed: options.seed).split(1)
        registers = SimulatedRegisters(options.faults)
        lens = SimulatedLens(options.lens, at: SensorState().focusCode)
        if options.triggerLine != nil {
            triggered = TriggeredExposures(
                SimulatedTriggeredSensor(
                    faults: options.lineFaults,
                    random: SplitMix64(seed: options.seed).split(4)))
        }
    }

    /// What the camera offers and how its controls stand.
    public func describe() throws(CameraError) -> CameraDescription {
        CameraDescription(
            identity: identity, formats: CameraProfile.simulated.formats,
            controls: registers.describe())
    }

    /// Sets format and rate.
    public func configure(
        _ configuration: CaptureConfiguration
    ) throws(CameraError) -> AcceptedConfiguration {
        let offered = CameraProfile.simulated.formats.contains {
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
            let status = registers.write(value, exposing: frameBeingExposed)
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
            return triggered?.frames.first.map { $0.readout + Self.transfer } ?? .distantFuture
        }
        return readout(of: nextFrame) + Self.transfer
    }

    /// Takes the oldest frame whose time has come.
    public func dequeue() -> DequeueResult {
        if triggered != nil { return dequeueTriggered() }
        while clock.now >= nextDelivery {
            if isUnplugged { return .failed(errno: ENODEV) }
            let frame = nextFrame
            nextFrame += 1
            let state = state(ofFrame: frame)
            let isDropped = drops.happens(chancePerMillion: options.dropsPerMillion)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            let end = readout(of: frame)
            let light = SceneLight(
                lines: lines, from: end - .microseconds(state.exposureMicroseconds), to: end)
            buffers[free] = Buffer(isTaken: true, frame: frame, state: state, light: light)
            return .frame(
                DequeuedFrame(
                    buffer: Int32(free), sequence: UInt32(truncatingIfNeeded: frame),
                    timestamp: truncatedToMicroseconds(end), byteCount: layout?.byteCount ?? 0,
                    isDamaged: false))
        }
        return .empty
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
            let isDropped =
                frame.fate == .lostByDriver
                || drops.happens(chancePerMillion: options.dropsPerMillion)
            guard !isDropped, let free = buffers.firstIndex(where: { !$0.isTaken }) else {
                continue
            }
            let light = SceneLight(
                lines: lines, from: frame.readout - .microseconds(frame.state.exposureMicroseconds),
                to: frame.readout)
            buffers[free] = Buffer(
                isTaken: true, frame: nextFrame - 1, state: frame.state, light: light)
            return .frame(
                DequeuedFrame(
                    buffer: Int32(free), sequence: sequence,
                    timestamp: truncatedToMicroseconds(frame.readout),
                    byteCount: layout?.byteCount ?? 0, isDamaged: false))
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
                light: buffers[index].light, into: index)
        }
        return sensor.bytes(index)
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

    /// The first frame whose readout has not begun.
    private var frameBeingExposed: Int64 {
        guard startedAt != nil else { return -2 }
        if let triggered { return triggered.count }
        var frame = max(0, nextFrame - 2)
        while readout(of: frame) <= clock.now { frame += 1 }
        return frame
    }

    private func truncatedToMicroseconds(_ time: Instant<Monotonic>) -> Instant<Monotonic> {
        Instant(nanoseconds: time.nanoseconds / 1_000 * 1_000)
    }
}
