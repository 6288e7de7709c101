internal import Cameras
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
    private let command: RunCommand
    private let loaded: LoadedRecipe
    private let world: any RunWorld
    private let plan: Plan
    private let metering: JSONValue?
    private let stop: StopSignals

    /// Reads the recipe, opens the camera that it means and compiles the plan for it.
    init(_ command: RunCommand) throws {
        self.command = command
        var loaded = try LoadedRecipe(command.options)
        stop = StopSignals()
        if loaded.choice.id == "simulated" {
            var simulation = command.simulation
            simulation.triggerLine = loaded.recipe.camera.trigger?.line.value
            world = SimulatedWorld(simulation, stop: stop.requests)
        } else {
            world = LinuxWorld(
                camera: try CameraDiscovery().open(
                    loaded.choice.id, priority: command.exclusive ? .always : .untilStart),
                signals: stop.descriptor)
        }
        var profile = try loaded.profile(for: world.camera.describe())
        var (plan, warnings) = try loaded.plan(profile)
        if profile.sensor != nil {
            // A raw sensor's driver knows its timing once it has the format; that goes before the profile's.
            let camera = world.camera
            try PreparedRun.configure(plan, camera)
            profile = profile.timed(
                by: try camera.controls(), at: plan.camera.configuration.size,
                of: camera.identity.id)
            (plan, warnings) = try loaded.plan(profile)
        }
        if let need = loaded.recipe.metering {
            let found = try RunMetering(need, plan, profile, in: world)
            loaded = loaded.locking(found.values)
            (plan, warnings) = try loaded.plan(profile)
            metering = found.json
        } else {
            metering = nil
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
        } catch {
            prepared.release()
            throw error
        }
        let progress = RunProgress()
        let runner = Runner(prepared, record: record, progress: progress)
        let judgement = try capture(runner, progress)
        stop.release()
        Console.say(
            VerdictText(
                judgement, folder: folder, tally: record.tally, layout: prepared.accepted.layout
            ).text)
        if command.json {
            try Console.output(RunSummary.read(folder.path).json.text(.pretty))
        }
        return judgement.exitCode
    }

    private func record(_ prepared: PreparedRun, in folder: RunFolder) throws -> RunRecord {
        let host = RealTimeHost()
        let grant = host.grant + RealTimeThread.trial(threadOptions)
        for refused in grant.refused {
            Console.log.notice("\(refused.what) not granted: \(refused.refusal ?? "")")
        }
        return try RunRecord(
            in: folder,
            RunDescription(
                version: Framelock.versionText, recipe: loaded.recipe.source.bytes,
                parameters: loaded.recipe.parameters, plan: plan, camera: world.camera.identity,
                accepted: prepared.accepted, epoch: prepared.epoch, realtime: world.realtime(),
                host: HostState.json(grant), metering: metering),
            isDurable: !world.isVirtual)
    }

    /// Runs on a thread of its own, with a real-time priority if the host grants one, and shows progress meanwhile.
    private func capture(_ runner: Runner, _ progress: RunProgress) throws -> Judgement {
        let total = PlanEstimate(plan, bytesPerFrame: 0).slots
        let display = ProgressDisplay(
            progress, total: total, isShown: Console.isInteractive && !command.quiet)
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
        return try work.result()
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
        if let output = command.output { return try RunFolder.create(at: output) }
        let now = world.realtime().convert(BoundedInstant(world.now(), halfWidth: .zero))
        return try RunFolder.create(
            in: command.runsIn ?? "runs", recipe: plan.name, at: now.instant)
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
