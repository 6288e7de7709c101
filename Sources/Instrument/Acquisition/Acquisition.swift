internal import Devices
public import Engine
internal import Glibc
internal import LinuxDevices
internal import Logging
internal import Notation
public import Recipes
internal import Records
internal import Simulation
internal import Timebase

/// One acquisition: a recipe that is understood, its camera open and set, its plan compiled; it can run once.
///
/// ``prepare(_:_:)`` refuses whatever can be refused before a folder is made. The plan is compiled once, and once more
/// where metering found values for it.
///
/// Belongs to the thread that prepared it, ``stop()`` and ``progress`` excepted. One that is given up without a run
/// releases its devices with it.
public final class Acquisition {
    /// What is going to be done, with what metering found locked in it.
    public let plan: Plan
    /// How far the run is; may be read on any thread.
    public let progress = RunProgress()

    /// Camera, lines, clocks and time; the capture thread's alone while a run lasts.
    let world: any World
    /// The recipe that ``plan`` was compiled from: after metering the one with the found values in its lock.
    private let recipe: LoadedRecipe
    private let options: AcquisitionOptions
    private let prepared: PreparedRun
    /// How metering ended, for the manifest; nil if the recipe meters nothing.
    private let metering: JSONValue?
    private let preview: RunPreview?
    private let stopRequests: StopRequests
    private let wakeUp: WakeUp?
    /// Keeps memory locked and CPUs awake from before the run until the acquisition goes; nil for a simulation.
    private var realTimeHost: RealTimeHost?
    /// Takes down the truth of a simulation.
    private let truth: TruthFile?
    /// Whether a runner has taken the devices over; until then the deinitialiser has to release them.
    private var hasRun = false

    /// Reads a recipe, opens the camera that it means, compiles the plan for it and sets every device.
    ///
    /// - Throws: ``Failure`` for what is wrong with recipe, rig or profile, and where metering finds no value;
    ///   `DeviceError` if a device is not there or refuses.
    public static func prepare(
        _ request: RecipeRequest, _ options: AcquisitionOptions = AcquisitionOptions()
    ) throws -> Acquisition {
        try Acquisition(LoadedRecipe(request), options)
    }

    /// Opens, plans, meters, plans once more and sets every device, in this order.
    ///
    /// The camera is open before anything is compiled, since a raw sensor reports its timing in its mode only. Metering
    /// comes between, since its session has the camera to itself and its values change the plan. Warnings are handed
    /// over before the devices are set; nothing that the recipe alone can be refused for is left then.
    private init(_ recipe: LoadedRecipe, _ options: AcquisitionOptions) throws {
        self.options = options
        truth = options.faults == nil ? nil : TruthFile()
        stopRequests = options.stop?.requests ?? StopRequests()
        wakeUp = WakeUp()
        world = try recipe.open(options, stopRequests, wakeUp, truth)
        var recipe = recipe
        let profile: CameraProfile
        var (plan, found): (Plan, DiagnosticList)
        (profile, plan, found) = try recipe.plan(with: world.camera)
        var metering: JSONValue?
        if let need = recipe.recipe.metering {
            let metered = try RunMetering(
                need, plan, profile, in: world, stop: stopRequests)
            metering = metered.json
            recipe = recipe.locking(metered.values)
            (plan, found) = try recipe.plan(profile)
        }
        if options.simulation?.disk == .simulatedWithoutPixels, !plan.stills.isEmpty {
            throw Failure.usage(
                "--no-pixels leaves nothing to make stills of: take `still` out of the recipe, or"
                    + " record pixels")
        }
        (self.recipe, self.plan, self.metering) = (recipe, plan, metering)
        options.onWarning(recipe.text(of: found))
        let pictures = try options.preview.map { try PreviewPictures($0, plan.camera) }
        let prepared = try PreparedRun(plan, in: world)
        preview = pictures.map { RunPreview($0, prepared.accepted) }
        self.prepared = prepared
    }

    deinit {
        if !hasRun { prepared.release() }
    }

    /// Asks the run to end in order; a second time, at once.
    ///
    /// From any thread.
    public func stop() {
        stopRequests.request()
        wakeUp?.signal()
    }

    /// Whether time jumps over waits.
    package var isVirtual: Bool { world.isVirtual }

    /// What people should know of the camera's set-up.
    package var notices: [String] { world.camera.notices }

    /// Runs on a thread of its own, with a real-time priority if the host grants one, and returns at the end.
    ///
    /// - Parameters:
    ///   - destination: where the record is made.
    ///   - meanwhile: is called on this thread twenty times a second.
    /// - Precondition: it has not run yet.
    /// - Throws: ``Failure`` with exit code 74 where the disk has no room for the whole run, unless
    ///   ``AcquisitionOptions/fillsDisk``; `StorageError` if the record can't be made or ended, `DeviceError` if the
    ///   stream does not start.
    public func run(
        into destination: RunDestination, meanwhile: () -> Void = {}
    ) throws -> AcquisitionOutcome {
        precondition(!hasRun, "an acquisition runs once")
        try requireRoom(destination.place)
        let folder = try makeFolder(destination)
        let record = try record(in: folder)
        try truth?.open(in: folder)
        hasRun = true
        let runner = Runner(
            prepared, record: record, progress: progress, preview: preview?.tap)
        let judgement = try capture(runner, meanwhile)
        return AcquisitionOutcome(
            judgement: judgement, folder: folder, tally: record.tally,
            frames: record.container.map {
                ("\(folder.path)/\($0.path)", $0.title, prepared.accepted.layout)
            },
            whyNoFrames: runner.whyNoFrames, truth: try truth?.finish())
    }

    /// Starts the record: everything that the manifest has before the first frame.
    ///
    /// A run in virtual time does not wait for the disk, and a simulation keeps pixels only where its own disk takes
    /// them.
    ///
    /// - Throws: `StorageError` if a file can't be made.
    private func record(in folder: RunFolder) throws -> RunRecord {
        var description = RunDescription(
            version: FramelockVersion.text, recipe: recipe.recipe.source.bytes,
            parameters: recipe.recipe.parameters, plan: plan, camera: world.camera.identity,
            accepted: prepared.accepted, epoch: prepared.epoch, realtime: world.realtime(),
            host: host(), metering: metering)
        description.thermometer = world.thermometer?.name
        description.clockResolution = world.clockResolution
        if options.faults == nil { description.hostAtEnd = { .object(HostFacts().changing) } }
        return try RunRecord(
            in: folder, description,
            isDurable: !world.isVirtual, keepsPixels: world.disk?.takesPixels ?? true)
    }

    /// The host's state as the manifest has it.
    ///
    /// Of a simulation it is only what was asked for, so that the same seed leaves the same record everywhere.
    /// Otherwise the rights of process and capture thread are tried beforehand, and each that the kernel refuses is
    /// logged as a notice: the run goes on without.
    private func host() -> JSONValue {
        if let faults = options.faults {
            return [
                "simulated": true,
                "seed": .string("\(options.simulationOrDefault.seed)"),
                "faults": .string(faults),
                "scene": .string(options.scene),
            ]
        }
        let host = RealTimeHost()
        realTimeHost = host
        let grant = host.grant + HostThread.trial(threadOptions)
        for refused in grant.refused {
            Log.framelock.notice("\(refused.what) not granted: \(refused.refusal ?? "")")
        }
        return HostState.json(grant, HostFacts().atStart(camera: world.camera.identity))
    }

    /// Starts the capture thread, and looks after preview and caller every 50 ms until it is done.
    ///
    /// - Throws: ``Failure`` with exit code 70 if the host can't start a thread, else what ended the runner.
    private func capture(_ runner: Runner, _ meanwhile: () -> Void) throws -> Judgement {
        let work = CaptureWork(runner)
        guard let thread = HostThread(threadOptions, body: { work.perform() }) else {
            throw Failure(exitCode: 70, message: "the host can't start a thread")
        }
        while !work.isDone {
            usleep(50_000)
            meanwhile()
            preview?.update()
        }
        thread.join()
        preview?.update(isLast: true)
        note(stackBytesUsed: thread.stackBytesUsed)
        return try work.result()
    }

    /// Logs how much of its stack the capture thread used, and warns from three quarters on, before a longer run
    /// overflows it.
    ///
    /// - Parameter stackBytesUsed: nil where the thread did not measure it.
    private func note(stackBytesUsed: Int?) {
        guard let used = stackBytesUsed else { return }
        let most = threadOptions.stackBytes
        Log.framelock.debug("the capture thread used \(used) of \(most) bytes of its stack")
        if used > most / 4 * 3 {
            Log.framelock.warning(
                "the capture thread used \(used) of \(most) bytes of its stack: report this")
        }
    }

    /// SCHED_FIFO with priority 75 where time is real; in virtual time an ordinary thread, since nothing can come late.
    private var threadOptions: HostThread.Options {
        HostThread.Options(name: "framelock", priority: world.isVirtual ? nil : 75)
    }

    /// Refuses a run that the disk has no room for, before anything of it is there.
    ///
    /// - Throws: ``Failure`` with exit code 74.
    private func requireRoom(_ place: String) throws {
        let need = DiskNeed(plan, keepsPixels: world.disk?.takesPixels ?? true, at: place)
        guard need.isTooMuch, !options.fillsDisk else { return }
        throw Failure.inputOutput(need.shortage)
    }

    /// Makes the run folder, once everything that can be refused without one has been looked at.
    ///
    /// - Throws: `StorageError` if it is there already or can't be made.
    private func makeFolder(_ destination: RunDestination) throws -> RunFolder {
        switch destination {
        case .exactly(let path): return try RunFolder.create(at: path)
        case .new(let parent):
            // A simulation has its time from its seed; its folder is one of today all the same.
            let (relation, time) =
                truth == nil
                ? (world.realtime(), world.now()) : (KernelClock.realtime(), KernelClock.now())
            let now = relation.convert(BoundedInstant(time, halfWidth: .zero)).instant
            return try RunFolder.create(in: parent, recipe: plan.name, at: now)
        }
    }
}
