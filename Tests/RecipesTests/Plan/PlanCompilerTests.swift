import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

struct PlanCompilerTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let sequence: String
        let program: String
        var testDescription: String { name }
    }

    private static let lines = "[part_present, strobe, reject]"

    private static let cases = [
        Case(
            name: "frames with the locked settings",
            sequence: """
                  - capture: 5
                """,
            program: "capture 5 with 0 @sequence[0]"),
        Case(
            name: "a bracket is one frame for each shot, and what follows has the lock again",
            sequence: """
                  - bracket: {exposure: [1 ms, 8 ms, 1 ms]}
                  - capture: 2
                """,
            program: """
                capture 1 with 0 @sequence[0]
                capture 1 with 1 @sequence[0]
                capture 1 with 0 @sequence[0]
                restore 1 @sequence[0]
                capture 2 with 1 @sequence[1]
                restore 1 @sequence[0]
                """),
        Case(
            name: "lists of a bracket go side by side",
            sequence: """
                  - bracket: {exposure: [1 ms, 2 ms], gain: [4x, 2x]}
                """,
            program: """
                capture 1 with 0 @sequence[0]
                capture 1 with 1 @sequence[0]
                restore 2 @sequence[0]
                """),
        Case(
            name: "of a sweep's axes the first changes slowest",
            sequence: """
                  - for: {gain: [1x, 2x], exposure: {from: 1 ms, to: 3 ms, steps: 3}}
                    do:
                      - capture: 2
                """,
            program: """
                capture 2 with 0 @sequence[0].do[0]
                capture 2 with 1 @sequence[0].do[0]
                capture 2 with 2 @sequence[0].do[0]
                capture 2 with 3 @sequence[0].do[0]
                capture 2 with 4 @sequence[0].do[0]
                capture 2 with 5 @sequence[0].do[0]
                """),
        Case(
            name: "an inner sweep changes only what it names",
            sequence: """
                  - for: {lens: [0.2, 0.8]}
                    do:
                      - for: {exposure: [1 ms, 2 ms]}
                        do:
                          - capture: 1
                      - capture: 1
                """,
            program: """
                capture 1 with 0 @sequence[0].do[0].do[0]
                capture 1 with 1 @sequence[0].do[0].do[0]
                capture 1 with 2 @sequence[0].do[1]
                capture 1 with 3 @sequence[0].do[0].do[0]
                capture 1 with 4 @sequence[0].do[0].do[0]
                capture 1 with 5 @sequence[0].do[1]
                """),
        Case(
            name: "loops nest, and know where they end",
            sequence: """
                  - repeat: 3
                    every: 10 s
                    do:
                      - repeat: 2
                        do:
                          - capture: 4
                          - wait: 250 ms
                      - capture: 1
                """,
            program: """
                loop 3 every 10 s to 6 @sequence[0]
                  loop 2 every 0 s to 4 @sequence[0].do[0]
                    capture 4 with 0 @sequence[0].do[0].do[0]
                    wait 250 ms @sequence[0].do[0].do[1]
                  end of 1
                  capture 1 with 0 @sequence[0].do[1]
                end of 0
                """),
        Case(
            name: "an endless recipe is as small as a short one",
            sequence: """
                  - repeat: forever
                    do:
                      - wait: {edge: part_present, within: 5 s}
                      - pulse: {line: reject, for: 20 ms}
                      - capture: 1
                """,
            program: """
                loop -1 every 0 s to 4 @sequence[0]
                  edge part_present within 5 s @sequence[0].do[0]
                  pulse reject 20 ms @sequence[0].do[1]
                  capture 1 with 0 @sequence[0].do[2]
                end of 0
                """),
        Case(
            name: "an edge without a limit is waited for as long as it takes",
            sequence: """
                  - wait: {edge: part_present}
                  - capture: 1
                """,
            program: """
                edge part_present within 0 s @sequence[0]
                capture 1 with 0 @sequence[1]
                """),
        Case(
            name: "a light holds for the rest of its list and what is inside it, and no further",
            sequence: """
                  - repeat: 2
                    do:
                      - capture: 1
                      - pulse: {line: strobe, with: exposure}
                      - bracket: {exposure: [1 ms, 2 ms]}
                      - for: {gain: [1x]}
                        do:
                          - pulse: {line: reject, with: exposure}
                          - capture: 1
                      - capture: 1
                  - capture: 1
                """,
            program: """
                loop 2 every 0 s to 7 @sequence[0]
                  capture 1 with 0 @sequence[0].do[0]
                  capture 1 with 1 lit by strobe @sequence[0].do[2]
                  capture 1 with 2 lit by strobe @sequence[0].do[2]
                  restore 0 @sequence[0].do[2]
                  capture 1 with 0 lit by strobe reject @sequence[0].do[3].do[1]
                  capture 1 with 0 lit by strobe @sequence[0].do[4]
                end of 0
                capture 1 with 0 @sequence[1]
                restore 0 @sequence[0].do[2]
                """),
    ]

    @Test(arguments: cases)
    private func `a sequence becomes exactly these instructions`(_ example: Case) throws {
        let text = PlanFixtures.recipe(example.sequence, lines: Self.lines)
        let plan = try PlanFixtures.compile(text, rig: PlanFixtures.rig)
        #expect(plan.listing == example.program)
    }

    @Test func `equal settings are kept once, with the codes that make them`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                """
                  - for: {exposure: [1 ms, 2 ms]}
                    do:
                      - bracket: {lens: [0, 0.5, 1]}
                  - for: {lens: [0, 0.5, 1]}
                    do:
                      - bracket: {exposure: [1 ms, 2 ms]}
                """))
        #expect(
            plan.settingsListing == """
                exposure_time_absolute=1000 gain=64 focus_absolute=1000 +2
                exposure_time_absolute=1000 gain=64 focus_absolute=500 +2
                exposure_time_absolute=1000 gain=64 focus_absolute=0 +2
                exposure_time_absolute=1000 gain=64 +2
                exposure_time_absolute=2000 gain=64 focus_absolute=1000 +2
                exposure_time_absolute=2000 gain=64 focus_absolute=500 +2
                exposure_time_absolute=2000 gain=64 focus_absolute=0 +2
                exposure_time_absolute=2000 gain=64 +2
                exposure_time_absolute=8000 gain=64 focus_absolute=1000 +2
                exposure_time_absolute=8000 gain=64 focus_absolute=500 +2
                exposure_time_absolute=8000 gain=64 focus_absolute=0 +2
                exposure_time_absolute=8000 gain=64 +2
                """)
        let captures = plan.program.count { if case .capture = $0 { true } else { false } }
        #expect(captures == 12)
        // Where the lens comes back to is known only once the run begins.
        let settles = plan.settings.map { $0.quantised.lens == .current ? .zero : $0.settle }
        #expect(settles.filter { $0 != .zero } == Array(repeating: .milliseconds(50), count: 9))
    }

    @Test func `what a recipe does not lock is not controlled, and what stays as found is kept`()
        throws
    {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - capture: 1", lock: "exposure: current, white_balance: current")
        )
        let settings = try #require(plan.settings.first)
        #expect(settings.requested.exposure == .current)
        #expect(settings.requested.gain == .current)
        #expect(settings.requested.whiteBalance == .current)
        #expect(settings.requested.lens == .free)
        #expect(settings.quantised == settings.requested)
        #expect(settings.codes == [])
    }

    @Test func `ISO is turned into the profile's gain`() throws {
        var camera = PlanFixtures.camera
        camera.gain?.isoAtUnity = 200
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - capture: 1", lock: "exposure: {duration: 1 ms, iso: 500}"),
            profile: camera)
        #expect(plan.settings.first?.requested.gain.asked?.description == "2.5x")
        #expect(plan.settings.first?.quantised.gain.asked?.description == "2.5x")
    }

    @Test func `requested and quantised are both kept`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - capture: 1", lock: "exposure: {duration: 8.0004 ms, gain: 1.3x}"))
        let settings = try #require(plan.settings.first)
        #expect(settings.requested.exposure == .value(.nanoseconds(8_000_400)))
        #expect(settings.quantised.exposure == .value(.milliseconds(8)))
        #expect(settings.requested.gain.asked?.description == "1.3x")
        #expect(settings.quantised.gain.asked?.description == "1.296875x")
    }

    @Test func `a plan says what it records, and how it is judged`() throws {
        let text =
            PlanFixtures.recipe(
                "  - capture: 1", format: "pixels: Y12, size: 640x480", camera: "input: HDMI")
            + "output: {buffers: 64, when_full: stop}\nrequire: {dropped: 3, unmatched_triggers: any}\n"
        let plan = try PlanFixtures.compile(text)
        #expect(plan.name == "test")
        #expect(plan.camera.id == "simulated")
        #expect(plan.camera.configuration.pixelFormat.name == "Y12")
        #expect(plan.camera.configuration.rate == nil)
        #expect(plan.camera.configuration.input == "HDMI")
        #expect(plan.output == OutputOptions(whenFull: .stop, bufferCount: 64))
        #expect(plan.require == Requirements(dropped: 3, unmatchedTriggers: nil))
    }

    @Test func `a plan says what becomes of lost frames, where that is not a hole`() throws {
        let text = PlanFixtures.recipe("  - capture: 1")
        let usual = try PlanFixtures.compile(text)
        #expect(usual.onLost == .hole)
        #expect(try PlanFixtures.compile(text + "on_lost: hole\n") == usual)
        #expect(!usual.json.text(.canonical).contains("on_lost"))
        let again = try PlanFixtures.compile(text + "on_lost: retake\n")
        #expect(again.onLost == .retake)
        #expect(again.json.text(.canonical).contains(#""on_lost":"retake""#))
        #expect(throws: DiagnosticList.self) {
            try PlanFixtures.compile(text + "on_lost: ignore\n")
        }
    }

    @Test func `a plan of many steps is compiled in one go`() throws {
        let sequence = (0..<2_000).map { _ in "  - capture: 1" }.joined(separator: "\n")
        let plan = try PlanFixtures.compile(PlanFixtures.recipe(sequence))
        #expect(plan.steps == (0..<2_000).map { "sequence[\($0)]" })
        #expect(plan.settings.count == 1)
    }
}
