import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

struct PlanRoundTripTests {
    private static func plan() throws -> Plan {
        try PlanFixtures.compile(
            PlanFixtures.recipe(
                """
                  - capture: 2
                  - wait: 20 ms
                  - for: {lens: [0.1, 0.9], white_balance: [{red: 1.5, green: 1, blue: 2}, {temperature: 5000 K}]}
                    do:
                      - bracket: {exposure: [1 ms, 2 ms], iso: [100, 400]}
                  - repeat: 3
                    every: 1 s
                    do:
                      - repeat: 2
                        do:
                          - pulse: {line: reject, for: 5 ms}
                          - capture: 1
                  - repeat: forever
                    do:
                      - wait: {edge: part_present, within: 1 s}
                      - pulse: {line: strobe, with: exposure}
                      - capture: 1
                """,
                lock: "exposure: {duration: 8 ms, gain: 1x}, focus: current",
                lines: "[part_present, strobe, reject]"),
            rig: PlanFixtures.rig)
    }

    @Test func `a plan is read back as it was written`() throws {
        let plan = try Self.plan()
        RoundTrip.check(plan)
        #expect(plan.settings.contains { $0.requested.lens == .current })
    }

    @Test func `every member of a camera's profile is read back`() throws {
        var plan = try Self.plan()
        var profile = plan.camera.profile
        profile.aperture = Aperture(thousandths: 1_800)
        profile.embeddedData = .smia
        profile.embeddedData?.temperature = nil
        profile.quirks = [.sequenceResets]
        profile.timestamps.cameraClock = CameraClockModel(
            source: .packetHeaders, point: .endOfReadout, delay: .milliseconds(3))
        profile.timestamps.exposureEnd = .init(.microseconds(-14), halfWidth: .microseconds(2))
        profile.focus?.approach = FocusModel.Approach(side: .far, overTravelCodes: 12)
        profile.focus?.latencyOrigin = .measuredFrom(least: 1, on: "2026-11-20")
        profile.levels = [PixelLevels(bits: 12, black: 256)]
        plan.camera.profile = profile
        plan.camera.configuration = plan.camera.configuration.withEmbeddedData(of: profile)
        plan.camera.configuration.region = FrameRegion(
            left: 8, top: 16, size: plan.camera.configuration.size)
        plan.camera.trigger = PlannedTrigger(
            line: 0,
            window: TriggerWindow(
                earliest: .zero, latest: .milliseconds(1), edgeDelay: .microseconds(300),
                shortestPeriod: .milliseconds(8), longestPeriod: .milliseconds(40)),
            exposure: .milliseconds(8), mode: plan.settings[0].codes.first)
        plan.require.latePulses = 3
        plan.require.pulseTolerance = .microseconds(20)
        plan.require.temperature = Temperature(millidegrees: -1_500)
        plan.clocks = [
            ClockRequest(name: "a", place: .device("/dev/ptp0")),
            ClockRequest(name: "b", place: .interface("eth0")),
        ]
        plan.skipped = [SkippedSetting(.lens, asked: "0.42", reason: "unsupported")]
        let laws: [GainModel.Law] = [
            .linear(unity: 16), .reciprocal(base: 256), .exponential(stepMillidecibels: 300),
            .rational(RationalGain(m0: 1, c0: 2, m1: -3, c1: 4)),
            .table([MeasuredGain(code: 3, gain: .unity)]),
        ]
        for law in laws {
            plan.camera.profile.gain?.law = law
            RoundTrip.check(plan)
        }
    }

    @Test func `what is wrong is told with its place`() throws {
        let json = try Self.plan().json
        func fault(_ place: String, _ value: JSONValue?) -> String {
            let changed = PlanMutation.replacing(place.split(separator: ".")[...], in: json, value)
            do throws(JSONFault) {
                _ = try Plan(json: changed)
                return ""
            } catch {
                return error.description
            }
        }
        #expect(fault("framelock_plan", 2) == "`framelock_plan` is not 1")
        #expect(fault("camera.profile.shutter", nil) == "`camera.profile.shutter` is missing")
        #expect(
            fault("settings.0.codes.0.control", "knob")
                == "`settings[0].codes[0].control` is not a control")
        #expect(
            fault("settings.0.requested.exposure_ns", "long")
                == "`settings[0].requested.exposure_ns` is not a whole number")
        #expect(
            fault("program.0.settings", 1_000)
                == "`program[0]` points nowhere, or is not nested properly")
        #expect(
            fault("settings.0.latency_frames", .integer(Int64.max))
                == "`settings[0].latency_frames` is not 0 to 1000000")
        #expect(fault("program.0.op", "jump").hasPrefix("`program[0]` is none of"))
        #expect(fault("lines", 1) == "`lines` is not a list")
    }

    @Test func `canonical text is the same again after reading it`() throws {
        let text = try Self.plan().json.utf8(.canonical)
        #expect(try JSONReader.read(text, name: "plan.json").utf8(.canonical) == text)
    }

    @Test func `a broken plan is refused or can be walked, and is never a trap`() throws {
        let whole = try Self.plan().json
        #expect(throws: Never.self) { try Plan(json: whole) }
        var (refused, walked) = (0, 0)
        for seed: UInt64 in 1...1_500 {
            var random = SeededGenerator(seed: seed)
            let broken = PlanMutation.broken(whole, &random)
            guard let plan = try? Plan(json: broken) else {
                refused += 1
                continue
            }
            walked += 1
            Self.walk(plan, seed: seed)
        }
        #expect(refused > 50 && walked > 50)
    }

    /// Walks the first operations; whatever they point at must be there.
    private static func walk(_ plan: Plan, seed: UInt64) {
        var cursor = PlanCursor()
        let settings = plan.settings
        for _ in 0..<500 {
            switch cursor.next(in: plan.program.span) {
            case .slot(let slot):
                #expect(settings.indices.contains(Int(slot.settings)), "seed \(seed)")
                #expect(plan.steps.indices.contains(Int(slot.step)), "seed \(seed)")
            case .pulse(let line, _, let step), .waitForEdge(let line, _, let step):
                #expect(plan.lines.indices.contains(Int(line)), "seed \(seed)")
                #expect(plan.steps.indices.contains(Int(step)), "seed \(seed)")
            case .wait(_, let step):
                #expect(plan.steps.indices.contains(Int(step)), "seed \(seed)")
            case .roundStart(let depth, _, _, _, let step):
                #expect((1...PlanCursor.maximumDepth).contains(depth), "seed \(seed)")
                #expect(plan.steps.indices.contains(Int(step)), "seed \(seed)")
            case .roundEnd(let depth):
                #expect((1...PlanCursor.maximumDepth).contains(depth), "seed \(seed)")
            case .group(_, let slots, let step):
                #expect(slots >= 1, "seed \(seed)")
                #expect(plan.steps.indices.contains(Int(step)), "seed \(seed)")
            case .restore(let index):
                #expect(settings.indices.contains(Int(index)), "seed \(seed)")
            case .end: return
            }
        }
    }

    @Test(arguments: [
        "null", "{}", "[]", #"{"framelock_plan": 2}"#,
        #"{"framelock_plan":1,"name":"a","steps":[],"lines":[],"settings":[]}"#,
        #"{"framelock_plan":1,"name":"a","steps":["s"],"lines":[],"settings":[],"program":[{"op":"jump"}]}"#,
        #"{"framelock_plan":1,"name":"a","steps":["s"],"lines":[],"settings":[],"program":[{"op":"end_loop","start":0}]}"#,
        #"{"framelock_plan":1,"name":"a","steps":["s"],"lines":[],"settings":[],"program":[{"op":"loop","count":-2,"every_ns":0,"end":1,"step":0},{"op":"end_loop","start":0}]}"#,
        #"{"framelock_plan":1,"name":"a","steps":["s"],"lines":[],"settings":[],"program":[{"op":"loop","count":1,"every_ns":0,"end":0,"step":0}]}"#,
        #"{"framelock_plan":1,"name":"a","steps":["s"],"lines":[],"settings":[],"program":[{"op":"loop","count":1,"every_ns":0,"end":1,"step":0}]}"#,
    ])
    func `what is no plan is refused`(text: String) throws {
        let json = try JSONReader.read(Array(text.utf8), name: "plan.json")
        #expect(throws: JSONFault.self) { try Plan(json: json) }
    }
}

/// What a plan's file has of a plan.
enum RoundTrip {
    /// Checks that everything of a plan is read back but for what its file has no member for: the facts of a profile
    /// that the plan does not rest on; and that it is still the recipe's.
    static func check(_ plan: Plan, of recipe: Recipe? = nil) {
        do {
            // Through text, as it lies in a run folder.
            let text = plan.json.utf8(.canonical)
            var pieces: [UInt8] = []
            plan.write { pieces += $0 }
            #expect(pieces == text)
            let read = try Plan(json: JSONReader.read(text, name: "plan.json"))
            #expect(read.json.utf8(.canonical) == text)
            #expect(try Plan(json: read.json) == read)
            var expected = plan
            expected.camera.profile = read.camera.profile
            #expect(read == expected)
            check(plan.camera.profile, read.camera.profile)
            if let recipe { #expect(PlanCompiler.differences(of: read, from: recipe) == []) }
        } catch {
            Issue.record("\(error)")
        }
    }

    private static func check(_ profile: CameraProfile, _ found: CameraProfile) {
        #expect(found.name == profile.name && found.shutter == profile.shutter)
        #expect(found.timing == profile.timing && found.startupFrames == profile.startupFrames)
        #expect(found.automaticsOff == profile.automaticsOff && found.pinned == profile.pinned)
        #expect(found.aperture == profile.aperture && found.quirks == profile.quirks)
        #expect(found.embeddedData == profile.embeddedData && found.levels == profile.levels)
        #expect(found.gain?.law == profile.gain?.law)
        for group in ControlGroup.all {
            #expect(found.delay(of: group) == profile.delay(of: group))
        }
    }
}

/// Breaks a JSON value in one to three places.
enum PlanMutation {
    /// The value with another at a place; without it for nil.
    static func replacing(
        _ place: ArraySlice<Substring>, in json: JSONValue, _ value: JSONValue?
    ) -> JSONValue {
        guard let first = place.first else { return value ?? .null }
        let isLast = place.count == 1
        if var elements = json.arrayValue, let index = Int(first) {
            elements[index] = replacing(place.dropFirst(), in: elements[index], value)
            return .array(elements)
        }
        guard var object = json.objectValue else { return json }
        let name = String(first)
        object[name] =
            isLast ? value : replacing(place.dropFirst(), in: object[name] ?? .null, value)
        return .object(object)
    }

    static func broken(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        var value = value
        for _ in 0..<Int.random(in: 1...3, using: &random) { value = mutated(value, &random) }
        return value
    }

    private static func mutated(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        switch value {
        case .object(var object) where !object.names.isEmpty:
            let name = object.names[Int.random(in: 0..<object.names.count, using: &random)]
            if Int.random(in: 0..<40, using: &random) == 0 {
                object[name] = nil
            } else {
                object[name] = object[name].map { mutated($0, &random) }
            }
            return .object(object)
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: 0..<elements.count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            case 2: elements.swapAt(index, Int.random(in: 0..<elements.count, using: &random))
            default: elements[index] = mutated(elements[index], &random)
            }
            return .array(elements)
        default: return leaf(value, &random)
        }
    }

    private static func leaf(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        let numbers: [Int64] = [
            .min, -2, -1, 0, 1, 2, 3, 5, 7, 12, 31, 32, 255, 1 << 31, 1 << 32, .max,
        ]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .null
        case 1: return .string("capture")
        case 2: return .decimal("1.5")
        default: return .integer(numbers[Int.random(in: 0..<numbers.count, using: &random)])
        }
    }
}
