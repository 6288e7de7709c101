import Devices
import Recipes
import Testing

struct ProofLimitTests {
    private static let bracket = "  - bracket: {exposure: [1 ms, 8 ms]}"

    private func complaint(
        _ sequence: String, _ proof: String, camera change: (inout CameraProfile) -> Void = { _ in }
    ) -> String {
        var profile = PlanFixtures.camera
        change(&profile)
        return PlanFixtures.complaint(
            PlanFixtures.recipe(sequence) + "require: {proof: \(proof)}\n", profile: profile)
    }

    @Test(arguments: ["metadata", "{gain: metadata}"])
    func `a camera without metadata can't prove by them`(proof: String) {
        let text = complaint(Self.bracket, proof)
        #expect(text.contains("can't be known by metadata: frames of this camera"))
        #expect(text.contains("[proof-out-of-reach]"))
        #expect(text.contains("\(proof)}\n"))
    }

    @Test func `pixels can't prove what is the same in all frames`() {
        #expect(complaint(Self.bracket, "{exposure: pixels}") == "compiled")
        let text = complaint(Self.bracket, "pixels")
        #expect(text.contains("the gain can't be known by pixels: it is the same in all frames"))
        #expect(!text.contains("the exposure can't"))
        #expect(
            complaint("  - capture: 3", "{exposure: pixels}").contains(
                "the exposure can't be known by pixels"))
    }

    @Test func `pixels can't prove exposures beside a gain that is anything`() {
        let recipe = PlanFixtures.recipe(Self.bracket, lock: "exposure: {duration: 8 ms}")
        let text = PlanFixtures.complaint(recipe + "require: {proof: {exposure: pixels}}\n")
        #expect(text.contains("the recipe leaves the gain alone"))
        #expect(text.contains("lock both"))
    }

    @Test func `a gain that the camera does not have needs no proof`() {
        #expect(complaint(Self.bracket, "pixels") { $0.gain = nil } != "compiled")
        let recipe = PlanFixtures.recipe(Self.bracket, lock: "exposure: {duration: 8 ms}")
        var profile = PlanFixtures.camera
        profile.gain = nil
        #expect(
            PlanFixtures.complaint(recipe + "require: {proof: pixels}\n", profile: profile)
                == "compiled")
    }
}
