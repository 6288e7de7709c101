import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

/// Steps of a raw sensor that have a frame rate of their own.
@Suite struct StepRateTests {
    /// Lines of a microsecond, frames of 480 and a blanking.
    private static let profile: CameraProfile = {
        var profile = PlanFixtures.camera
        profile.name = "raw"
        guard let size = FrameSize(width: 640, height: 480),
            let pixels = PixelFormat.named("SRGGB12"),
            let lines = CameraControl(name: "exposure_time_absolute")
        else { preconditionFailure("a format and a control that are known") }
        profile.formats = profile.formats.filter { $0.size == size && $0.fourCC == "SRGGB12" }
        for index in profile.formats.indices { profile.formats[index].rates = [] }
        profile.sensor = SensorModel(
            modes: [
                SensorMode(
                    size: size, pixelFormats: [pixels], pixelRateHertz: 4_000_000_000,
                    linePixels: 4_000, blankingLines: CodeRange(32, 2_000_000))
            ],
            exposure: .init(
                control: lines, codes: CodeRange(20, 2_000_000), latencyFrames: 2,
                latencyOrigin: .exact),
            vertical: .init(control: .verticalBlanking, latencyFrames: 3, latencyOrigin: .exact),
            marginLines: 4)
        profile.exposure = nil
        return profile
    }()

    private static let sweep = """
          - for: {rate: [30 fps, 10 fps, 60 fps], exposure: [2 ms, 8 ms]}
            do: [{capture: 2}]
        """

    private static func blankings(_ plan: Plan) -> [Int64] {
        plan.settings.compactMap { settings in
            settings.codes.first.flatMap { $0.control == .verticalBlanking ? $0.code : nil }
        }
    }

    @Test func `each set of settings carries the blanking of its rate, written first`() throws {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(Self.sweep), profile: Self.profile)
        // 1,000,000 lines in a second, less the 480 of the image: 33,333, 100,000 and 16,667.
        #expect(Self.blankings(plan) == [32_853, 32_853, 99_520, 99_520, 16_187, 16_187])
        #expect(
            plan.settings.map { $0.timing?.frameLines }
                == [nil, nil, 100_000, 100_000, 16_667, 16_667])
        #expect(plan.camera.profile.timing?.frameLines == 33_333)
        #expect(
            plan.settings.map { $0.codes[1].code } == [2_000, 8_000, 2_000, 8_000, 2_000, 8_000])
        // Blanking and exposure are written together: the slower one says when both show.
        #expect(plan.settings.allSatisfy { $0.latencyFrames == 3 })
        #expect(plan.camera.profile.exposure?.latencyFrames == 3)
    }

    @Test func `after a bracket the run's rate is in force again`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - bracket: {rate: [10 fps, 20 fps]}\n  - capture: 1"),
            profile: Self.profile)
        #expect(Self.blankings(plan) == [99_520, 49_520, 32_853])
        guard case .capture(_, let settings, _, _) = plan.program[3] else {
            Issue.record("the capture follows the bracket: \(plan.program)")
            return
        }
        #expect(plan.settings[Int(settings)].timing == nil)
    }

    @Test func `the plan says the rate and the timing of a step, and nothing where there is none`()
        throws
    {
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(Self.sweep), profile: Self.profile)
        let again = try PlanFixtures.compile(PlanFixtures.recipe(Self.sweep), profile: Self.profile)
        #expect(plan.json == again.json)
        let settings = try #require(plan.json["settings"]?.arrayValue)
        #expect(settings[0]["timing"] == nil && settings[0]["requested"]?["rate"] == nil)
        #expect(settings[2]["timing"]?["frame_lines"]?.integerValue == 100_000)
        #expect(settings[2]["requested"]?["rate"]?["frames"]?.integerValue == 10)
        #expect(try Plan(json: plan.json).settings == plan.settings)
    }

    @Test func `rates and exposures of a bracket go side by side`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - bracket: {rate: [10 fps, 60 fps], exposure: [90 ms, 16 ms]}"),
            profile: Self.profile)
        #expect(Self.blankings(plan) == [99_520, 16_187, 32_853])
        #expect(plan.settings.map { $0.codes[1].code } == [90_000, 16_000, 8_000])
    }

    @Test func `a plan takes the time of its longer frames`() throws {
        func duration(_ sequence: String) throws -> Interval {
            let plan = try PlanFixtures.compile(
                PlanFixtures.recipe(sequence), profile: Self.profile)
            return try #require(PlanEstimate(plan, bytesPerFrame: 1).duration)
        }
        let slow = try duration("  - for: {rate: [10 fps]}\n    do: [{capture: 100}]")
        let usual = try duration("  - capture: 100")
        #expect(slow > .seconds(10) && usual < .milliseconds(3_700))
    }

    private static let cases = [
        PlanComplaint(
            "a camera that keeps its own time",
            PlanFixtures.recipe("  - bracket: {rate: [10 fps]}"),
            says: """
                recipe.yaml:8:22: error: camera `test` keeps its own time: its rate is set before the stream starts and holds for the whole run [step-rate-unsupported]
                    8 |   - bracket: {rate: [10 fps]}
                      |                      ^~~~~~
                hint: give the rate once, in `camera: {format: {rate: 10 fps}}`, and make a run for each rate; only raw sensors (profiles with `sensor`) change theirs from frame to frame
                """),
        PlanComplaint(
            "an exposure that is longer than the frames of its step",
            PlanFixtures.recipe("  - bracket: {rate: [60 fps, 30 fps], exposure: [20 ms, 20 ms]}"),
            profile: profile,
            says: """
                recipe.yaml:8:50: error: exposure 20 ms is outside 20 us to 16.663 ms (exposure_time_absolute of camera profile `raw`, 640x480 at 60 fps) [exposure-out-of-range]
                    8 |   - bracket: {rate: [60 fps, 30 fps], exposure: [20 ms, 20 ms]}
                      |                                                  ^~~~~
                hint: use a shorter exposure, or a lower frame rate
                """),
        PlanComplaint(
            "a rate that the sensor has not",
            PlanFixtures.recipe("  - bracket: {rate: [0.1 fps, 30 fps]}"), profile: profile,
            says: """
                recipe.yaml:8:22: error: 1/10 fps is outside 0.5 fps to 1953.125 fps at 640x480 (vertical_blanking 32 to 2000000 of camera profile `raw`) [rate-out-of-range]
                    8 |   - bracket: {rate: [0.1 fps, 30 fps]}
                      |                      ^~~~~~~
                hint: use a rate in that range
                """),
        PlanComplaint(
            "no rate of the run",
            PlanFixtures.recipe(
                "  - bracket: {rate: [10 fps]}", format: "pixels: SRGGB12, size: 640x480"),
            profile: profile,
            says: """
                recipe.yaml:8:22: error: a step's rate needs the rate of the frames that have none of their own [step-rate-without-rate]
                    8 |   - bracket: {rate: [10 fps]}
                      |                      ^~~~~~
                hint: give it in `camera: {format: {rate: 30 fps}}`
                """),
        PlanComplaint(
            "an exposure that nobody knows before the run",
            PlanFixtures.recipe("  - bracket: {rate: [10 fps, 30 fps]}", lock: "exposure: current"),
            profile: profile,
            says: """
                recipe.yaml:8:22: error: an exposure's range changes with the rate, so every step needs an exposure duration that is known before the run [step-rate-without-exposure]
                    8 |   - bracket: {rate: [10 fps, 30 fps]}
                      |                      ^~~~~~
                hint: lock one (`lock: {exposure: {duration: 8 ms}}`)
                """),
    ]

    @Test(arguments: cases)
    private func `the complaint names the place, the limit and a way out`(_ example: PlanComplaint)
    {
        #expect(example.found == example.says)
    }
}
