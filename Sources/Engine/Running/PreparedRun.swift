public import Cameras
internal import Imaging
internal import Lines
public import Recipes
internal import Records
public import Timebase

/// A camera that is configured and handed over, and lines that are open: everything a run needs before its record
/// exists.
///
/// What can be refused is refused here, before a folder is made.
public struct PreparedRun {
    /// What the camera agreed to.
    public let accepted: AcceptedConfiguration
    /// The zero of the session's clock.
    public let epoch: Instant<Monotonic>
    let plan: Plan
    let world: any RunWorld
    let writer: SettingsWriter
    let handOver: CameraHandOver
    let unpacking: FrameUnpacking
    let applied: AppliedSettings
    let settingsWritten: Instant<Monotonic>
    /// What happened meanwhile, for the record.
    let events: [(event: RunEvent, at: Instant<Monotonic>)]

    /// Prepares the devices of a run.
    ///
    /// - Throws: ``CameraError`` or ``LineError`` if a device can't do what the plan asks; both devices are released
    ///   then.
    public init(_ plan: Plan, in world: any RunWorld) throws {
        self.plan = plan
        self.world = world
        epoch = world.now()
        writer = SettingsWriter(plan: plan, camera: world.camera)
        handOver = CameraHandOver(plan: plan, camera: world.camera, writer: writer)
        var events: [(RunEvent, Instant<Monotonic>)] = []
        do {
            accepted = try PreparedRun.configure(plan, world.camera)
            guard let unpacking = FrameUnpacking(accepted.layout) else {
                throw CameraError(
                    .unsupported,
                    "\(accepted.layout.pixelFormat.name) rows of \(accepted.layout.size.width) pixels"
                        + " can't be unpacked: choose a width that is a multiple of 4")
            }
            self.unpacking = unpacking
            try world.lines.open(plan.lines)
            applied = try handOver.perform { events.append(($0, world.now())) }
        } catch {
            world.camera.stop()
            world.lines.close()
            throw error
        }
        settingsWritten = world.now()
        self.events = events
    }

    /// Sets the format of a plan, after what its profile pins of the layout of pixels.
    ///
    /// A raw sensor's own timing can be asked then (``CameraProfile/timed(by:at:of:)``), for a plan that goes by it.
    ///
    /// - Throws: ``CameraError`` if the camera can't do exactly that.
    @discardableResult
    public static func configure(
        _ plan: Plan, _ camera: any CameraDriver
    ) throws(CameraError) -> AcceptedConfiguration {
        try CameraHandOver.setLayout(plan, camera)
        return try camera.configure(plan.camera.configuration)
    }
}
