import Cameras
import Imaging
import Lines
import Notation
import Recipes
import Testing
import Timebase

/// What a person is told about recipes that are well formed, and that this camera or machine can't run.
struct PlanDiagnosticTests {
    @Test func `show all`() {
        for item in Self.all { Swift.print("=== \(item.name)\n\(item.complaint)") }
    }
    struct Case { let name: String; let complaint: String }
    static let all: [Case] = [
        Case(
            name: "unknown camera, rig",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", use: "inspektion"), rig: PlanFixtures.rig)),
        Case(
            name: "unknown camera, rig, nothing near",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", use: "xyz"), rig: PlanFixtures.rig)),
        Case(
            name: "unknown camera, no rig",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", use: "inspection"))),
        Case(
            name: "unknown camera, empty rig",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", use: "inspection"),
                rig: "framelock_rig: 1\nname: empty\n")),
        Case(
            name: "pixels",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", format: "pixels: YUYV, size: 640x480"))),
        Case(
            name: "size",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", format: "pixels: SRGGB12, size: 1920x1080"))),
        Case(
            name: "rate",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1", format: "pixels: SRGGB12, size: 640x480, rate: 25 fps"))),
        Case(
            name: "region",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", camera: "region: 320x240+10+20"))),
        Case(
            name: "33 lines",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1",
                    lines: "{"
                        + (0..<33).map { "l\($0): {chip: c, line: \($0), direction: out}" }.joined(
                            separator: ", ") + "}"))),
        Case(
            name: "line without rig",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: strobe, for: 1 ms}\n  - capture: 1", lines: "[strobe]"))),
        Case(
            name: "unknown line, near",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: strob, for: 1 ms}\n  - capture: 1", lines: "[strob]"),
                rig: PlanFixtures.rig)),
        Case(
            name: "unknown line, far",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: heater, for: 1 ms}\n  - capture: 1", lines: "[heater]"),
                rig: PlanFixtures.rig)),
        Case(
            name: "unknown line, empty rig",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: heater, for: 1 ms}\n  - capture: 1", lines: "[heater]"),
                rig: "framelock_rig: 1\nname: empty\n")),
        Case(
            name: "differs",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1",
                    lines: "{part_present: {direction: out}, strobe: {active_low: true}}"),
                rig: PlanFixtures.rig)),
        Case(
            name: "differs2",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1", lines: "{part_present: {bias: pull_up, debounce: 2 ms}}"),
                rig: PlanFixtures.rig)),
        Case(
            name: "pulse on rig input",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: part_present, for: 1 ms}\n  - pulse: {line: part_present, with: exposure}\n  - wait: {edge: strobe}\n  - capture: 1",
                    lines: "[part_present, strobe]"), rig: PlanFixtures.rig)),
        Case(
            name: "exposure longer than interval",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - bracket: {exposure: [8 ms, 40 ms]}\n  - repeat: 2\n    do:\n      - bracket: {exposure: [8 ms, 40 ms]}"
                ))),
        Case(
            name: "light without exposure",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - pulse: {line: strobe, with: exposure}\n  - capture: 1",
                    lock: "exposure: current", lines: "[strobe]"), rig: PlanFixtures.rig)),
        Case(
            name: "out of range",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1",
                    lock:
                        "exposure: {duration: 10 us, iso: 3200}, white_balance: {red: 9, green: 1, blue: 1}"
                ))),
        Case(
            name: "no controls",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1",
                    lock:
                        "exposure: {duration: 8 ms, iso: 100}, focus: {lens: 0.5}, white_balance: current"
                ), profile: PlanFixtures.bare)),
        Case(
            name: "iso no gain, sweep",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - for: {iso: [100, 200, 400]}\n    do:\n      - capture: 1", lock: ""),
                profile: PlanFixtures.bare)),
        Case(
            name: "tint",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - capture: 1", lock: "white_balance: {temperature: 5200 K, tint: 4}"))),
        Case(
            name: "kelvin",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", lock: "white_balance: {temperature: 9000 K}"))
        ),
        Case(
            name: "xy",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe("  - capture: 1", lock: "white_balance: {x: 0.7, y: 0.29}"))),
        Case(
            name: "sweep one bad",
            complaint: PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - for: {gain: {from: 1x, to: 20x, steps: 20}}\n    do:\n      - capture: 1"))
        ),
    ]
}
