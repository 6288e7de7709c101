import Instrument
import LiveControl
import Records

/// Runs a recipe, reads what was recorded, and sets an exposure by hand.
@main
struct Example {
    static func main() async throws {
        let recipe = RecipeRequest(CommandLine.arguments[1])
        let acquisition = try Acquisition.prepare(recipe)
        let outcome = try acquisition.run(into: .exactly(CommandLine.arguments[2]))
        print("\(outcome.judgement.verdict.rawValue): \(outcome.tally.frames) frames")

        let run = try RunSummary.read(outcome.folder.path)
        print("recorded: \(run.json["frames"]?.integerValue ?? 0) frames")

        let camera = try OpenCamera(CameraRequest("simulated"))
        let session = try camera.session()
        let exposure = ExposureRequest.custom(
            duration: .value(.milliseconds(8)), sensitivity: .iso(200))
        let done = try await session.setExposure(exposure)
        await session.end()
        if let sync = done.sync { print("8 ms from frame \(sync.sequence) on") }
    }
}
