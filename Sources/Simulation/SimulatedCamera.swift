public import Devices
internal import Glibc
internal import Imaging
internal import Timebase

/// The simulated camera: frames on an exact timeline, a linear sensor, control latency, drops from a seed.
///
/// Frame k is read out at start + (k + 1) periods and delivered 2 ms later, or as ``SimulatedDelays`` has it. Injected:
/// drops before delivery (a gap in the sequence), frames lost because all buffers are taken, and what
/// ``SimulatedFaults`` names.
public final class SimulatedCamera: CameraDriver {
    private static let bufferCount = 8

    /// Which camera it is.
    public let identity = CameraIdentity(
        id: CameraIdentity.simulatedID, name: "framelock simulated camera", driver: "simulated",
        bus: "simulation", backend: "simulated", path: "")
    /// No descriptor: the world knows when frames come.
    public var pollDescriptor: Int32 { -1 }

    let clock: SimulatedClock
    let lines: SimulatedLines
    let options: SimulationOptions
    var drops: SplitMix64
    private var writes: SplitMix64
    var timestamps: SplitMix64
    var registers: SimulatedRegisters
    var frameLengths = SimulatedFrameLengths()
    var lens: SimulatedLens
    /// What it looks at; nil for a scene that does not change.
    var changing: ChangingScene?
    /// When timestamps and frames are late, by the number of the frame.
    let jitters: SplitMix64
    private var sensor: SimulatedSensor?
    var layout: FrameLayout?
    /// Frames in a second; nil for a raw sensor, whose blanking decides.
    var rate = FrameRate(frames: 30)
    var buffers = Array(repeating: SimulatedBuffer(), count: bufferCount)
    /// When the stream started; nil while it does not run.
    var startedAt: Instant<Monotonic>?
    /// The sensor's next frame that the driver has not looked at, from 0.
    var nextFrame: Int64 = 0
    var cameraClock: SimulatedTimestamps?
    var metadata: SimulatedMetadataNode?
    /// The last frame that was handed out, while it is to be handed out once more.
    var again: DequeuedFrame?
    /// The sensor of a camera that a line exposes; nil for a free-running one.
    var triggered: TriggeredExposures?

    init(clock: SimulatedClock, lines: SimulatedLines, options: SimulationOptions) {
        self.clock = clock
        self.lines = lines
        self.options = options
        drops = SplitMix64(seed: options.seed).split(1)
        writes = SplitMix64(seed: options.seed).split(4)
        timestamps = SplitMix64(seed: options.seed).split(5)
        registers = SimulatedRegisters(options.faults, options.delays)
        jitters = SplitMix64(seed: options.seed).split(24)
        let changes = options.scene.changes
        if changes != SceneChanges() {
            changing = ChangingScene(
                changes, since: clock.origin, SplitMix64(seed: options.seed))
        }
        lens = SimulatedLens(options.lens, at: SensorState().focusCode)
        if options.triggerLine != nil {
            triggered = TriggeredExposures(
                SimulatedTriggeredSensor(
                    faults: options.lineFaults,
                    random: SplitMix64(seed: options.seed).split(13)))
        }
    }

    /// What the camera offers and how its controls stand.
    public func describe() throws(DeviceError) -> CameraDescription {
        CameraDescription(
            identity: identity, formats: formats,
            controls: registers.describe())
    }

    /// What it offers; a raw sensor has no list of rates, since it keeps time by its registers.
    private var formats: [CameraFormat] {
        guard options.isRawSensor else { return options.delays.formats }
        return options.delays.formats.map { format in
            var format = format
            format.rates = []
            return format
        }
    }

    /// Sets format and rate.
    ///
    /// - Throws: ``DeviceError`` `unsupported` for a format, size, rate or region that it does not have.
    public func configure(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        let isRaw = options.isRawSensor
        let offered = formats.contains {
            $0.pixelFormat == configuration.pixelFormat && $0.size == configuration.size
                && (isRaw || configuration.rate.map($0.rates.contains) ?? true)
        }
        guard configuration.region == nil else {
            throw DeviceError(
                .unsupported,
                "the simulated camera reads out whole pictures: leave `region` out of the recipe")
        }
        guard offered,
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else {
            throw DeviceError(
                .unsupported,
                "the simulated camera does not offer \(configuration.pixelFormat.name) at"
                    + " \(configuration.size): `framelock devices` lists what it does")
        }
        self.layout = layout
        rate = isRaw ? nil : configuration.rate ?? FrameRate(frames: 30)
        registers.rawSize = isRaw ? configuration.size : nil
        sensor = SimulatedSensor(layout: layout, options: options, bufferCount: Self.bufferCount)
        return AcceptedConfiguration(layout: layout, rate: rate, bufferCount: Self.bufferCount)
    }

    /// Writes controls in order.
    ///
    /// Each takes as long as ``SimulatedDelays/write``, and the sensor gets it at a random moment within that.
    /// Writing stops at the first that fails.
    ///
    /// - Returns: 0; −5 (EIO), −13 (EACCES) or −22 (EINVAL) as ``SimulatedRegisters`` returns them; −19 (ENODEV) once
    ///   it is unplugged.
    public func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        if isUnplugged { return -ENODEV }
        for value in values {
            let returns = clock.now + options.delays.write
            if options.delays.write > .zero {
                let part = Int64(writes.next() >> 44)
                clock.sleep(until: clock.now + options.delays.write * part / (1 << 20))
            }
            let status = registers.write(value, exposing: frameBeingExposed)
            if value.control == .verticalBlanking { changeFrameLength() }
            clock.sleep(until: returns)
            if status != 0 { return status }
        }
        return 0
    }

    /// Reads one control.
    public func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        if isUnplugged {
            return .failure(DeviceError(.notFound, "the simulated camera is unplugged"))
        }
        guard let code = registers.read(control) else {
            return .failure(
                DeviceError(.unsupported, "the simulated camera has no control \(control.name)"))
        }
        return .success(code)
    }

    /// Timestamps frames with the camera's own clock as well, if the options give it one.
    public func followCameraClock() throws(DeviceError) -> Int64 {
        guard let timing = options.timekeeping.camera else {
            throw DeviceError(
                .unsupported, "the simulated camera was made without a clock of its own")
        }
        cameraClock = SimulatedTimestamps(timing, seed: options.seed)
        return timing.ticksPerSecond
    }

    /// The simulated sensor sends its registers to whoever asks for them.
    public func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool {
        metadata = SimulatedMetadataNode(options)
        return true
    }

    /// Starts the stream.
    public func start() throws(DeviceError) {
        startedAt = clock.now
        nextFrame = 0
        beginFrameLengths()
    }

    /// Stops the stream.
    public func stop() {
        startedAt = nil
    }

    /// The bytes of a frame; made when they are first asked for.
    public func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        let index = Int(frame.buffer)
        guard let sensor else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if !buffers[index].isRendered {
            buffers[index].isRendered = true
            sensor.render(
                frame: buffers[index].frame, state: buffers[index].state,
                light: buffers[index].light, rows: buffers[index].rows,
                patch: buffers[index].conditions?.patch, into: index)
        }
        return sensor.bytes(index)
    }

    /// What a frame that was dequeued and not yet requeued was exposed with.
    func truth(of frame: DequeuedFrame) -> SimulatedFrame {
        let buffer = buffers[Int(frame.buffer)]
        return SimulatedFrame(
            number: buffer.frame, fate: .delivered, sequence: frame.sequence,
            timestamp: frame.timestamp, exposureEnd: buffer.readout,
            codes: buffer.state.codes,
            light: options.scene == .usual ? nil : lightMillionths(of: buffer))
    }

    /// Gives a buffer back.
    public func requeue(_ frame: DequeuedFrame) -> Int32 {
        buffers[Int(frame.buffer)].isTaken = false
        return 0
    }

    /// Whether the frame has come before which the camera is unplugged.
    var isUnplugged: Bool {
        startedAt != nil && options.faults.unpluggedBeforeFrame.map { nextFrame >= $0 } ?? false
    }
}
