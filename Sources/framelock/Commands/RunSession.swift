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
    private let stop: StopSignals

    /// Reads the recipe, opens the camera that it means and compiles the plan for it.
    init(_ command: RunCommand) throws {
        self.command = command
        loaded = try LoadedRecipe(command.options)
        stop = StopSignals()
        if loaded.choice.id == "simulated" {
            world = SimulatedWorld(command.simulation, stop: stop.requests)
        } else {
            world = LinuxWorld(
                camera: try CameraDiscovery().open(
                    loaded.choice.id, priority: command.exclusive ? .always : .untilStart),
                signals: stop.descriptor)
        }
        let profile = try loaded.profile(for: world.camera.describe())
        let warnings: String?
        (plan, warnings) = try loaded.plan(profile)
        if let warnings { Console.say(warnings + "\n") }
    }

    /// Runs; returns the exit code.
    func run() throws -> Int32 {
        let prepared = try PreparedRun(plan, in: world)
        let path = folderPath()
        let folder: RunFolder
        do {
            folder = try RunFolder.create(at: path)
        } catch {
            world.camera.stop()
            throw error
        }
        let host = RealTimeHost()
        let grant = host.grant + RealTimeThread.trial(threadOptions)
        for refused in grant.refused {
            Console.log.notice("\(refused.what) not granted: \(refused.refusal ?? "")")
        }
        let realtime = world.realtime()
        let record = try RunRecord(
            in: folder,
            RunDescription(
                version: Framelock.versionText, recipe: loaded.recipe.source.bytes,
                parameters: loaded.recipe.parameters, plan: plan, camera: world.camera.identity,
                accepted: prepared.accepted, epoch: prepared.epoch, realtime: realtime,
                host: HostState.json(grant)),
            isDurable: !world.isVirtual)
        let progress = RunProgress()
        let runner = Runner(prepared, record: record, progress: progress)
        let judgement = try capture(runner, progress)
        stop.release()
        Console.say(
            VerdictText(
                judgement, folder: folder, tally: record.tally, layout: prepared.accepted.layout
            ).text)
        return judgement.exitCode
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
            stop.pass()
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

    private func folderPath() -> String {
        if let output = command.output { return output }
        let now = world.realtime().convert(BoundedInstant(world.now(), halfWidth: .zero))
        let name = RunFolder.defaultName(recipe: plan.name, at: now.instant)
        return "\(command.runsIn ?? "runs")/\(name)"
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
