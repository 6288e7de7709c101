import Foundation
import Testing

/// What README and documents tell people to type works as they say.
struct DocumentedCommandTests {
    private static let documents =
        ["README.md", "hardware/README.md", "deploy/README.md"]
        + names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }

    private static func names(in folder: String) -> [String] {
        let path = FramelockProgram.repository.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private static func text(_ document: String) throws -> String {
        let file = FramelockProgram.repository.appending(path: document)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Every `framelock …` of a document, in running text and in blocks, as words.
    private static func commands(_ document: String) throws -> [[String]] {
        let text = try text(document)
        let spans = text.matches(of: /`framelock ([a-z][^`]*)`/).map(\.1)
        let blocks = text.matches(of: /(?m)^ {4}framelock ([a-z].*)$/).map(\.1)
        return (spans + blocks).map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    /// The block of a document that begins with a fence of this language.
    private static func block(_ language: String, _ document: String) throws -> String {
        let text = try text(document)
        let start = try #require(text.range(of: "```\(language)\n"))
        let end = try #require(text.range(of: "\n```", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound]) + "\n"
    }

    @Test(arguments: documents)
    func `every command and option that a document names is one`(document: String) throws {
        for words in try Self.commands(document) {
            // `show --json` has one verb, `camera set --exposure` two.
            let verbs = words.prefix {
                $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-")
            }
            let help = try FramelockProgram.run(Array(verbs.prefix(2)) + ["--help"])
            #expect(help.status == 0, "\(document): \(words)")
            for option in words where option.hasPrefix("--") {
                #expect(help.stdout.contains(option), "\(document): \(words)")
            }
        }
    }

    @Test func `the first recipe of the README runs, and ends as the README says`() throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(Self.block("yaml", "README.md"))
        let run = try FramelockProgram.run("run", recipe, "--output", "\(folder.path)/run")
        #expect(run.status == 0)
        let told = try Self.text("README.md").split(separator: "\n")
            .filter { $0.hasPrefix("    verdict ") || $0.hasPrefix("    slots ") }
        #expect(told.count == 2)
        for line in told { #expect(run.stderr.contains(line.dropFirst(4)), "\(line)") }
        #expect(run.stderr.contains("(OME-Zarr: SRGGB12 640x480)"))

        let python = try TestPython.with("zarr")
        guard python.lastPathComponent != "off" else { return }
        let script = try Self.block("python", "docs/run-folder.md")
            .replacing("runs/TIME-bracket", with: "\(folder.path)/run")
        let shape = try FramelockProgram.Started(
            python, ["-c", "\(script)\nprint(frames.shape)"]
        ).result()
        #expect(shape.stdout == "(13, 480, 640)\n", "\(shape.stderr)")
    }

    @Test func `every member of a manifest is in the reference of the run folder`() throws {
        let folder = try TemporaryFolder()
        let run = try FramelockProgram.run(
            "simulate", "recipes/triggered-exposure.yaml", "--set", "parts=3",
            "--output", "\(folder.path)/run")
        #expect(run.status == 0, "\(run.stderr)")
        let manifest = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: "\(folder.path)/run/run.json")))
        let words = Set(try Self.text("docs/run-folder.md").split(separator: "`").map(String.init))
        for (name, value) in try #require(manifest as? [String: Any]) {
            let members = (value as? [String: Any])?.keys.map { "\(name).\($0)" } ?? []
            #expect(words.contains(name) || words.isSuperset(of: members), "\(name)")
        }
    }

    @Test func `every simulation of the documents runs to a verdict`() throws {
        var count = 0
        for document in Self.documents {
            for words in try Self.commands(document)
            where words.first == "simulate" && words.count > 1 {
                let folder = try TemporaryFolder()
                let run = try FramelockProgram.run(
                    words.map { $0 == "RECIPE" ? "recipes/exposure-bracket.yaml" : $0 }
                        + ["--output", "\(folder.path)/run"])
                #expect(
                    run.status == 0 || (80...84).contains(run.status),
                    "\(document): \(words): \(run.stderr)")
                count += 1
            }
        }
        #expect(count > 1)
    }

    @Test(arguments: names(in: "docs/examples"))
    func `an example of the recipe reference is one that can be planned`(file: String) throws {
        let check = try FramelockProgram.run(
            "check", "docs/examples/\(file)", "--profiles", "hardware/cameras")
        #expect(check.status == 0, "\(check.stderr)")
    }
}
