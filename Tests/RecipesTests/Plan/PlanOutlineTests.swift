import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

struct PlanOutlineTests {
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

    @Test func `an outline says what the plan says`() throws {
        let plan = try Self.plan()
        // Through text, as it lies in a run folder.
        let json = try JSONReader.read(plan.json.utf8(.canonical), name: "plan.json")
        let outline = try #require(PlanOutline(json: json))
        #expect(outline.name == plan.name)
        #expect(outline.steps == plan.steps)
        #expect(outline.lines == plan.lines.map(\.name))
        #expect(outline.program == plan.program)
        #expect(outline.settings.map(\.requested) == plan.settings.map(\.requested))
        #expect(outline.settings.map(\.quantised) == plan.settings.map(\.quantised))
        #expect(plan.settings.contains { $0.requested.lens == .current })
    }

    @Test func `canonical text is the same again after reading it`() throws {
        let text = try Self.plan().json.utf8(.canonical)
        #expect(try JSONReader.read(text, name: "plan.json").utf8(.canonical) == text)
    }

    @Test func `a broken plan is refused or can be walked, and is never a trap`() throws {
        let whole = try Self.plan().json
        #expect(PlanOutline(json: whole) != nil)
        var (refused, walked) = (0, 0)
        for seed: UInt64 in 1...1_500 {
            var random = SeededGenerator(seed: seed)
            let broken = PlanMutation.broken(whole, &random)
            guard let outline = PlanOutline(json: broken) else {
                refused += 1
                continue
            }
            walked += 1
            Self.walk(outline, seed: seed)
        }
        #expect(refused > 50 && walked > 50)
    }

    /// Walks the first operations; whatever they point at must be there.
    private static func walk(_ outline: PlanOutline, seed: UInt64) {
        var cursor = PlanCursor()
        let settings = outline.settings
        for _ in 0..<500 {
            switch cursor.next(in: outline.program.span) {
            case .slot(let slot):
                #expect(settings.indices.contains(Int(slot.settings)), "seed \(seed)")
                #expect(outline.steps.indices.contains(Int(slot.step)), "seed \(seed)")
            case .pulse(let line, _, let step), .waitForEdge(let line, _, let step):
                #expect(outline.lines.indices.contains(Int(line)), "seed \(seed)")
                #expect(outline.steps.indices.contains(Int(step)), "seed \(seed)")
            case .wait(_, let step):
                #expect(outline.steps.indices.contains(Int(step)), "seed \(seed)")
            case .roundStart(let depth, _, _, _, let step):
                #expect((1...PlanCursor.maximumDepth).contains(depth), "seed \(seed)")
                #expect(outline.steps.indices.contains(Int(step)), "seed \(seed)")
            case .roundEnd(let depth):
                #expect((1...PlanCursor.maximumDepth).contains(depth), "seed \(seed)")
            case .group(_, let slots, let step):
                #expect(slots >= 1, "seed \(seed)")
                #expect(outline.steps.indices.contains(Int(step)), "seed \(seed)")
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
        #expect(PlanOutline(json: json) == nil)
    }
}

/// Breaks a JSON value in one to three places.
private enum PlanMutation {
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
