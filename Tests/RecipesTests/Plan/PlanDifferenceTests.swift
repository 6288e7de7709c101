import Devices
import Notation
import Recipes
import Testing
import Timebase

/// Whether a plan that was read from a file is the recipe's.
///
/// That no plan of all the other tests differs from its recipe is checked where they are compiled.
struct PlanDifferenceTests {
    private static let text = PlanFixtures.recipe(
        """
          - wait: {edge: part_present, within: 1 s}
          - capture: 3
          - bracket: {exposure: [1 ms, 2 ms]}
          - for: {lens: [0.1, 0.2]}
            do:
              - capture: {still: tiff}
        require: {dropped: 3}
        """, lines: "{part_present: {direction: in}}")

    @Test(arguments: [
        ("name", "\"other\""), ("require.dropped", "4"), ("output.buffers", "9"),
        ("program.1.count", "4"), ("program.1.settings", "1"), ("steps.0", "\"x\""),
        ("settings.1.requested.exposure_ns", "3000000"),
        ("settings.1.quantised.exposure_ns", "3000000"), ("settings.1.codes.0.code", "3000"),
        ("settings.1.latency_frames", "1"), ("settings.2.settle_ns", "1"),
        ("stills.0.format", "\"dng\""), ("lines.0.direction", "\"out\""),
        ("camera.configuration.width", "320"), ("camera.configuration.rate", "null"),
    ])
    func `whatever follows from the recipe is held against it`(place: String, value: String) throws
    {
        let recipe = try RecipeDecoder.decode(SourceFile(name: "recipe.yaml", text: Self.text))
        let json = try PlanFixtures.compile(Self.text).json
        let other = try JSONReader.read(Array(value.utf8), name: "value")
        let changed = PlanMutation.replacing(place.split(separator: ".")[...], in: json, other)
        try #require(changed != json)
        let plan = try Plan(json: changed)
        #expect(PlanCompiler.differences(of: plan, from: recipe) != [])
    }

    @Test func `what was metered is taken from the plan, and nothing else of it`() throws {
        let text = PlanFixtures.recipe(
            """
              - meter: {exposure: auto}
              - bracket: {bias: [-1 EV, 0 EV, 1 EV]}
              - capture: 1
            """, lock: "")
        let recipe = try RecipeDecoder.decode(SourceFile(name: "recipe.yaml", text: text))
        let locked = recipe.locking(
            MeteredValues(
                duration: .milliseconds(7), gain: Gain(millionths: 1_500_000), lens: nil,
                balance: nil))
        let choice = try CameraChoice(recipe.camera, rig: nil, in: "recipe.yaml")
        var plan = try PlanCompiler.compile(
            locked, camera: choice, profile: PlanFixtures.camera, rig: nil
        ).plan
        #expect(PlanCompiler.differences(of: plan, from: recipe) == [])
        plan.settings[0].requested.gain = .value(Gain(millionths: 2_000_000))
        #expect(PlanCompiler.differences(of: plan, from: recipe) != [])
    }
}
