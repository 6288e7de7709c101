import Devices
import Notation
import Recipes
import Testing
import Timebase

/// Cameras that a line exposes: what the plan expects of them, and what it refuses.
struct PlanTriggerTests {
    private static let lines = "{part: {direction: in}, lamp: {direction: out}}"

    private static func camera(_ exposure: TriggerModel.Exposure) -> CameraProfile {
        var profile = PlanFixtures.camera
        profile.trigger = TriggerModel(
            exposure: exposure, shortestDelay: .microseconds(10), longestDelay: .microseconds(30),
            deadTime: .init(shortest: .milliseconds(2), longest: .milliseconds(3), from: .exposure),
            warmUpFrames: 3)
        return profile
    }

    private static func recipe(
        _ trigger: String = "part", lock: String = "exposure: {duration: 8 ms, gain: 1x}",
        lines: String = lines, sequence: String = "  - wait: {edge: part}\n  - capture: 1"
    ) -> String {
        PlanFixtures.recipe(sequence, camera: "trigger: \(trigger)", lock: lock, lines: lines)
    }

    @Test func `the window is the exposure and the delay, the period the dead time`() throws {
        let plan = try PlanFixtures.compile(Self.recipe(), profile: Self.camera(.timed))
        let trigger = try #require(plan.camera.trigger)
        #expect(trigger.line == 0)
        #expect(trigger.window.earliest == .microseconds(8_010))
        #expect(trigger.window.latest == .microseconds(8_030))
        #expect(trigger.window.edgeDelay == .microseconds(300))
        #expect(trigger.window.shortestPeriod == .milliseconds(10))
        #expect(trigger.window.longestPeriod == .milliseconds(11))
        #expect(plan.camera.profile.startupFrames == 3)
    }

    @Test func `a pulse is the exposure where the camera says so`() throws {
        let plan = try PlanFixtures.compile(
            Self.recipe("{line: part, pulse: 4 ms}", lock: ""), profile: Self.camera(.pulse))
        let trigger = try #require(plan.camera.trigger)
        #expect(trigger.exposure == .milliseconds(4))
        #expect(trigger.window.earliest == .microseconds(4_010))
    }

    @Test func `several exposures make a wide window`() throws {
        let plan = try PlanFixtures.compile(
            Self.recipe(
                sequence: "  - bracket: {exposure: [2 ms, 9 ms]}"),
            profile: Self.camera(.timed))
        let window = try #require(plan.camera.trigger?.window)
        #expect(window.earliest < .milliseconds(3) && window.latest > .milliseconds(9))
    }

    @Test func `a control switches the camera, and back where a recipe wants no trigger`() throws {
        let control = try #require(CameraControl(name: "0x0098f900"))
        var profile = Self.camera(.timed)
        profile.trigger?.mode = .init(control: control, on: 1, off: 0)
        let triggered = try PlanFixtures.compile(Self.recipe(), profile: profile)
        #expect(triggered.camera.profile.pinned == [ControlValue(control, 1)])
        #expect(triggered.camera.trigger?.mode == ControlValue(control, 1))
        let free = try PlanFixtures.compile(
            PlanFixtures.recipe("  - capture: 1"), profile: profile)
        #expect(free.camera.profile.pinned == [ControlValue(control, 0)])
    }

    @Test(arguments: [
        (recipe(), PlanFixtures.bare, "trigger-unsupported"),
        (recipe(), camera(.pulse), "trigger-pulse-missing"),
        (recipe("{line: part, pulse: 4 ms}"), camera(.timed), "trigger-pulse-unused"),
        (recipe("{line: part, pulse: 4 ms}"), camera(.pulse), "exposure-by-trigger"),
        (
            recipe(
                "{line: part, pulse: 4 ms}", lock: "",
                sequence: "  - bracket: {exposure: [1 ms, 2 ms]}"), camera(.pulse),
            "exposure-by-trigger"
        ),
        (recipe(lock: ""), camera(.timed), "trigger-exposure"),
        (
            recipe(lines: "{part: {direction: in, edge: both}}"), camera(.timed), "trigger-edge"
        ),
        (
            recipe(lines: "{part: {direction: in, debounce: 5 ms}}"), camera(.timed),
            "trigger-debounced"
        ),
        (
            recipe(sequence: "  - pulse: {line: lamp, with: exposure}\n  - capture: 1"),
            camera(.timed), "light-with-trigger"
        ),
    ])
    func `what a camera can't do is refused, with a way out`(
        recipe: String, profile: CameraProfile, id: String
    ) {
        let complaint = PlanFixtures.complaint(recipe, profile: profile)
        #expect(complaint.contains("[\(id)]"), "\(complaint)")
        #expect(complaint.contains("hint: "), "\(complaint)")
    }

    @Test(arguments: [
        (
            ["wait: {edge: part}", "pulse: {line: lamp, for: 5 ms}", "capture: 1"],
            ["pulse-after-edge"]
        ),
        (["pulse: {line: lamp, for: 5 ms}", "wait: {edge: part}", "capture: 1"], []),
        (["wait: {edge: part}", "capture: 1", "pulse: {line: lamp, for: 5 ms}"], []),
    ])
    func `a pulse between an edge and the frame that it makes is warned of`(
        steps: [String], ids: [String]
    ) throws {
        let sequence = steps.map { "  - \($0)" }.joined(separator: "\n")
        let warnings = try PlanFixtures.warnings(
            Self.recipe(sequence: sequence), profile: Self.camera(.timed))
        #expect(warnings.map(\.id) == ids)
    }

    @Test func `an output that is looped back brings its input with it`() throws {
        let rig = """
            framelock_rig: 1
            name: bench
            cameras: {inspection: {id: simulated}}
            lines:
              lamp: {chip: gpio, line: 1, direction: out, sensed_by: lamp_sense}
              lamp_sense: {chip: gpio, line: 2, direction: in}
            """
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - pulse: {line: lamp, for: 1 ms}\n  - capture: 1", use: "inspection",
                lines: "[lamp]"), rig: rig)
        #expect(plan.lines.map(\.name) == ["lamp", "lamp_sense"])
        #expect(plan.lines[0].sensedBy == "lamp_sense")
        #expect(plan.lines[1].edge == .both)
        let complaint = PlanFixtures.complaint(
            PlanFixtures.recipe(
                "  - pulse: {line: lamp, for: 1 ms}\n  - capture: 1",
                lines: "{lamp: {chip: c, line: 1, direction: out, sensed_by: nothing}}"),
            rig: rig)
        #expect(complaint.contains("[unknown-line]"))
    }

    @Test
    func `an input that senses two outputs, or later than is judged, shows nothing of either`() {
        func complaint(_ lines: String, require: String = "") -> String {
            PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: lamp, for: 1 ms}\n  - capture: 1", lines: lines) + require)
        }
        let two = complaint(
            "{lamp: {chip: c, line: 1, direction: out, sensed_by: eye},"
                + " strobe: {chip: c, line: 2, direction: out, sensed_by: eye},"
                + " eye: {chip: c, line: 3, direction: in, edge: both}}")
        #expect(two.contains("[shared-line]") && two.contains("both sensed by `eye`"))
        let debounced =
            "{lamp: {chip: c, line: 1, direction: out, sensed_by: eye},"
            + " eye: {chip: c, line: 3, direction: in, edge: both, debounce: 1 ms}}"
        #expect(complaint(debounced) == "compiled")
        let judged = complaint(debounced, require: "\nrequire: {late_pulses: 0}\n")
        #expect(judged.contains("[inexact-line]") && judged.contains("up to 11.3 ms late"))
        let tolerant = "\nrequire: {late_pulses: 0, pulse_tolerance: 12 ms}\n"
        #expect(complaint(debounced, require: tolerant) == "compiled")
    }

    @Test func `an edge can't be timestamped before its debouncing is over`() {
        func complaint(_ keys: String) -> String {
            PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - wait: {edge: door}\n  - capture: 1",
                    lines: "{door: {chip: c, line: 1, direction: in, \(keys)}}"))
        }
        #expect(complaint("debounce: 5 ms, max_delay: 4 ms").contains("[out-of-range]"))
        #expect(complaint("debounce: 5 ms, max_delay: 5 ms") == "compiled")
        #expect(complaint("debounce: 0.5 us").contains("whole microseconds"))
        #expect(complaint("debounce: 5000 s").contains("4294967295 at most"))
    }
}
