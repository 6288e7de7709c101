import Foundation
import Testing

/// Rules for everything that is not code.
struct ProjectRuleTests {
    @Test func `every recipe, rig and profile tells editors its schema`() throws {
        let kinds = [
            ("recipes/", "schema/recipe-1.schema.json"),
            ("hardware/rigs/", "../../recipes/schema/rig-1.schema.json"),
            ("hardware/cameras/", "../../recipes/schema/camera-1.schema.json"),
            ("hardware/receivers/", "../../recipes/schema/receiver-1.schema.json"),
        ]
        for (folder, schema) in kinds {
            let files = Repository.files(".yaml", under: [folder])
            #expect(!files.isEmpty, "\(folder)")
            #expect(Repository.exists(folder + schema), "\(folder)\(schema)")
            for file in files {
                #expect(
                    try Repository.lines(file).first
                        == "# yaml-language-server: $schema=\(schema)", "\(file)")
            }
        }
    }

    @Test func `a recipe shows how it is run, under its own name`() throws {
        for file in Repository.files(".yaml", under: ["recipes/"]) {
            let text = try Repository.text(file)
            #expect(text.contains("\n#   framelock run \(file)"), "\(file)")
        }
    }

    @Test func `nothing that is made is kept`() throws {
        let made = [".o", ".swiftmodule", ".pyc", ".orig", ".rej", "~", ".swp"]
        for file in Repository.files {
            #expect(!made.contains { file.hasSuffix($0) }, "\(file)")
        }
        let ignored = try Repository.lines(".gitignore")
        #expect(ignored.contains(".build/"))
        #expect(ignored.contains("Package.resolved"))
    }

    @Test func `no file speaks of one machine's folders`() throws {
        let places = ["/ro" + "ot/", "/wo" + "rk/", "/tmp/" + "wt", "/ho" + "me/"]
        for file in Repository.files where !file.hasSuffix("Package.resolved") {
            guard let text = try? Repository.text(file) else { continue }
            for place in places {
                let lines = text.split(separator: "\n").filter { $0.contains(place) }
                // systemd's own words for homes that a service may not see are not paths of ours.
                let found = lines.filter { !$0.contains("ProtectHome") }
                #expect(found.isEmpty, "\(file): \(found.first ?? "")")
            }
        }
    }

    @Test func `every relative link leads somewhere`() throws {
        var count = 0
        for file in Repository.files(".md") {
            let folder = file.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Self.links(in: Repository.text(file)) {
                let path = link.split(separator: "#", omittingEmptySubsequences: false)[0]
                if path.isEmpty || path.contains("://") || path.hasPrefix("mailto:") { continue }
                count += 1
                let target = path.hasPrefix("/") ? String(path.dropFirst()) : "\(folder)/\(path)"
                #expect(Repository.exists(target), "\(file) links to \(link)")
            }
        }
        #expect(count > 0)
    }

    @Test func `the program in the documents is the one that is built`() throws {
        let program = try Repository.text("Tests/Example/Sources/Example/Example.swift")
        #expect(try Repository.text("docs/library.md").contains("```swift\n\(program)```"))
    }

    @Test func `scripts can be run`() throws {
        let folders = ["deploy/", "hardware/", ".ci/", "Tests/Fuzz/", "Tests/Mutants/"]
        for file in Repository.files("", under: folders) {
            guard let first = try? Repository.text(file).prefix(2), first == "#!" else { continue }
            let path = Repository.root.appending(path: file).path
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(file)")
        }
    }

    /// The targets of Markdown links, `[text](target)`, outside of code.
    private static func links(in text: String) -> [Substring] {
        var links: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            if isCode { continue }
            var rest = line[...]
            while let start = rest.firstRange(of: "](") {
                rest = rest[start.upperBound...]
                guard let end = rest.firstIndex(of: ")") else { break }
                links.append(rest[..<end].split(separator: " ").first ?? "")
                rest = rest[end...]
            }
        }
        return links
    }
}
