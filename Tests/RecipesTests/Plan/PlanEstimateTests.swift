import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

struct PlanEstimateTests {
    private static let latencies = [2, 0, 5]
    private static let settles: [Int64] = [0, 40_000_000, 7]
    private static let lenses: [Int64] = [0, 500_000, 0]
    private static let period: Int64 = 33_333_333

    private static func plan(_ program: [Instruction], hasRate: Bool = true) throws -> Plan {
        let text = PlanFixtures.recipe(
            "  - capture: 1",
            format: "pixels: Y12, size: 640x480" + (hasRate ? ", rate: 30 fps" : ""))
        var plan = try PlanFixtures.compile(text)
        plan.settings = (0..<3).map {
            let lens = LensPosition(millionths: lenses[$0]).map { Setting.value($0) } ?? .free
            return PlannedSettings(
                requested: FrameSettings(), quantised: FrameSettings(lens: lens), codes: [],
                latencyFrames: latencies[$0], settle: .nanoseconds(settles[$0]))
        }
        plan.program = program
        return plan
    }

    /// The same with other lights for each capture.
    private static func lit(
        _ program: [Instruction], _ lights: () -> UInt32
    ) -> [Instruction] {
        program.map {
            guard case .capture(let count, let settings, _, let step) = $0 else { return $0 }
            return .capture(count: count, settings: settings, lights: lights(), step: step)
        }
    }

    @Test(arguments: [(0, 3), (2, 3), (9, 9)])
    func `the first frame waits for the stream's hidden frames, or for its settings`(
        hidden: Int, frames: Int64
    ) throws {
        var plan = try Self.plan([.capture(count: 1, settings: 0, lights: 0, step: 0)])
        plan.camera.profile.startupFrames = hidden
        var timeline = PlanTimeline(plan)
        #expect(timeline.next()?.at.nanoseconds == frames * Self.period)
        #expect(
            PlanEstimate(plan, bytesPerFrame: 0).duration?.nanoseconds
                == (frames + 1) * Self.period)
    }

    @Test(arguments: [(100, true), (101, false), (200, false)])
    func `rounds that take longer than their time are warned of`(
        milliseconds: Int, isWarned: Bool
    ) throws {
        let recipe = PlanFixtures.recipe(
            """
              - repeat: 3
                every: \(milliseconds) ms
                do:
                  - capture: 3
                  - wait: 1 ms
            """, format: "pixels: Y12, size: 640x480, rate: 30 fps")
        let warnings = try PlanFixtures.warnings(recipe)
        #expect(warnings.map(\.id) == (isWarned ? ["rounds-too-long"] : []))
        if isWarned {
            #expect(
                warnings[0].message
                    == "a round takes about 100.999999 ms, longer than `every: 100 ms`: rounds may begin late"
            )
        }
    }

    @Test func `a round that no other follows has all the time it likes`() throws {
        let recipe = PlanFixtures.recipe(
            "  - repeat: 1\n    every: 1 ms\n    do:\n      - capture: 3")
        #expect(try PlanFixtures.warnings(recipe).isEmpty)
    }

    @Test func `rounds begin whole multiples of their time after the first frame`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - repeat: 4\n    every: 10 s\n    do:\n      - capture: 1"))
        var timeline = PlanTimeline(plan)
        var times: [Int64] = []
        while let entry = timeline.next() { times.append(entry.at.nanoseconds) }
        #expect(times.count == 4)
        // Which comes once the camera has begun.
        #expect(times[0] > 0)
        #expect(times == (0..<4).map { times[0] + $0 * 10_000_000_000 })
    }

    @Test func `a round whose settings have to be changed back begins in time all the same`() throws
    {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - repeat: 3\n    every: 2 s\n    do:\n      - bracket: {exposure: [2 ms, 8 ms]}")
        )
        var timeline = PlanTimeline(plan)
        var times: [Int64] = []
        while let entry = timeline.next() { times.append(entry.at.nanoseconds) }
        try #require(times.count == 6)
        #expect(times[2] == times[0] + 2_000_000_000)
        #expect(times[4] == times[0] + 4_000_000_000)
    }

    /// Goes through everything as a run would, on a clock of its own.
    private struct Simulation {
        var now: Int64 = 0
        var slots: Int64 = 0
        var settings: Int32 = -1
        var waits = false
        /// Whether the last thing was a frame, so that settings can be written ahead.
        var isAhead = false
        /// When the next frame is due, as the first of a round.
        var due: Int64?
        /// When the first frame of the round began.
        var first: Int64?

        mutating func run(_ list: [PlanTree]) {
            for node in list {
                switch node {
                case .capture(let count, let wanted):
                    if wanted != settings {
                        let moves =
                            settings < 0 || lenses[Int(settings)] != lenses[Int(wanted)]
                        settings = wanted
                        // A lens that takes time to move is written when its frame is due.
                        if !isAhead || moves { now += Int64(latencies[Int(wanted)] + 1) * period }
                        if moves { now += settles[Int(wanted)] }
                    }
                    isAhead = true
                    now = max(now, due ?? now)
                    due = nil
                    first = first ?? now
                    now += count * period
                    slots += count
                case .pulse:
                    now += 3_000_000
                    isAhead = false
                case .wait(let time):
                    now += time
                    isAhead = false
                case .edge:
                    waits = true
                    isAhead = false
                case .loop(let count, let every, let body)
                where every > 0 && Self.beginsWithFrame(body) ?? false:
                    let outer = first
                    var began: Int64?
                    for round in 0..<count {
                        // Its settings are written before it is due.
                        due = began.map { $0 + every * round }
                        (isAhead, first) = (false, nil)
                        run(body)
                        began = began ?? first
                    }
                    first = outer ?? began
                    if count == 0 { waits = waits || Self.hasEdge(body) }
                case .loop(let count, let every, let body):
                    // As the engine does it: late rounds don't push those after them.
                    let began = now
                    for round in 0..<count {
                        now = max(now, began + every * round)
                        isAhead = isAhead && every == 0
                        run(body)
                    }
                    // An edge in a loop that is never entered still counts as one that may be waited for.
                    if count == 0 { waits = waits || Self.hasEdge(body) }
                }
            }
        }

        /// Nil without anything at all.
        ///
        /// Rounds that wait for their time do so before their first frame.
        static func beginsWithFrame(_ list: [PlanTree]) -> Bool? {
            for node in list {
                switch node {
                case .capture: return true
                case .pulse, .wait, .edge: return false
                case .loop(let count, let every, let body):
                    guard count > 0 else { continue }
                    if every > 0 { return false }
                    if let begins = beginsWithFrame(body) { return begins }
                }
            }
            return nil
        }

        static func hasEdge(_ list: [PlanTree]) -> Bool {
            list.contains {
                switch $0 {
                case .edge: true
                case .loop(_, _, let body): hasEdge(body)
                default: false
                }
            }
        }
    }

    @Test func `an estimate is what going through the plan takes`() throws {
        for seed: UInt64 in 1...400 {
            var random = SeededGenerator(seed: seed)
            let tree = PlanTree.list(depth: 3, random: &random)
            var program: [Instruction] = []
            PlanTree.flatten(tree, into: &program)
            var simulation = Simulation()
            simulation.run(tree)
            let estimate = PlanEstimate(
                try Self.plan(Self.lit(program) { 0 }), bytesPerFrame: 614_400)
            #expect(estimate.slots == simulation.slots, "seed \(seed)")
            #expect(estimate.duration == .nanoseconds(simulation.now), "seed \(seed)")
            #expect(estimate.bytes == simulation.slots * 614_400)
            #expect(estimate.waitsForEdges == simulation.waits)
            #expect(!estimate.assumesRate)
        }
    }

    /// Rounds that wait for their time catch up in the middle, which an estimate knows to a round only.
    @Test func `slot by slot a plan with lights takes as long as its estimate`() throws {
        for seed: UInt64 in 1...200 {
            var random = SeededGenerator(seed: seed)
            var program: [Instruction] = []
            PlanTree.flatten(PlanTree.list(depth: 3, random: &random), into: &program)
            program.append(.capture(count: 1, settings: 0, lights: 1, step: 0))
            program = Self.lit(program) { UInt32(random.next() % 2) }.map {
                guard case .loop(let count, _, let end, let step) = $0 else { return $0 }
                return .loop(count: count, every: .zero, end: end, step: step)
            }
            let plan = try Self.plan(program)
            var (timeline, last) = (PlanTimeline(plan), PlanTimeline.Entry?.none)
            while let next = timeline.next() { last = next }
            let end = try #require(last).at + .nanoseconds(Self.period)
            #expect(PlanEstimate(plan, bytesPerFrame: 0).duration == end, "seed \(seed)")
        }
    }

    @Test
    func `sixteen loops of a trillion rounds are estimated at once, and as much as a number holds`()
        throws
    {
        var tree: [PlanTree] = [.capture(1, settings: 0), .capture(1, settings: 1)]
        for _ in 0..<16 { tree = [.loop(10, everyNanoseconds: 0, tree)] }
        var program: [Instruction] = []
        PlanTree.flatten(tree, into: &program)
        let estimate = PlanEstimate(try Self.plan(program), bytesPerFrame: 1_000_000)
        #expect(estimate.slots == 20_000_000_000_000_000)
        #expect(estimate.bytes == .max)
        #expect(estimate.duration == .nanoseconds(.max))
    }

    @Test func `an endless plan has no end to estimate`() throws {
        let program: [Instruction] = [
            .loop(count: -1, every: .zero, end: 2, step: 0),
            .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
        ]
        let estimate = PlanEstimate(try Self.plan(program), bytesPerFrame: 1)
        #expect(estimate.slots == nil)
        #expect(estimate.duration == nil)
        #expect(estimate.bytes == nil)
    }

    @Test func `without a rate thirty frames a second are assumed, and said so`() throws {
        let program: [Instruction] = [.capture(count: 30, settings: 1, lights: 0, step: 0)]
        let estimate = PlanEstimate(try Self.plan(program, hasRate: false), bytesPerFrame: 1)
        #expect(estimate.assumesRate)
        let duration: Interval = .nanoseconds(31 * 33_333_333 + 40_000_000)
        #expect(estimate.duration == duration)
    }
}
