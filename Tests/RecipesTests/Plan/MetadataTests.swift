import Foundation
import Notation
import Testing

@testable import Recipes

/// `metadata:` of a recipe, as the plan has it.
struct MetadataTests {
    private static func plan(_ metadata: String, parameters: String = "") throws -> Plan {
        let recipe = """
            framelock: 1
            name: test
            \(parameters)
            metadata: \(metadata)
            camera:
              use: simulated
              format: {pixels: SRGGB12, size: 1456x1088, rate: 30 fps}
            lock:
              exposure: {duration: 8 ms, gain: 1.0x}
            sequence:
              - capture: 1
            """
        return try PlanFixtures.compile(recipe)
    }

    @Test func `texts, the pixel size and notes of every type are in the plan`() throws {
        let plan = try Self.plan(
            """
            {sample: "slide 12, β", operator: A. Person, objective: 10x/0.3, pixel_size: 0.3225 um,
              notes: {wet: true, batch: "007", count: 3, temperature_c: 21.50, when: "true"}}
            """)
        #expect(
            plan.json["metadata"]?.text()
                == #"{"sample":"slide 12, β","operator":"A. Person","objective":"10x/0.3","#
                + #""pixel_size_pm":322500,"notes":{"batch":"007","count":3,"temperature_c":21.50,"#
                + #""wet":true,"when":"true"}}"#)
        #expect(try Plan(json: plan.json).metadata == plan.metadata)
    }

    @Test(
        "A note that some program would read otherwise is a text",
        arguments: ["1e5", "0x1F", "007", "1234567890123456", ".5", "1.", "yes", "2026-11-29"])
    func notes(text: String) throws {
        let plan = try Self.plan("{notes: {a: \(text)}}")
        #expect(plan.metadata?.notes.map(\.value) == [.string(text)])
    }

    @Test(
        "A pixel's size is exact in every unit",
        arguments: [
            ("1 nm", 1_000), ("107.5 nm", 107_500), ("0.65 um", 650_000), ("0.65 µm", 650_000),
            ("0.65 μm", 650_000), ("0.0001 mm", 100_000), ("1 m", 1_000_000_000_000),
        ] as [(String, Int64)])
    func size(text: String, picometres: Int64) throws {
        let plan = try Self.plan("{pixel_size: \(text)}")
        #expect(plan.metadata?.pixelSize == PixelSize(picometres: picometres))
    }

    @Test func `a parameter names what is different from run to run`() throws {
        let plan = try Self.plan(
            "{sample: $sample, notes: {dose: $dose}}",
            parameters: "parameters: {sample: {default: blank}, dose: {default: 2.5}}")
        #expect(plan.metadata?.sample == "blank")
        #expect(plan.metadata?.notes.map(\.value) == [.decimal("2.5")])
    }

    @Test func `a plan without metadata has no word of them`() throws {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe("  - capture: 1"))
        #expect(plan.metadata == nil)
        #expect(plan.json["metadata"] == nil)
    }
}
