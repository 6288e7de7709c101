import Devices
import Engine
import Foundation
import LinuxDevices
import Notation
import Recipes
import Records
import Simulation
import Testing
import Timebase

/// Rows D1, D4, D5 and D8 as far as they need no kernel.
///
/// On real drivers they are shown in BenchTests, on a played one in LinuxDevicesTests, under the same numbers.
@Suite("Devices on Linux") struct LinuxRowsTests {
    private static let exposure = CameraControl(rawValue: 0x009a_0902)

    private static let recipe = """
        framelock: 1
        name: shared
        camera: {use: simulated, format: {pixels: GREY, size: 640x480, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 1.0x}}
        sequence: [{capture: 40}]
        require: {dropped: 0, lock_violations: 0}
        """

    /// Runs the recipe at a camera that somebody else uses as well.
    private func run(
        _ prepare: (SharedCamera) -> Void
    ) throws -> (judgement: Judgement, folder: RecordedFolder) {
        let source = SourceFile(name: "shared.yaml", text: Self.recipe)
        let recipe = try RecipeDecoder.decode(source, overrides: [])
        let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
        let (plan, _) = try PlanCompiler.compile(
            recipe, camera: choice, profile: .simulated, rig: nil)
        let world = SharedWorld()
        prepare(world.shared)
        let prepared = try PreparedRun(plan, in: world)
        let folder = RecordedFolder()
        let record = try RunRecord(
            in: RunFolder.create(at: folder.path),
            RunDescription(
                version: "0.0.0", recipe: source.bytes, parameters: recipe.parameters, plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]), isDurable: false)
        let judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
        return (judgement, folder)
    }

    @Test("D5 a second writer of a locked control is recorded on its frame: lock-violated, exit 81")
    func secondWriter() throws {
        // The simulated camera shows an exposure two frames after the one that is being exposed at the write.
        let (judgement, folder) = try run { $0.meddling = (afterFrame: 20, code: 4_000) }
        #expect(judgement.verdict == .lockViolated)
        #expect(judgement.exitCode == 81)
        let change = try #require(folder.events("control-changed").first)
        #expect(change.contains(#""control":"exposure_time_absolute","found":4000"#))
        // It happens when frame 21 has come, in the exposure of the next.
        #expect(change.contains(#""sequence":22}"#))
        let applied = try folder.column("applied_exposure_ns", by: "device_sequence")
        #expect(applied["21"] == "8000000")
        #expect(applied["22"] == "")
        #expect(applied["23"] == "")
        #expect(applied["24"] == "4000000")
        // The pixels agree: half the light from frame 24 on, and not before.
        let luma = try folder.column("luma_mean", by: "device_sequence").mapValues {
            Double($0) ?? 0
        }
        let (before, after) = (luma["23"] ?? 0, luma["24"] ?? 0)
        #expect(abs(before - (luma["21"] ?? 0)) < 1)
        #expect(abs(after - before / 2) < 1)
        #expect(try RunVerifier.verify(folder.path).exitCode == 0)
    }

    @Test("D5 a run that nobody disturbs has no such event") func undisturbed() throws {
        let (judgement, folder) = try run { _ in }
        #expect(judgement.exitCode == 0)
        #expect(folder.events("control-changed").isEmpty)
    }

    @Test("D8 a camera that goes away ends the run with its reason, and every slot has its row")
    func unplugged() throws {
        let (judgement, folder) = try run { $0.unplugged = 15 }
        #expect(judgement.verdict == .partial)
        #expect(judgement.exitCode == 84)
        // ENODEV
        #expect(folder.events("stream-failed").map { $0.hasSuffix(#""errno":19}"#) } == [true])
        let reasons = try folder.column("reason", by: "slot")
        #expect(reasons["0"] == "")
        #expect(reasons["\(reasons.count - 1)"] == "device-lost")
        // The last row stands for all slots that had no turn.
        let last = try folder.column("last_slot", by: "slot")
        #expect(last["\(reasons.count - 1)"] == "39")
        #expect(last.values.count { $0.isEmpty } == reasons.count - 1)
    }

    @Test("D4 what real time needs and is refused is named with the limit to raise") func realTime()
    {
        let trial = HostThread.trial(.init(name: "rows", priority: 99))
        #expect(trial.items.map(\.what) == ["SCHED_FIFO priority 99"])
        for item in trial.refused { #expect(item.refusal?.contains("LimitRTPRIO=99") == true) }
    }

    @Test("D1 a camera that is not there is said so, with those that are") func absent() throws {
        let root = RecordedFolder().path
        let error = try #require(throws: DeviceError.self) {
            _ = try CameraDiscovery(root: root).open("usb:0123")
        }
        #expect(error.kind == .notFound)
        #expect(error.message == "there is no camera `usb:0123`; no camera is attached")
    }
}

/// The simulated rig, with somebody else at its camera.
private final class SharedWorld: World {
    let simulated = SimulatedWorld(SimulationOptions())
    let shared: SharedCamera

    init() { shared = SharedCamera(simulated.simulatedCamera, simulated) }

    var camera: any CameraDriver { shared }
    var lines: any LineDriver { simulated.lines }
    var isVirtual: Bool { true }
    var stopRequests: Int { 0 }
    func now() -> Instant<Monotonic> { simulated.now() }
    func realtime() -> ClockRelation<Monotonic, Realtime> { simulated.realtime() }
    func wait(until deadline: Instant<Monotonic>) { simulated.wait(until: deadline) }
    func sleep(until time: Instant<Monotonic>) { simulated.sleep(until: time) }
}

/// The simulated camera, which somebody else writes to, or unplugs, after some frame.
private final class SharedCamera: CameraDriver {
    var meddling: (afterFrame: UInt32, code: Int64)?
    var unplugged: UInt32 = .max

    private let camera: SimulatedCamera
    private let world: SimulatedWorld
    private var last: UInt32 = 0
    private var change: ControlChange?

    init(_ camera: SimulatedCamera, _ world: SimulatedWorld) {
        self.camera = camera
        self.world = world
    }

    var identity: CameraIdentity { camera.identity }
    var pollDescriptor: Int32 { -1 }
    func describe() throws(DeviceError) -> CameraDescription { try camera.describe() }
    func configure(_ wanted: CaptureConfiguration) throws(DeviceError) -> AcceptedConfiguration {
        try camera.configure(wanted)
    }
    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 { camera.write(values) }
    func read(_ control: CameraControl) -> Result<Int64, DeviceError> { camera.read(control) }
    func start() throws(DeviceError) { try camera.start() }
    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer { camera.bytes(of: frame) }
    func requeue(_ frame: DequeuedFrame) -> Int32 { camera.requeue(frame) }
    func stop() { camera.stop() }

    func dequeue() -> DequeueResult {
        if last >= unplugged { return .failed(errno: 19) }
        let result = camera.dequeue()
        if case .frame(let frame) = result { last = frame.sequence }
        return result
    }

    func readControlChange() -> ControlChange? {
        if let meddling, last >= meddling.afterFrame {
            self.meddling = nil
            let value = ControlValue(CameraControl(rawValue: 0x009a_0902), meddling.code)
            _ = withUnsafePointer(to: value) { pointer in
                camera.write(UnsafeBufferPointer(start: pointer, count: 1))
            }
            change = ControlChange(value.control, value.code, at: world.now())
        }
        defer { change = nil }
        return change
    }
}

/// A run folder as anybody would read it; gone when the test is over.
private final class RecordedFolder {
    let path = FileManager.default.temporaryDirectory
        .appending(path: "framelock-rows-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The lines of the event log with an event of this name.
    func events(_ name: String) -> [String] {
        let log = (try? String(contentsOfFile: path + "/events.jsonl", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init).filter {
            $0.contains("\"event\":\"\(name)\"")
        }
    }

    /// A column of the ledger by the values of another.
    func column(_ name: String, by key: String) throws -> [String: String] {
        let text = try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let place = try #require(rows.first?.firstIndex(of: name))
        let keyPlace = try #require(rows.first?.firstIndex(of: key))
        return Dictionary(
            rows.dropFirst().map { ($0[keyPlace], $0[place]) },
            uniquingKeysWith: { first, _ in first })
    }
}
