internal import Devices
internal import Engine
internal import Glibc
internal import LinuxDevices
internal import Logging
internal import Notation
internal import Recipes
internal import Records
internal import Simulation
internal import Synchronization
internal import Timebase

/// One run, from the recipe to the verdict.
struct RunSession {
    private let settings: RunSettings
    private let loaded: LoadedRecipe
    private let world: any World
    private let plan: Plan
    private let metering: JSONValue?
    private let stop: StopSignals
    /// Takes down the truth of a simulation.
    private let truth: TruthFile?

    /// Reads the recipe, opens the camera that it means and compiles the plan for it.
    init(_ settings: RunSettings) throws {
        self.settings = settings
        var loaded = try LoadedRecipe(settings.options)
        stop = StopSignals()
        truth = settings.faults == nil ? nil : TruthFile()
        if loaded.choice.id == "simulated" || truth != nil {
            let truth = truth
            var simulation = settings.simulation
            simulation.isRawSensor = loaded.profileName?.hasPrefix("simulated-raw") ?? false
            simulation.triggerLine = loaded.recipe.camera.trigger?.line.value
            world = SimulatedWorld(
                simulation, stop: stop.requests,
                truth: truth.map { file in { file.write($0) } })
        } else {
            world = LinuxWorld(
                camera: try CameraDiscovery.ofThisMachine.open(
                    loaded.choice.id, priority: settings.isExclusive ? .always : .untilStart),
                signals: stop.descriptor)
        }
        let planned = try loaded.plan(with: world.camera)
        let profile = planned.profile
        var (plan, warnings) = (planned.plan, planned.warnings)
        if let need = loaded.recipe.metering {
            let found = try RunMetering(need, plan, profile, in: world)
            loaded = loaded.locking(found.values)
            (plan, warnings) = try loaded.plan(profile)
            metering = found.json
        } else {
            metering = nil
        }
        if settings.simulation.disk == .simulatedWithoutPixels, !plan.stills.isEmpty {
            throw Failure.usage(
                "--no-pixels leaves nothing to make stills of: take `still` out of the recipe, or"
                    + " record pixels")
        }
        self.loaded = loaded
        self.plan = plan
        loaded.say(warnings)
    }

    /// Runs; returns the exit code.
    func run() throws -> Int32 {
        let prepared = try PreparedRun(plan, in: world)
        let folder: RunFolder
        let record: RunRecord
        do {
            folder = try makeFolder()
            record = try self.record(prepared, in: folder)
            try truth?.open(in: folder)
        } catch {
            prepared.release()
            throw error
        }
        let progress = RunProgress()
        let runner = Runner(prepared, record: record, progress: progress)
        let judgement = try capture(runner, progress)
        stop.release()
        for reason in runner.whyNoFrames { Console.log.warning("no frame came: \(reason)") }
        for notice in world.camera.notices { Console.log.warning("\(notice)") }
        Console.say(
            VerdictText(
                judgement, folder: folder, tally: record.tally,
                layout: record.keepsPixels ? prepared.accepted.layout : nil
            ).text)
        if let told = try truth?.finish() {
            Console.say("truth     \(folder.path)/truth.jsonl: \(told)\n")
        }
        if settings.recording.json {
            try Console.output(RunSummary.read(folder.path).json.text(.pretty))
        }
        return judgement.exitCode
    }

    private func record(_ prepared: PreparedRun, in folder: RunFolder) throws -> RunRecord {
        var description = RunDescription(
            version: Framelock.versionText, recipe: loaded.recipe.source.bytes,
            parameters: loaded.recipe.parameters, plan: plan, camera: world.camera.identity,
            accepted: prepared.accepted, epoch: prepared.epoch, realtime: world.realtime(),
            host: host(), metering: metering)
        description.thermometer = world.thermometer?.name
        description.clockResolution = world.clockResolution
        return try RunRecord(
            in: folder, description,
            isDurable: !world.isVirtual, keepsPixels: world.disk?.takesPixels ?? true)
    }

    /// The host's state; of a simulation only what it was asked for, so that it leaves the same record everywhere.
    private func host() -> JSONValue {
        if let faults = settings.faults {
            return [
                "simulated": true, "seed": .string("\(settings.simulation.seed)"),
                "faults": .string(faults),
            ]
        }
        let grant = RealTimeHost().grant + RealTimeThread.trial(threadOptions)
        for refused in grant.refused {
            Console.log.notice("\(refused.what) not granted: \(refused.refusal ?? "")")
        }
        return HostState.json(grant)
    }

    /// Runs on a thread of its own, with a real-time priority if the host grants one, and shows progress meanwhile.
    private func capture(_ runner: Runner, _ progress: RunProgress) throws -> Judgement {
        let estimate = PlanEstimate(plan, bytesPerFrame: 0)
        let isTimeKnown = !world.isVirtual && !estimate.waitsForEdges
        let display = ProgressDisplay(
            progress,
            ProgressLine(total: estimate.slots, planned: isTimeKnown ? estimate.duration : nil),
            isShown: Console.isInteractive && !settings.recording.quiet)
        let work = CaptureWork(runner)
        guard let thread = RealTimeThread(threadOptions, body: { work.perform() }) else {
            throw Failure(exitCode: 70, message: "the host can't start a thread")
        }
        var watchdog = Watchdog()
        watchdog.ready()
        while !work.isDone {
            usleep(50_000)
            if !stop.pass() { abandon() }
            display.update()
            watchdog.feed(progress)
        }
        thread.join()
        display.finish()
        note(stackBytesUsed: thread.stackBytesUsed)
        return try work.result()
    }

    private func note(stackBytesUsed: Int?) {
        guard let used = stackBytesUsed else { return }
        let most = threadOptions.stackBytes
        Console.log.debug("the capture thread used \(used) of \(most) bytes of its stack")
        if used > most / 4 * 3 {
            Console.log.warning(
                "the capture thread used \(used) of \(most) bytes of its stack: report this")
        }
    }

    private var threadOptions: RealTimeThread.Options {
        RealTimeThread.Options(name: "framelock", priority: world.isVirtual ? nil : 75)
    }

    /// Leaves at once: a device or a disk hangs, and the person has asked twice.
    private func abandon() -> Never {
        Console.say(
            "framelock: error: a device or the disk does not answer: left as it is, not finalised\n"
        )
        _exit(130)
    }

    private func makeFolder() throws -> RunFolder {
        if let output = settings.recording.output { return try RunFolder.create(at: output) }
        // A simulation has its time from its seed; its folder is one of today all the same.
        let (relation, time) =
            truth == nil
            ? (world.realtime(), world.now()) : (KernelClock.realtime(), KernelClock.now())
        let now = relation.convert(BoundedInstant(time, halfWidth: .zero)).instant
        return try RunFolder.create(
            in: settings.recording.runsIn ?? "runs", recipe: plan.name, at: now)
    }
}

/// The runner on its way to the capture thread and its result on the way back.
///
/// Shared without a lock: the thread alone touches runner and outcome until it sets `done`; the main thread reads the
/// outcome only after that.
private final class CaptureWork: @unchecked Sendable {
    private let runner: Runner
    private var outcome: Result<Judgement, any Error>?
    private let done = Atomic<Bool>(false)

    init(_ runner: Runner) {
        self.runner = runner
    }

    var isDone: Bool { done.load(ordering: .acquiring) }

    func perform() {
        outcome = Result { try runner.run() }
        done.store(true, ordering: .releasing)
    }

    func result() throws -> Judgement {
        guard let outcome else {
            throw Failure(exitCode: 70, message: "the capture thread ended without a result")
        }
        return try outcome.get()
    }
}
