import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

/// Which camera and which lines a recipe means on a machine.
struct PlanCameraTests {
    private static func choice(_ use: String, rig: String?, more: String = "") throws
        -> CameraChoice
    {
        let text = PlanFixtures.recipe("  - capture: 1", use: use, camera: more)
        let recipe = try RecipeDecoder.decode(SourceFile(name: "recipe.yaml", text: text))
        let rig = try rig.map {
            try RigDecoder.decode(SourceFile(name: "rig.yaml", text: $0))
        }
        return try CameraChoice(recipe.camera, rig: rig, in: "recipe.yaml")
    }

    @Test func `a name is a camera of the rig, with its profile and input`() throws {
        let choice = try Self.choice("inspection", rig: PlanFixtures.rig)
        #expect(choice.id == "usb:0001")
        #expect(choice.profile == "test")
        #expect(choice.input == "Camera 1")
    }

    @Test func `the recipe's own profile and input go before the rig's`() throws {
        let choice = try Self.choice(
            "inspection", rig: PlanFixtures.rig, more: "profile: other\n  input: Camera 2")
        #expect(choice.id == "usb:0001")
        #expect(choice.profile == "other")
        #expect(choice.input == "Camera 2")
    }

    @Test func `simulated and stable ids mean themselves, with a rig and without`() throws {
        for use in ["simulated", "\"usb:ABC@1-2\""] {
            for rig in [nil, PlanFixtures.rig] {
                let choice = try Self.choice(use, rig: rig)
                #expect(choice.id == use.filter { $0 != "\"" })
                #expect(choice.profile == nil)
                #expect(choice.input == nil)
            }
        }
    }

    @Test func `a rig may call another camera by the name of the simulated one`() throws {
        let rig = "framelock_rig: 1\nname: r\ncameras: {simulated: {id: \"usb:9\"}}\n"
        #expect(try Self.choice("simulated", rig: rig).id == "usb:9")
    }

    // MARK: Lines

    @Test func `a line that the recipe defines is its own affair`() throws {
        let text = PlanFixtures.recipe(
            "  - wait: {edge: go}\n  - capture: 1",
            lines: "{go: {chip: other, line: 3, direction: in, edge: both, debounce: 5 ms}}")
        let line = try #require(try PlanFixtures.compile(text).lines.first)
        #expect(line.chip == "other")
        #expect(line.position == .offset(3))
        #expect(line.edge == .both)
        #expect(line.debounce == .milliseconds(5))
        #expect(line.bias == .asIs)
    }

    @Test func `a need takes everything from the rig, but the edge from the recipe`() throws {
        let text = PlanFixtures.recipe(
            "  - wait: {edge: part_present}\n  - capture: 1",
            lines: "{part_present: {direction: in, edge: falling, bias: pull_down}, reject: {}}")
        let lines = try PlanFixtures.compile(text, rig: PlanFixtures.rig).lines
        #expect(lines.map(\.name) == ["part_present", "reject"])
        #expect(lines[0].position == .name("GPIO17"))
        #expect(lines[0].edge == .falling)
        #expect(lines[0].bias == .pullDown)
        #expect(lines[1].isActiveLow)
    }
}
