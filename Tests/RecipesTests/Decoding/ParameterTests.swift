import Devices
import Notation
import Recipes
import Testing
import Timebase

@Suite struct ParameterTests {
    private static let body = """
        parameters:
          interval: {default: 10 s, min: 1 s, max: 1 h}
          frames: {default: 3, min: 1}
          position: {default: 0.5}
          speed: {default: ISO 100}
        lock:
          focus: {lens: $position}
          exposure: {duration: 8 ms, iso: $speed}
        sequence:
          - repeat: $frames
            every: $interval
            do:
              - capture: 1

        """

    private func decode(_ arguments: String...) throws -> Recipe {
        try RecipeText.decode(
            Self.body, set: arguments.compactMap(ParameterOverride.init(argument:)))
    }

    @Test func `a parameter stands for its default`() throws {
        let recipe = try decode()
        guard case .repeat(let count, let every, _) = recipe.steps[0].kind else {
            Issue.record("a loop")
            return
        }
        #expect(count?.value == 3)
        #expect(every?.value == .seconds(10))
        #expect(recipe.lock.lens?.value.asked?.millionths == 500_000)
        #expect(recipe.lock.gain?.value == .value(.iso(100)))
        #expect(recipe.parameters.map(\.name) == ["interval", "frames", "position", "speed"])
        #expect(recipe.parameters.map(\.value) == ["10 s", "3", "0.5", "ISO 100"])
    }

    @Test func `an override takes its place, with another unit of the same kind`() throws {
        let recipe = try decode("interval=0.5 h", "position=1", "speed=200", "frames=7")
        guard case .repeat(let count, let every, _) = recipe.steps[0].kind else {
            Issue.record("a loop")
            return
        }
        #expect(count?.value == 7)
        #expect(every?.value == .seconds(1_800))
        #expect(recipe.lock.lens?.value.asked?.millionths == 1_000_000)
        #expect(recipe.lock.gain?.value == .value(.iso(200)))
        #expect(recipe.parameters.map(\.isOverridden) == [true, true, true, true])
    }

    @Test(arguments: [
        "interval=999 ms", "interval=3601 s", "interval=10", "interval=10 fps", "interval=",
        "frames=0", "frames=2.5", "position=near", "position=1.5", "speed=200 K", "nothing=1",
    ])
    func `an override of another kind or out of range is refused at the command line`(
        argument: String
    ) throws {
        let list = try #require(throws: DiagnosticList.self) { try self.decode(argument) }
        #expect(list.diagnostics.count == 1)
        let places = list.diagnostics.flatMap { [$0.file] + $0.notes.map(\.file) }
        #expect(places.contains("--set \(argument)"))
    }

    @Test func `limits compare quantities, not their texts`() throws {
        #expect(throws: Never.self) { try self.decode("interval=60 min") }
        #expect(throws: Never.self) { try self.decode("interval=1000 ms") }
    }

    @Test func `an argument without name or equals sign is no override`() {
        #expect(ParameterOverride(argument: "interval") == nil)
        #expect(ParameterOverride(argument: "=10 s") == nil)
        #expect(ParameterOverride(argument: "a=b=c") == ParameterOverride(name: "a", value: "b=c"))
    }

    @Test func `a text that begins with a dollar is written with two`() throws {
        let recipe = try RecipeText.decode(
            "description: $$5 camera\nsequence:\n  - capture: 1\n")
        #expect(recipe.summary == "$5 camera")
    }

    @Test func `a parameter can be a text, and stand in a list`() throws {
        let recipe = try RecipeText.decode(
            """
            parameters:
              door: {default: part_present}
              long: {default: 32 ms}
            lines: [$door]
            sequence:
              - wait: {edge: $door}
              - bracket: {exposure: [1 ms, $long]}

            """, set: [ParameterOverride(name: "door", value: "gate")])
        #expect(recipe.lines.map(\.name.value) == ["gate"])
        guard case .waitForEdge(let line, let within) = recipe.steps[0].kind else {
            Issue.record("a wait for an edge")
            return
        }
        #expect(line.value == "gate")
        #expect(within == nil)
    }
}
