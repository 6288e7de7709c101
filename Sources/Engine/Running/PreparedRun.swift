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
            try CameraHandOver.setLayout(plan, world.camera)
            accepted = try world.camera.configure(plan.camera.configuration)
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
}
