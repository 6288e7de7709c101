import Devices
import Notation
import Recipes
import Testing
import Timebase

@Suite("Metering before a run")
struct MeterStepRowsTests {
    private func decode(_ sequence: String, lock: String = "") throws -> Recipe {
        try RecipeDecoder.decode(
            SourceFile(
                name: "r.yaml",
                text: """
                    framelock: 1
                    name: r
                    camera: {use: simulated, format: {pixels: Y12, size: 640x480, rate: 30 fps}}
                    \(lock)sequence:
                    \(sequence)

                    """))
    }

    @Test("M5 automatics run before a locked run only, and what they find is locked")
    func beforeTheRun() throws {
        let recipe = try decode("  - meter: {exposure: auto, focus: auto}\n  - capture: 1")
        #expect(recipe.steps.count == 1, "metering is no step of the run")
        #expect(recipe.lock.exposure?.value == .current)
        #expect(recipe.lock.lens?.value == .current)
        #expect(recipe.lock.whiteBalance == nil)
        let found = MeteredValues(
            duration: .milliseconds(7), gain: .unity, lens: LensPosition(millionths: 300_000),
            balance: nil)
        let locked = recipe.locking(found)
        #expect(locked.lock.exposure?.value == .value(.milliseconds(7)))
        #expect(locked.lock.lens?.value.asked?.millionths == 300_000)
        #expect(throws: DiagnosticList.self) {
            try decode("  - capture: 1\n  - meter: {focus: auto}")
        }
        #expect(throws: DiagnosticList.self) {
            try decode(
                "  - meter: {focus: auto}\n  - capture: 1", lock: "lock: {focus: {lens: 0.4}}\n")
        }
    }
}
