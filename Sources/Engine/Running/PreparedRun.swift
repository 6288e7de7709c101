public import Devices
internal import Imaging
public import Recipes
internal import Records
public import Timebase

/// A camera that is configured and handed over, and lines that are open: everything a run needs before its record
/// exists.
///
/// What can be refused is refused here, before a folder is made.
///
/// Order: format, the camera's own clock and metadata, memory, lines, clocks, then controls. Not on the capture path:
/// it may wait and allocate.
public struct PreparedRun {
    /// What the camera agreed to: exactly what the plan asks for, or nothing is made.
    public let accepted: AcceptedConfiguration
    /// The zero of the session's clock: when preparing began.
    public let epoch: Instant<Monotonic>
    let plan: Plan
    let world: any World
    let writer: SettingsWriter
    /// For cameras that forget their settings when the stream starts.
    let takeover: CameraTakeover
    /// From the driver's layout of rows to that of the record.
    let unpacking: FrameUnpacking
    /// Buffers for every frame that can have to wait: for the disk, or for its group to be whole.
    let pool: FramePool
    /// What the device has of the first settings.
    let applied: AppliedSettings
    /// When all of them had been written.
    let settingsWritten: Instant<Monotonic>
    /// What happened meanwhile, for the record.
    let events: [(event: RunEvent, at: Instant<Monotonic>)]

    /// Prepares the devices of a run.
    ///
    /// - Throws: ``DeviceError`` if a device can't do what the plan asks; all are released then.
    public init(_ plan: Plan, in world: any World) throws {
        self.plan = plan
        self.world = world
        epoch = world.now()
        writer = SettingsWriter(plan: plan, camera: world.camera)
        takeover = CameraTakeover(
            plan: plan, camera: world.camera, writer: writer,
            rest: { world.sleep(until: world.now() + $0) })
        var events: [(RunEvent, Instant<Monotonic>)] = []
        do {
            try Self.checkThermometer(plan, world)
            var accepted = try PreparedRun.configure(plan, world.camera)
            if plan.camera.profile.timestamps.cameraClock != nil {
                accepted.cameraTicksPerSecond = try world.camera.followCameraClock()
            }
            if let format = plan.camera.profile.embeddedData {
                // Without them the ledger states by what else settings are known.
                _ = world.camera.followEmbeddedData(format)
            }
            self.accepted = accepted
            guard let unpacking = FrameUnpacking(accepted.layout) else {
                throw DeviceError(
                    .unsupported,
                    "\(accepted.layout.pixelFormat.name) rows of \(accepted.layout.size.width) pixels"
                        + " can't be unpacked: choose a width that is a multiple of 4")
            }
            self.unpacking = unpacking
            let hasPixels = world.disk?.takesPixels ?? true
            pool = try Self.pool(
                for: plan, bytes: hasPixels ? accepted.layout.recordedByteCount : 1)
            try world.lines.open(plan.lines)
            try world.clocks.open(plan.clocks)
            applied = try takeover.perform { events.append(($0, world.now())) }
        } catch {
            world.camera.stop()
            world.lines.close()
            throw error
        }
        settingsWritten = world.now()
        self.events = events
    }

    /// Releases both devices, for a run that can't begin; not for one that ``Runner/run()`` has begun, which does it
    /// itself.
    public func release() {
        world.camera.stop()
        world.lines.close()
    }

    /// A limit that nothing could show to hold is refused.
    private static func checkThermometer(
        _ plan: Plan, _ world: any World
    ) throws(DeviceError) {
        guard let limit = plan.require.temperature, world.thermometer == nil else { return }
        throw DeviceError(
            .unsupported,
            "the recipe requires a temperature of at most \(limit), and nothing here measures one:"
                + " the kernel has neither a thermal zone (/sys/class/thermal) nor a sensor in"
                + " /sys/class/hwmon; load the board's driver for it, or leave out"
                + " `require: temperature`")
    }

    /// The buffers that the recipe asks for, and one for each frame of the largest group.
    ///
    /// - Throws: ``DeviceError`` with the figures, if they would take more than half of the machine's memory.
    private static func pool(for plan: Plan, bytes: Int) throws(DeviceError) -> FramePool {
        let padded = FrameContainer.paddedByteCount(bytes)
        let held = plan.largestGroup
        let count = plan.output.bufferCount + Int(held)
        let (total, overflow) = count.multipliedReportingOverflow(by: padded)
        guard !overflow, total <= FramePool.byteLimit else {
            let group = held > 0 ? " and \(held) for the largest atomic bracket" : ""
            throw DeviceError(
                .unsupported,
                "\(plan.output.bufferCount) buffers\(group), each of \(padded) bytes, are more than the"
                    + " \(FramePool.byteLimit) bytes that a run may take of this machine's memory:"
                    + " use fewer `buffers`, or a smaller bracket or frame")
        }
        return FramePool(count: count, byteCount: padded)
    }

    /// Sets the format of a plan, after what its profile pins of the layout of pixels.
    ///
    /// - Throws: ``DeviceError`` if the camera can't do exactly that.
    static func configure(
        _ plan: Plan, _ camera: any CameraDriver
    ) throws(DeviceError) -> AcceptedConfiguration {
        try CameraTakeover.setLayout(plan.camera.profile, camera)
        var configuration = plan.camera.configuration
        // The frame length that the plan chose counts, also where no rate is asked for; the first settings may have
        // their own.
        configuration.blanking =
            plan.settings.first?.timing?.blanking ?? plan.camera.profile.timing?.blanking
        return try camera.configure(configuration)
    }
}
