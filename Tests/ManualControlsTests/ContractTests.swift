import Foundation
import Testing

/// Every row of the manual-control contract has a test that carries its number.
@Suite("The contract")
struct ContractTests {
    /// The rows, by group: devices, focus, exposure, white balance, brackets, metering, outputs.
    ///
    /// D9 is for the bench alone: grabbers exist there.
    private static let rows: [String] = {
        let counts: [(String, Int)] = [
            ("D", 8), ("F", 7), ("E", 9), ("W", 6), ("B", 6), ("M", 6), ("O", 1),
        ]
        return counts.flatMap { group, count in (1...count).map { "\(group)\($0)" } } + ["D10"]
    }()

    @Test("each row has a test of its own name", arguments: rows)
    func covered(row: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "swift" }
        let name = try Regex("@Test\\(\\s*\"[^\"]*\\b\(row)\\b[^\"]*\"")
        let isCovered = try files.contains {
            try String(contentsOf: $0, encoding: .utf8).contains(name)
        }
        #expect(isCovered, "no test in \(folder.lastPathComponent) is named after \(row)")
    }
}
