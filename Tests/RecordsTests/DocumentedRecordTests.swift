import Foundation
import Testing

@testable import Records

/// What the documents tell of the run folder is all that there is, and nothing else.
struct DocumentedRecordTests {
    private static func document(_ name: String) throws -> String {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    /// The words in backquotes of the first column of the table below a heading.
    private static func words(below heading: String, in text: String) throws -> Set<String> {
        let part = try #require(text.components(separatedBy: "\n\(heading)\n").last)
        let table = part.split(separator: "\n").drop { !$0.hasPrefix("|---") }.dropFirst()
            .prefix { $0.hasPrefix("|") }
        return Set(
            table.flatMap { row in
                row.split(separator: "|")[0].split(separator: "`")
                    .filter { $0.contains { $0.isLetter || $0.isNumber } }.map(String.init)
            })
    }

    @Test func `every column of the ledger has its meaning`() throws {
        let told = try Self.words(below: "## ledger.csv", in: Self.document("run-folder.md"))
        #expect(told == Set(LedgerColumn.allCases.map(\.name)))
    }

    @Test func `every event has its meaning`() throws {
        let told = try Self.words(below: "## events.jsonl", in: Self.document("run-folder.md"))
        #expect(told == Set(EventName.allCases.map(\.rawValue)))
    }

    @Test func `every reason of a hole, and of a skipped frame, has its meaning`() throws {
        let text = try Self.document("run-folder.md")
        let told = try Self.words(below: "### Reasons of holes", in: text)
        #expect(told == Set(HoleReason.allCases.map(\.rawValue)))
        for reason in SkipReason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
    }

    @Test func `every verdict has its exit code and what to do`() throws {
        let text = try Self.document("verdicts.md")
        for verdict in Verdict.allCases {
            #expect(text.contains("| `\(verdict.rawValue)`"), "\(verdict)")
        }
    }
}
