internal import Devices
internal import Engine
internal import Imaging
internal import Notation
package import Recipes
package import Records
internal import TestSupport
package import Timebase

/// One run from a seed: a plan, a rig with faults, and what was recorded.
package struct SeededRun {
    package let seed: UInt64
    package let tree: [PlanTree]
    package internal(set) var plan: Plan
    package let world: TestWorld
    /// What the run ends with, if the devices get the better of it.
    package let unplugged: Instant<Monotonic>?
    package let stopped: Instant<Monotonic>?

    /// From here on there are faults of host, disk, lines, controls and driver too.
    private static let firstSeedOfLaterFaults: UInt64 = 20_000
    /// From here on most cameras are raw sensors.
    package static let firstSeedOfRawSensors: UInt64 = 31_000_000

    /// Some of these take lost frames again: those that `make prove` draws by date.
    private static let seedsOfPolicies: ClosedRange<UInt64> = 2_026_112_500_000...9_999_999_999_999

    package static let exposures: [Int64] = [4_000, 1_000, 9_000, 2_500]
    package static let lenses: [Int64] = [0, 100, 500]
    static let frameBytes = 32
    package static let period = Interval.milliseconds(10)

    package init(seed: UInt64) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var budget = Int(random.number(1...120))
        var tree: [PlanTree] = []
        while tree.isEmpty || PlanTree.slots(of: tree).isEmpty {
            tree = PlanTree.random(&random, budget: &budget, depth: 0, settingsCount: 6)
            budget = max(budget, 10)
        }
        self.tree = tree
        let model = Self.timestamps(&random)
        let settle: Interval = random.chance(50) ? .zero : .microseconds(random.number(1...25_000))
        // A lens that comes to rest during an exposure shows in the next one at the earliest.
        let latencies = (
            exposure: Int(random.number(0...5)),
            lens: Int(random.number(settle == .zero ? 0...3 : 1...3))
        )
        plan = try Self.plan(tree, model, latencies, settle: settle, &random)
        let time = TestTime()
        let camera = TestCamera(
            time: time, period: Self.period, delay: model.delay, latencies: latencies,
            settle: settle, transfer: .microseconds(random.number(100...25_000)),
            writeDuration: .microseconds(random.chance(50) ? 0 : random.number(0...12_000)),
            firstSequence: random.chance(20) ? .max - 20 : 0, frameBytes: Self.frameBytes,
            seed: random.next())
        let isFaulty = random.chance(70)
        if isFaulty {
            camera.faults = TestCamera.Faults(
                lostByDriver: random.number(0...15), lostInside: random.number(0...8),
                damaged: random.number(0...8), refusedWrites: random.number(0...10))
        }
        let start = time.now
        unplugged =
            random.chance(15) ? start + .microseconds(random.number(1_000...900_000)) : nil
        if let unplugged { camera.faults.unplugged = unplugged }
        stopped = random.chance(15) ? start + .microseconds(random.number(1...900_000)) : nil
        let lines = TestLines(time: time)
        Self.addEdges(to: lines, from: start, &random)
        world = TestWorld(time: time, camera: camera, lines: lines)
        world.testDisk = TestDisk()
        if let stopped { world.stops = [stopped] }
        if let stopped, random.chance(30) { world.stops.append(stopped + .milliseconds(1)) }
        // Seeds below keep their meaning.
        if seed >= Self.firstSeedOfLaterFaults { addLaterFaults(from: start) }
        if seed >= Self.firstSeedOfRawSensors { becomeRaw() }
        var later = SeededGenerator(seed: seed ^ 0x73A1_0C4D_92EE_5B81)
        if Self.seedsOfPolicies.contains(seed), later.chance(40) { plan.onLost = .retake }
    }

    /// Runs it into a folder.
    ///
    /// - Parameter onWait: is called with the record whenever the run waits.
    package func run(
        in folder: String, onWait: ((RunRecord) -> Void)? = nil
    ) throws -> (judgement: Judgement, tally: RunTally) {
        let prepared = try PreparedRun(plan, in: world)
        let record = try RunRecord(
            in: RunFolder.create(at: folder),
            RunDescription(
                version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]), isDurable: false)
        if let onWait { world.onWait = { onWait(record) } }
        defer { if onWait != nil { world.onWait = {} } }
        let judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
        return (judgement, record.tally)
    }

    private static func timestamps(_ random: inout SeededGenerator) -> TimestampModel {
        TimestampModel(
            point: .startOfReadout,
            delay: random.chance(60) ? .microseconds(random.number(1...6_000)) : .zero,
            readout: .zero)
    }

    private static func plan(
        _ tree: [PlanTree], _ model: TimestampModel, _ latencies: (exposure: Int, lens: Int),
        settle: Interval, _ random: inout SeededGenerator
    ) throws -> Plan {
        var sample = SamplePlan(PlanTree.program(of: tree))
        if random.chance(50) { sample.program.append(.restore(settings: 0, step: 0)) }
        sample.timestamps = model
        sample.latencyFrames = latencies.exposure
        sample.startupFrames = Int(random.number(0...2))
        sample.lines.append(
            LineRequest(name: "horn", chip: "chip", position: .offset(3), direction: .output))
        var plan = try sample.plan()
        plan.camera.profile.focus = FocusModel(
            control: TestCamera.focus, nearCode: 0, farCode: 1_000, latencyFrames: latencies.lens,
            settle: settle)
        // A lens may begin to move at once; so may one whose latency nobody measured.
        plan.camera.profile.focus?.latencyOrigin = random.chance(70) ? .exact : .assumed
        plan.steps = ["sequence[0]", "sequence[1]", "sequence[2]"]
        plan.settings = (0..<6).map { index in
            let exposure = exposures[index % 4]
            let lens = lenses[index % 3]
            let frame = FrameSettings(
                exposure: .value(.microseconds(exposure)),
                lens: LensPosition(millionths: lens * 1_000).map { .value($0) } ?? .free)
            return PlannedSettings(
                requested: frame, quantised: frame,
                codes: [
                    ControlValue(TestCamera.exposure, exposure),
                    ControlValue(TestCamera.focus, lens),
                ],
                latencyFrames: max(latencies.exposure, latencies.lens), settle: settle)
        }
        if random.chance(50) { plan.require = Requirements(unmatchedTriggers: nil) }
        return plan
    }

    private static func addEdges(
        to lines: TestLines, from start: Instant<Monotonic>, _ random: inout SeededGenerator
    ) {
        let mean = random.number(5_000...120_000)
        var numbers: [Int32: UInt32] = [:]
        var time = start
        for _ in 0..<random.number(0...150) {
            time = time + .microseconds(random.number(mean / 4...mean * 2))
            let line: Int32 = random.chance(70) ? 0 : 2
            numbers[line, default: 0] += 1
            lines.edges.append(
                LineEdge(
                    line: line, isRising: true, timestamp: time,
                    lineSequence: numbers[line, default: 0]))
        }
        // The kernel may lose edges; one number is enough to try, on both lines.
        if random.chance(30) { lines.lost = [UInt32(random.number(1...20))] }
    }
}
