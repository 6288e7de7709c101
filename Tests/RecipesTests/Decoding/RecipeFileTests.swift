import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

@Suite struct RecipeFileTests {
    @Test func `first light says what its file says`() throws {
        let recipe = try RecipeDecoder.decode(ProjectFiles.source("recipes/first-light.yaml"))
        #expect(recipe.name.value == "first-light")
        #expect(recipe.camera.use.value == "simulated")
        #expect(recipe.camera.format.pixelFormat?.value.name == "SRGGB12")
        #expect(recipe.camera.format.size?.value.description == "640x480")
        #expect(recipe.camera.format.rate?.value == FrameRate(frames: 30))
        #expect(recipe.lock.exposure?.value == .value(.milliseconds(8)))
        #expect(recipe.lock.gain?.value == .value(.iso(100)))
        #expect(recipe.lock.lens?.value.asked?.millionths == 500_000)
        #expect(recipe.steps.map(\.path) == ["sequence[0]", "sequence[1]", "sequence[2]"])
        guard case .bracket(let bracket) = try #require(recipe.steps.dropFirst().first).kind,
            case .changes(let shots) = bracket.shots
        else {
            Issue.record("the second step is a bracket")
            return
        }
        let exposures: [SweepValue] = [1, 2, 4, 8, 16, 32].map { .exposure(.milliseconds($0)) }
        #expect(shots.map { $0.map(\.value) } == exposures.map { [$0] })
        #expect(recipe.require.limits.dropped == 0)
    }

    @Test(arguments: try ProjectFiles.yamlFiles(in: ProjectFiles.recipes))
    func `every recipe of the project can be read`(file: String) throws {
        let source = try ProjectFiles.source("recipes/\(file)")
        do throws(DiagnosticList) {
            let recipe = try RecipeDecoder.decode(source)
            #expect(!recipe.summary.isEmpty)
            #expect("\(recipe.name.value).yaml" == file)
        } catch {
            Issue.record("\(DiagnosticRenderer(sources: [source]).render(error))")
        }
    }
}
