public import Devices
public import Imaging
public import Timebase

/// One camera under manual control, for programs: ask, and wait for the first frame that surely shows it.
///
/// A session owns its world: one thread of its own streams, writes controls and hands frames out. Requests cross to it
/// by a queue and are carried out in order of issue. In virtual time the clock stands still unless somebody waits for
/// a request, a frame or ``advance(frames:)``, so that the same program gives the same frames each time.
public final class CameraSession: Sendable {
    /// How a session is set up.
    public struct Options: Hashable, Sendable {
        /// Frames that consumers can hold at the same time.
        public var poolCount = 8
        /// What is measured in every frame, needed or not; each part costs time.
        public var measured = FrameMeter.Subjects.all
        /// A stream that delivers no frame for so long is given up.
        public var patience = Interval.seconds(5)
        /// How many frames pass between two readings of what the session does not hold.
        ///
        /// That is what the camera's automatics and other programs set. With 1, no such change is seen after its light;
        /// each reading costs time.
        public var observeEveryFrames = 8

        /// Creates options.
        public init() {}
    }

    /// What the camera agreed to.
    public let accepted: AcceptedConfiguration
    /// The camera's profile in this format, as far as the device goes along with it.
    public let profile: CameraProfile
    /// Which camera it is.
    public let identity: CameraIdentity
    /// From the device's clock to the session's, which starts when the session does.
    public let sessionClock: ClockRelation<Monotonic, Session>

    let mailbox: SessionMailbox
    let outputs = SessionOutputs()

    /// Sets a camera up, reads how it stands, and begins to stream.
    ///
    /// - Parameters:
    ///   - world: the camera and its time; from now on the session's own.
    ///   - profile: what is known of the camera.
    ///   - configuration: how it is to deliver frames.
    ///   - options: everything else.
    ///   - wakeWorld: ends the world's wait from another thread; without it a request may wait for the next frame.
    /// - Throws: `DeviceError` if the camera can't do that; it is released then.
    public init(
        world: sending any World, profile: CameraProfile, configuration: CaptureConfiguration,
        options: Options = Options(), wakeWorld: @escaping @Sendable () -> Void = {}
    ) throws {
        identity = world.camera.identity
        sessionClock = ClockRelation(sessionStart: world.now())
        mailbox = SessionMailbox(wakeWorld: wakeWorld)
        do {
            accepted = try world.camera.configure(configuration)
            let device = try world.camera.describe()
            self.profile = try profile.timed(by: device, in: configuration)
                .adapted(to: configuration).narrowed(to: device)
            let intake = try FrameIntake(
                camera: world.camera, accepted: accepted, profile: self.profile,
                poolCount: options.poolCount, measured: options.measured)
            var manual = ManualOptions(cameraID: identity.id, rate: accepted.rate)
            manual.observeEveryFrames = options.observeEveryFrames
            var machine = ManualCamera(profile: self.profile, options: manual)
            try Self.begin(&machine, world)
            mailbox.state = machine.state
            outputs.publish(machine.state)
            let loop = SessionLoop(
                world: world, machine: machine, mailbox: mailbox, outputs: outputs,
                intake: intake, patience: options.patience)
            let takeover = Takeover(loop)
            let thread = HostThread(.ordinary("fl-camera")) { takeover.loop.run() }
            guard let thread else {
                throw DeviceError(.failed, "the host can't start a thread for the camera")
            }
            // Nobody waits for it: it ends with its session.
            thread.leave()
        } catch {
            world.camera.stop()
            throw error
        }
    }

    deinit {
        mailbox.close()
    }

    /// Ends the stream; requests that are open fail, and outputs end.
    public func close() {
        mailbox.close()
    }

    /// Ends the stream, and waits until the camera is stopped and anybody can have it.
    public func end() async {
        mailbox.close()
        await mailbox.waitForEnd()
    }

    /// What was observed last.
    public var state: ManualState { mailbox.state }

    /// Sets a sensor's frame length, and reads how the camera stands.
    private static func begin(
        _ machine: inout ManualCamera, _ world: any World
    ) throws(DeviceError) {
        if let blanking = machine.profile.timing?.blanking {
            let exchange = ControlExchange([.write([blanking], isOptional: false)])
            let result = ControlPort(world: world).perform(exchange)
            if let failure = result.failure { throw failure }
        }
        for action in machine.begin() {
            guard case .perform(let exchange) = action else { continue }
            let result = ControlPort(world: world).perform(exchange)
            if let failure = result.failure { throw failure }
            _ = machine.handle(.performed(result), at: world.now())
        }
    }

    /// The loop on its way to its thread, which alone touches it from then on; that is why it may be shared.
    private final class Takeover: @unchecked Sendable {
        let loop: SessionLoop
        init(_ loop: SessionLoop) { self.loop = loop }
    }
}
