import Devices
import Imaging
import Notation
import Recipes
import Testing

/// Stills from the recipe into the plan and its file.
struct StillPlanTests {
    private static let sequence = """
          - capture: 3
          - capture: {count: 2, still: dng}
          - for: {exposure: [2 ms, 4 ms]}
            do:
              - capture: {still: tiff}
          - capture: {count: 4}
        """

    @Test func `steps that ask for stills are in the plan, each once`() throws {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(Self.sequence))
        let found = plan.stills.map { (plan.steps[Int($0.step)], $0.format) }
        #expect(found.map(\.0) == ["sequence[1]", "sequence[2].do[0]"])
        #expect(found.map(\.1) == [.dng, .tiff])
        let counts = plan.program.compactMap { instruction -> Int64? in
            if case .capture(let count, _, _, _) = instruction { count } else { nil }
        }
        #expect(counts == [3, 2, 1, 1, 4])
    }

    @Test func `the plan's file says so, and is read back`() throws {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(Self.sequence))
        #expect(
            plan.json["stills"]
                == [["step": 1, "format": "dng"], ["step": 2, "format": "tiff"]])
        RoundTrip.check(plan)
        // Plans without stills are byte for byte what they were before there were any.
        let plain = try PlanFixtures.compile(PlanFixtures.recipe("  - capture: 3"))
        #expect(plain.json["stills"] == nil)
        #expect(try Plan(json: plain.json).stills == [])
    }

    @Test(arguments: [
        #"[{"step":9,"format":"dng"}]"#, #"[{"step":0,"format":"gif"}]"#, #"[{"format":"dng"}]"#,
        #"{"step":0,"format":"dng"}"#, "3",
    ])
    func `a plan's file with stills that mean nothing is refused`(stills: String) throws {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(Self.sequence))
        var object = try #require(plan.json.objectValue)
        object["stills"] = try JSONReader.read(Array(stills.utf8), name: "stills")
        #expect(throws: JSONFault.self) { try Plan(json: .object(object)) }
    }

    @Test func `a DNG of pixels that are not raw is refused where it is asked for`() {
        var profile = PlanFixtures.camera
        profile.formats = []
        let recipe = PlanFixtures.recipe(
            "  - capture: {still: dng}", format: "pixels: YUYV, size: 640x480, rate: 30 fps")
        #expect(
            PlanFixtures.complaint(recipe, profile: profile) == """
                recipe.yaml:8:22: error: a DNG holds the sensor's own samples, and YUYV has been converted by the camera [still-format]
                    8 |   - capture: {still: dng}
                      |                      ^~~
                hint: use `still: jpeg` or `still: tiff`, or a raw format such as `SRGGB12`
                """)
        let taken = recipe.replacing("dng", with: "jpeg")
        #expect(PlanFixtures.complaint(taken, profile: profile) == "compiled")
    }
}
