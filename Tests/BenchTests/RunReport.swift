import Foundation
import Testing

/// A run that a scenario recorded, as others read it: exit code, summary, verification, ledger, frames.
struct RunReport {
    /// What `show --json` promises to those who script against it, and a little more.
    struct Summary: Decodable {
        struct Camera: Decodable {
            var id: String
            var driver: String
            var backend: String
        }
        struct Configuration: Decodable {
            var pixels: String
            var width: Int
            var height: Int
        }
        struct Finding: Decodable {
            var id: String
            /// Whether the run may not have it: others are only reported.
            var isOverLimit: Bool

            enum CodingKeys: String, CodingKey {
                case id
                case isOverLimit = "over_limit"
            }
        }

        var verdict: String
        var exitCode: Int
        var recipeDigest: String
        var planDigest: String
        var slots: Int
        var frames: Int
        var holes: Int
        var holesByReason: [String: Int]
        var triggers: [String: Int]
        var camera: Camera
        var findings: [Finding]
        var configuration: Configuration
        var ending: String?

        enum CodingKeys: String, CodingKey {
            case verdict, slots, frames, holes, triggers, camera, findings, configuration, ending
            case exitCode = "exit_code"
            case recipeDigest = "recipe_sha256"
            case planDigest = "plan_sha256"
            case holesByReason = "holes_by_reason"
        }
    }

    private struct Manifest: Decodable {
        struct Session: Decodable {
            var epoch: Int
            enum CodingKeys: String, CodingKey { case epoch = "epoch_ns" }
        }
        var session: Session
    }

    let name: String
    /// What `run` exited with.
    let exitCode: Int
    /// What `verify` exited with, and said.
    let verified: (exitCode: Int, text: String)
    let summary: Summary
    let rows: [Table.Row]
    /// The zero of the session's clock on CLOCK_MONOTONIC.
    let epochNanoseconds: Int
    private let folder: URL

    init(_ name: String, in scenario: Scenario) throws {
        self.name = name
        folder = scenario.results.appending(path: name)
        exitCode = try scenario.exitCode(name)
        let status = try scenario.text("\(name).verified").trimmingCharacters(in: .newlines)
        verified = (
            try #require(Int(status), "\(name).verified holds '\(status)'"),
            try scenario.text("\(name).verify")
        )
        summary = try scenario.decode(Summary.self, "\(name).json")
        rows = try scenario.table("\(name)/ledger.csv").rows
        epochNanoseconds = try scenario.decode(Manifest.self, "\(name)/run.json").session.epoch
    }

    /// Rows with a frame.
    var frames: [Table.Row] { rows.filter { $0["status"] == "frame" } }
    /// Rows without one.
    var holes: [Table.Row] { rows.filter { $0["status"] == "hole" } }
    /// The row of all slots that had no turn; nil if each had one.
    var notReached: Table.Row? { rows.first { $0["status"] == "not-reached" } }

    /// The pixels of the run.
    func pixels() throws -> ShardReader {
        try ShardReader(array: folder.appending(path: "frames.zarr/0"))
    }

    /// Checks what is true of every run that ended, however it ended.
    ///
    /// - Parameter isOrdered: whether numbers and timestamps rise; not where they start anew in the middle.
    func expectWhole(
        exitCode expected: Int, _ verdict: String, slots: Int, isOrdered: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func expect(_ holds: Bool, _ what: String) {
            #expect(holds, "\(name): \(what)", sourceLocation: sourceLocation)
        }
        expect(exitCode == expected, "exit code \(exitCode), not \(expected)")
        expect(summary.exitCode == exitCode, "show says exit code \(summary.exitCode)")
        expect(summary.verdict == verdict, "verdict \(summary.verdict), not \(verdict)")
        expect(verified.exitCode == 0, "verify: \(verified.text)")
        let reached = notReached == nil ? slots : rows.count - 1
        expect(
            rows.prefix(reached).map { $0.number("slot") } == (0..<reached).map { $0 },
            "a row for each slot")
        if let notReached {
            expect(rows.last?["slot"] == notReached["slot"], "what was not reached comes last")
            expect(notReached.number("slot") == reached, "not reached are all behind \(reached)")
            expect(notReached.number("last_slot") == slots - 1, "not reached are all")
        }
        expect(summary.slots == reached, "show says \(summary.slots) slots")
        expect(summary.frames == frames.count, "show says \(summary.frames) frames")
        expect(summary.holes == holes.count, "show says \(summary.holes) holes")
        expect(frames.count + holes.count == reached, "each slot has a frame or is a hole")
        expect(frames.allSatisfy { $0["reason"].isEmpty }, "frames have no reason")
        let reasons = Dictionary(holes.map { ($0["reason"], 1) }, uniquingKeysWith: +)
        expect(summary.holesByReason == reasons, "show counts \(summary.holesByReason)")
        expect(reasons[""] == nil, "each hole has a reason")
        for (before, after) in zip(frames, frames.dropFirst()) where isOrdered {
            let step = (after.number("device_sequence") ?? 0, before.number("device_sequence") ?? 0)
            let time = (
                after.number("raw_timestamp_ns") ?? 0, before.number("raw_timestamp_ns") ?? 0
            )
            expect(step.0 > step.1 && time.0 > time.1, "order at slot \(after["slot"])")
        }
    }
}
