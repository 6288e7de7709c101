internal import Devices
internal import Engine
internal import Imaging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// A world around a ``ReadyCamera``: virtual time, no lines, and a full pool is waited for instead of dropping.
///
/// Time goes on by one period for each frame that is taken, however long that takes: the figure wanted is how fast the
/// run can be, and timestamps that come as fast as the disk takes frames would be those of no camera.
final class ReadyWorld: World {
    let camera: any CameraDriver
    let lines: any LineDriver = NoLines()
    let isVirtual = true
    let stopRequests = 0

    private let ready: ReadyCamera

    init(observe: @escaping (Int64) -> Void = { _ in }) {
        ready = ReadyCamera(observe: observe)
        camera = ready
    }

    func now() -> Instant<Monotonic> { ready.now }

    /// As if the epoch had been when time began.
    func realtime() -> ClockRelation<Monotonic, Realtime> {
        let now = now()
        return ClockRelation(
            before: now, reading: Instant(nanoseconds: now.nanoseconds), after: now)
    }

    func wait(until deadline: Instant<Monotonic>) {}

    func sleep(until time: Instant<Monotonic>) { ready.now = max(ready.now, time) }
}

/// No lines at all.
private final class NoLines: LineDriver {
    let pollDescriptors: [Int32] = []
    func open(_ requests: [LineRequest]) throws(DeviceError) {}
    func readEdge() -> LineEdge? { nil }
    func set(line: Int32, active: Bool) -> Bool { true }
    func close() {}
}

/// A free-running run of so many frames through everything that a real one goes through.
struct ReadyRun {
    let plan: Plan

    init(pixels: String, width: Int, height: Int, frames: Int64) throws {
        guard let format = PixelFormat.named(pixels),
            let size = FrameSize(width: width, height: height)
        else {
            throw BenchmarkProblem("no such frames: \(pixels) \(width)x\(height)")
        }
        let profile = CameraProfile(
            name: "ready",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .zero, readout: .zero))
        let free = PlannedSettings(
            requested: FrameSettings(), quantised: FrameSettings(), codes: [], latencyFrames: 0,
            settle: .zero)
        plan = Plan(
            name: "benchmark",
            camera: PlannedCamera(
                id: "benchmark:ready", profile: profile,
                configuration: CaptureConfiguration(pixelFormat: format, size: size)),
            settings: [free], lines: [], steps: ["sequence[0]"],
            program: [.capture(count: frames, settings: 0, lights: 0, step: 0)],
            output: OutputOptions(), require: Requirements())
    }

    /// Records into a new folder.
    ///
    /// - Returns: how long it took, from the start of the stream to the finished record.
    func record(in folder: String, world: ReadyWorld = ReadyWorld()) throws -> Duration {
        let prepared = try PreparedRun(plan, in: world)
        let record = try RunRecord(
            in: RunFolder.create(at: folder),
            RunDescription(
                version: "benchmark", recipe: [], parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]))
        let runner = Runner(prepared, record: record, progress: RunProgress())
        let clock = ContinuousClock()
        let start = clock.now
        let judgement = try runner.run()
        let elapsed = clock.now - start
        guard judgement.exitCode == 0 else {
            throw BenchmarkProblem("the run did not end well: \(judgement)")
        }
        return elapsed
    }
}
