import Notation
import Testing

@testable import Recipes

/// `label:` of steps, as the plan has it.
struct LabelTests {
    private static let recipe = """
        framelock: 1
        name: test
        camera:
          use: simulated
          format: {pixels: SRGGB12, size: 1456x1088, rate: 30 fps}
        lock:
          exposure: {duration: 8 ms, gain: 1.0x}
        sequence:
          - capture: 1
          - repeat: 2
            label: "round, outer"
            do:
              - capture: 1
              - capture: 2
                label: dark
              - for: {exposure: [1 ms, 2 ms]}
                do:
                  - capture: 1
          - bracket: {exposure: [1 ms, 2 ms]}
            label: β
        """

    @Test func `frames have the label of the innermost step that has one`() throws {
        let plan = try PlanFixtures.compile(Self.recipe)
        let labels = plan.labels.map { "\(plan.steps[Int($0.step)]) \($0.text)" }
        #expect(
            labels == [
                "sequence[1].do[0] round, outer", "sequence[1].do[1] dark",
                "sequence[1].do[2].do[0] round, outer", "sequence[2] β",
            ])
        #expect(try Plan(json: plan.json).labels == plan.labels)
    }

    @Test func `a plan without labels has no member for them`() throws {
        let recipe = Self.recipe.split(separator: "\n").filter { !$0.contains("label") }
        let plan = try PlanFixtures.compile(recipe.joined(separator: "\n"))
        #expect(plan.labels.isEmpty && plan.json["labels"] == nil)
    }

    @Test(arguments: [#"[{"step":99,"label":"a"}]"#, #"[{"step":0,"label":"a\nb"}]"#])
    func `a file whose labels point nowhere or break lines is refused`(labels: String) throws {
        let plan = try PlanFixtures.compile(Self.recipe)
        var json = try #require(plan.json.objectValue)
        json["labels"] = try JSONReader.read(Array(labels.utf8), name: "labels")
        #expect(throws: (any Error).self) { try Plan(json: .object(json)) }
    }
}
