import Foundation
import Notation
import Recipes
import Testing

/// Every file in Golden is a mistake that people make; the text beside it is what they read then.
///
/// Comments at the top of a file: `# --set NAME=VALUE` for a recipe that is read with an override, and
/// `# schema: refuses` where the JSON Schema must see the mistake too.
@Suite struct DiagnosticTests {
    @Test(arguments: try ProjectFiles.yamlFiles(in: ProjectFiles.golden))
    func `a mistake is shown with its place and a way out`(file: String) throws {
        let bytes = try Data(contentsOf: ProjectFiles.golden.appending(path: file))
        let source = SourceFile(name: file, bytes: Array(bytes))
        let overrides = Self.overrides(source)
        let list = try #require(Self.refusal(of: source, overrides), "\(file) is not refused")
        let sources = [source] + overrides.map(\.source)
        let text = DiagnosticRenderer(sources: sources).render(list) + "\n"
        let url = ProjectFiles.golden.appending(path: file.replacing(".yaml", with: ".txt"))
        let golden = try ProjectFiles.golden(url, recording: text)
        #expect(text == golden.text)
        let isNew = golden.isNew
        #expect(!isNew, "\(url.lastPathComponent) was written anew; look at it and run again")
    }

    @Test(arguments: try ProjectFiles.yamlFiles(in: ProjectFiles.golden))
    func `ranges lie inside their file and ids are stable words`(file: String) throws {
        let bytes = try Data(contentsOf: ProjectFiles.golden.appending(path: file))
        let source = SourceFile(name: file, bytes: Array(bytes))
        let overrides = Self.overrides(source)
        let sources = [source] + overrides.map(\.source)
        for diagnostic in try #require(Self.refusal(of: source, overrides)).diagnostics {
            let file = try #require(sources.first { $0.name == diagnostic.file })
            #expect(diagnostic.range.start <= diagnostic.range.end)
            #expect(diagnostic.range.end <= file.endPosition)
            #expect(diagnostic.id.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" })
            #expect(!diagnostic.message.hasSuffix("."))
        }
    }

    @Test func `there are more than sixty mistakes, each with its text`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: ProjectFiles.golden.path)
        let mistakes = Set(files.filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(5) })
        let texts = Set(files.filter { $0.hasSuffix(".txt") }.map { $0.dropLast(4) })
        #expect(mistakes == texts)
        #expect(mistakes.count > 60)
    }

    private static func refusal(
        of source: SourceFile, _ overrides: [ParameterOverride]
    ) -> DiagnosticList? {
        do throws(DiagnosticList) {
            switch source.name.split(separator: "-").first {
            case "rig": _ = try RigDecoder.decode(source)
            case "camera": _ = try CameraProfileDecoder.decode(source)
            default: _ = try RecipeDecoder.decode(source, overrides: overrides)
            }
            return nil
        } catch {
            return error
        }
    }

    private static func overrides(_ source: SourceFile) -> [ParameterOverride] {
        (1...4).compactMap { source.line($0) }
            .filter { $0.hasPrefix("# --set ") }
            .compactMap { ParameterOverride(argument: String($0.dropFirst(8))) }
    }
}
