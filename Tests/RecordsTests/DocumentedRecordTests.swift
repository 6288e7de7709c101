import Foundation
internal import Notation
import Testing

@testable import Records

/// What the documents tell of the run folder is all that there is, and nothing else.
struct DocumentedRecordTests {
    private static func document(_ name: String) throws -> String {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    /// The cells of the table below a heading, row by row.
    private static func table(below heading: String, in text: String) throws -> [[Substring]] {
        let part = try #require(text.components(separatedBy: "\n\(heading)\n").last)
        return part.split(separator: "\n").drop { !$0.hasPrefix("|---") }.dropFirst()
            .prefix { $0.hasPrefix("|") }.map { $0.split(separator: "|") }
    }

    /// The words of a cell in backquotes.
    private static func words(_ cell: Substring) -> [String] {
        cell.split(separator: "`").filter { $0.contains { $0.isLetter || $0.isNumber } }
            .map(String.init)
    }

    /// The words in backquotes of the first column of the table below a heading.
    private static func words(below heading: String, in text: String) throws -> Set<String> {
        Set(try table(below: heading, in: text).flatMap { words($0[0]) })
    }

    @Test func `every column of the ledger has its meaning`() throws {
        let told = try Self.words(below: "## ledger.csv", in: Self.document("run-folder.md"))
        #expect(told == Set(LedgerColumn.allCases.map(\.name)))
    }

    @Test func `every event has its meaning`() throws {
        let told = try Self.words(below: "## events.jsonl", in: Self.document("run-folder.md"))
        #expect(told == Set(EventName.allCases.map(\.rawValue)))
    }

    @Test func `every event has its members`() throws {
        for row in try Self.table(below: "## events.jsonl", in: Self.document("run-folder.md")) {
            let name = try #require(Self.words(row[0]).first.flatMap { EventName(rawValue: $0) })
            #expect(Self.words(row[1]) == EventTable.shared.memberNames(name), "\(name.rawValue)")
        }
    }

    @Test func `every member of the manifest has its meaning`() throws {
        let told = try Self.words(below: "## run.json", in: Self.document("run-folder.md"))
        let all = Set(Manifest.start.flatMap(\.names) + Manifest.Outcome.all.flatMap(\.names))
        let parts = Set(told.compactMap { $0.split(separator: ".").first.map(String.init) })
        #expect(all.subtracting(told).subtracting(parts) == [], "not documented")
        #expect(
            told.subtracting(all).filter { !all.contains(String($0.split(separator: ".")[0])) }
                == [], "not in the manifest")
    }

    @Test func `every reason of a hole, and of a skipped frame, has its meaning`() throws {
        let text = try Self.document("run-folder.md")
        let told = try Self.words(below: "### Reasons of holes", in: text)
        #expect(told == Set(HoleReason.allCases.map(\.rawValue)))
        for reason in SkipReason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
    }

    @Test func `every finding has its limit and where to look`() throws {
        let text = try Self.document("verdicts.md")
        let part = try #require(text.components(separatedBy: "\n## Findings\n").last)
        for kind in Judgement.Finding.Kind.allCases {
            #expect(part.contains("`\(kind.rawValue)`"), "\(kind.rawValue)")
        }
    }

    @Test func `every verdict has its exit code and what to do`() throws {
        let text = try Self.document("verdicts.md")
        for verdict in Verdict.allCases {
            #expect(text.contains("| `\(verdict.rawValue)`"), "\(verdict)")
        }
    }
}
