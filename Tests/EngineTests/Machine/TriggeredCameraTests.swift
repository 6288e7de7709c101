import Devices
import Engine
import Imaging
import Notation
import ProvingGround
import Recipes
import Records
import Simulation
import TestSupport
import Testing
import Timebase
import Tracking

/// Runs with a simulated camera that a line exposes, from the pulse to the verified record.
struct TriggeredCameraTests {
    private static func plan(
        _ program: [Instruction], exposure: Interval = .milliseconds(2)
    ) throws -> Plan {
        var profile = CameraProfile.simulated
        let model = try #require(profile.trigger)
        let size = try #require(FrameSizeOfTests.smallest)
        profile.formats = []
        profile.startupFrames = 2
        let settings = FrameSettings(
            exposure: .value(exposure), gain: .free, lens: .free, whiteBalance: .free)
        let control = try #require(profile.exposure?.control)
        let period = model.period(
            exposures: (exposure, exposure), frameTime: .nanoseconds(33_333_333))
        let window = TriggerWindow(
            earliest: exposure + model.shortestDelay, latest: exposure + model.longestDelay,
            edgeDelay: .microseconds(300), shortestPeriod: period.shortest,
            longestPeriod: period.longest)
        return Plan(
            name: "triggered",
            camera: PlannedCamera(
                id: "simulated", profile: profile, configuration: size,
                trigger: PlannedTrigger(line: 0, window: window)),
            settings: [
                PlannedSettings(
                    requested: settings, quantised: settings,
                    codes: [ControlValue(control, exposure.nanoseconds / 1_000)],
                    latencyFrames: 2, settle: .zero)
            ],
            lines: [
                LineRequest(
                    name: "part", chip: "simulated", position: .offset(0), direction: .input)
            ], steps: ["sequence[0]", "sequence[1]"], program: program,
            output: OutputOptions(), require: Requirements())
    }

    private static func rounds(_ count: Int64) -> [Instruction] {
        [
            .loop(count: count, every: .zero, end: 3, step: 0),
            .waitForEdge(line: 0, within: .zero, step: 0),
            .capture(count: 1, settings: 0, lights: 0, step: 1), .endLoop(start: 0),
        ]
    }

    /// Records a run and verifies it.
    private static func run(
        _ plan: Plan, _ faults: SimulatedLineFaults = SimulatedLineFaults(), seed: UInt64 = 1,
        keepsPixels: Bool = true
    ) throws -> (tally: RunTally, judgement: Judgement, table: RecordedTable) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        var options = SimulationOptions(
            seed: seed, edgeInterval: .milliseconds(10), hasNoise: false)
        options.triggerLine = "part"
        options.lineFaults = faults
        options.disk = keepsPixels ? .host : .simulatedWithoutPixels
        let world = SimulatedWorld(options)
        let prepared = try PreparedRun(plan, in: world)
        let record = try RunRecord(
            in: RunFolder.create(at: path),
            RunDescription(
                version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]), isDurable: false, keepsPixels: keepsPixels)
        let judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
        let report = try RunVerifier.verify(path, scope: .engine)
        #expect(report.problems.isEmpty, "seed \(seed): \(report.problems)")
        return (record.tally, judgement, try RecordedTable(path))
    }

    @Test func `each edge makes its frame, and each slot has the frame of its edge`() throws {
        let (tally, judgement, table) = try Self.run(Self.plan(Self.rounds(200)))
        #expect(tally.frames == 200)
        #expect(tally.matchedEdges == 200)
        #expect(tally.edgesByClass.keys.sorted { $0.rawValue < $1.rawValue } == [.matched])
        #expect(tally.unmatchedTriggers == 0)
        #expect(judgement.verdict == .trustworthy)
        let numbers = table.rows.map { $0["trigger_id"] ?? "" }
        // One or two edges were for warming up.
        let first = Int(numbers[0].split(separator: ":").last ?? "") ?? 0
        #expect(numbers == (0..<200).map { "part:\(first + $0)" })
        for row in table.rows {
            let delay = row["trigger_delay_ns"].flatMap(Int64.init) ?? -1
            #expect((9_000...31_000).contains(delay))
        }
        #expect(tally.warmUpEdges > 0)
        #expect(tally.matchedEdges + tally.warmUpEdges == tally.edges)
    }

    /// By its timestamp alone a frame could have begun 5 ms before; its edge came 2 ms before its readout.
    @Test func `no frame begins before its edge, however late timestamps may be`() throws {
        var plan = try Self.plan(Self.rounds(30))
        plan.camera.profile.timestamps.delay = .milliseconds(5)
        let (_, _, table) = try Self.run(plan)
        for row in table.rows {
            let delay = row["trigger_delay_ns"].flatMap(Int64.init) ?? -1
            let half = row["session_half_width_ns"].flatMap(Int64.init) ?? .max
            // Edges are timestamped up to 0.3 ms late.
            #expect(delay >= -300_000 && delay <= 31_000)
            #expect(half < 200_000)
        }
    }

    @Test func `captures without a wait take the frames of the edges as they come`() throws {
        let (tally, judgement, _) = try Self.run(
            Self.plan([.capture(count: 100, settings: 0, lights: 0, step: 0)]))
        #expect(tally.matchedEdges == 100)
        #expect(judgement.verdict == .trustworthy)
    }

    @Test func `a triggered frame can't be taken again, since its edge is gone`() throws {
        var faults = SimulatedLineFaults()
        faults.lostByDriver = 50_000
        var plan = try Self.plan(Self.rounds(200))
        let lost = try Self.run(plan, faults).tally
        plan.onLost = .retake
        let again = try Self.run(plan, faults).tally
        #expect(lost.holes[.droppedByDriver, default: 0] > 0)
        #expect(again.holes == lost.holes && again.retakenSlots == 0)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `with faults every edge and frame is accounted for, and the verdict says so`(
        _ seed: UInt64
    ) throws {
        var faults = SimulatedLineFaults()
        faults.bounces = 20_000
        faults.doubled = 20_000
        faults.spikes = 5_000
        faults.missing = 10_000
        faults.lateTimestamps = 10_000
        faults.service = .microseconds(150)
        faults.spuriousFrames = 2_000
        faults.lostInside = 5_000
        faults.lostByDriver = 10_000
        let (tally, judgement, table) = try Self.run(
            Self.plan(Self.rounds(500)), faults, seed: seed, keepsPixels: false)
        #expect(tally.slots == 500)
        let classes = table.events("edge-classified")
        #expect(classes.count == table.events("edge").count)
        #expect(tally.edgesByClass.values.reduce(0, +) == Int64(classes.count))
        #expect(tally.unmatchedTriggers > 0)
        #expect(judgement.exitCode == (tally.dropped > 0 ? 80 : 82))
        for row in table.rows where row["status"] == "frame" {
            #expect(["matched", "ambiguous"].contains(row["trigger_class"] ?? ""))
        }
    }

    @Test func `the older interface leaves the record's completeness unknown, and says so`() throws
    {
        var faults = SimulatedLineFaults()
        faults.interface = .v1
        let (tally, judgement, table) = try Self.run(Self.plan(Self.rounds(20)), faults)
        #expect(tally.uncountedLines == 1)
        #expect(table.events("edges-uncounted").count == 1)
        #expect(judgement.findings.contains { $0.id == "uncounted-edges" })
        #expect(judgement.exitCode == 0)
    }
}

/// The smallest frames that the simulated camera has.
private enum FrameSizeOfTests {
    static let smallest: CaptureConfiguration? = CameraProfile.simulated.formats
        .filter { $0.pixelFormat?.name == "GREY" }.last
        .flatMap { format in
            format.pixelFormat.map {
                CaptureConfiguration(
                    pixelFormat: $0, size: format.size, rate: FrameRate(frames: 30))
            }
        }
}
