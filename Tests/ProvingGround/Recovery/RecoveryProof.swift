internal import Devices
internal import Foundation
internal import Records
internal import TestSupport

/// Runs that are cut at a seeded moment, and whose record is ended afterwards.
public struct RecoveryProof: Proof {
    /// `recovery`.
    public static let name = "recovery"
    /// What holds of every cut.
    public static let claim =
        "the record of a run that was cut anywhere is ended without losing a row, and fits together"
    /// So many cuts.
    public static let caseCount = 20_000

    /// Seeds that once found something, and what; they stay.
    package static let foundSomething: [(seed: UInt64, what: String)] = [
        (
            2_026_112_960_000_201,
            "what most frames showed against the camera's word was looked at a round too early"
        ),
        (2_026_112_960_000_728, "the log had not yet that timestamps stood still"),
        (2_026_112_960_002_694, "a row that had lost its exposure lost it twice"),
        (2_026_112_960_010_918, "the log had not yet why a light was on for longer"),
        (2_026_112_961_000_246, "what was written ahead for the first slot without a row counts"),
        (
            2_026_112_964_007_561,
            "what a row lost by another's doubt was told twice after a second cut"
        ),
        (2_026_112_961_014_272, "the log had not yet that timestamps were ahead"),
    ]

    private var figuresOf = Tally()

    /// Creates a proof without cases.
    public init() {}

    /// Cuts the runs of seeds, on all processors.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let results = try Workers.map(cases) { seed in
            var cut = Cut(UInt64(seed))
            return try cut.judge()
        }
        for result in results { figuresOf.add(result.tally) }
        return results.flatMap(\.complaints)
    }

    /// Cuts, rows, and what was taken out.
    public var figures: [String] {
        [
            "\(figuresOf.cuts) cuts, \(figuresOf.rows) rows, \(figuresOf.revised) of them put right;"
                + " \(figuresOf.unrecorded) frames without a row"
        ]
    }

    /// Counts over cases.
    struct Tally: Sendable {
        var cuts = 0
        var rows = 0
        var revised = 0
        var unrecorded = 0

        mutating func add(_ other: Tally) {
            cuts += other.cuts
            rows += other.rows
            revised += other.revised
            unrecorded += other.unrecorded
        }
    }
}

/// One cut of one run.
private struct Cut {
    private let seed: UInt64
    private var random: SeededGenerator
    private var complaints: [String] = []

    init(_ seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed ^ 0x0C07_5EED_0F2E_C0FE)
    }

    mutating func judge() throws -> (complaints: [String], tally: RecoveryProof.Tally) {
        let folder = try TemporaryFolder()
        let (whole, cut) = (folder.path + "/run", folder.path + "/cut")
        let run = try SeededRun(seed: seed)
        let moment = Int(random.number(0...random.number(1...600)))
        let isFlushed = random.chance(80)
        var (waits, failure) = (0, nil as (any Error)?)
        do {
            _ = try run.run(in: whole) { record in
                defer { waits += 1 }
                guard waits == moment else { return }
                do {
                    if isFlushed { try record.flush() }
                    try FileManager.default.copyItem(atPath: whole, toPath: cut)
                } catch { failure = error }
            }
        } catch is DeviceError where run.unplugged != nil { return ([], .init()) }
        if let failure { throw failure }
        guard FileManager.default.fileExists(atPath: cut) else { return ([], .init()) }
        try damageEnds(of: cut)
        let before = try rows(cut)
        let tally = try recover(cut, before, whole)
        return (Array(complaints.prefix(2)), tally)
    }

    /// What a cut leaves of the last lines: half of one, or bytes that were never written.
    private mutating func damageEnds(of path: String) throws {
        for name in ["ledger.csv", "events.jsonl"] where random.chance(30) {
            let file = path + "/" + name
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            switch random.number(0...2) {
            case 0: bytes += Data(count: Int(random.number(1...5_000)))
            case 1: bytes += Data("12,sequence[0],fra".utf8)
            default:
                // Only the ledger may be behind: the log is written before it.
                guard name == "ledger.csv", let header = bytes.firstIndex(of: 10) else { break }
                bytes.removeLast(Int(random.number(0...Int64(min(900, bytes.count - header - 1)))))
            }
            try bytes.write(to: URL(fileURLWithPath: file))
        }
    }

    private mutating func recover(
        _ path: String, _ before: [[String: String]], _ whole: String
    ) throws -> RecoveryProof.Tally {
        try FileManager.default.copyItem(atPath: path, toPath: path + "-twice")
        let recovery = try RunRecovery(path, scope: .engine)
        if recovery.outcome != .recovered { complain("\(recovery.outcome)") }
        for problem in recovery.verification?.problems ?? [] { complain("verify: \(problem)") }
        let after = try rows(path)
        let rest = after.last.flatMap { $0["reason"] == "cut" ? $0 : nil }
        if rest != nil, !(before.last?["last_slot"] ?? "").isEmpty {
            complain("slots that had their row have another one")
        }
        if after.count != before.count + (rest == nil ? 0 : 1) {
            complain("\(before.count) rows became \(after.count)")
        }
        let revised = compare(before, after, try rows(whole))
        guard try RunRecovery(path, scope: .engine).outcome == .alreadyFinalised else {
            complain("what was recovered is recovered once more")
            return .init()
        }
        try recoverTwice(path, path + "-twice")
        return .init(
            cuts: 1, rows: before.count, revised: revised,
            unrecorded: Int(recovery.unrecordedFrames))
    }

    /// A second cut, between two of the files that are replaced: what was done so far does no harm.
    private mutating func recoverTwice(_ recovered: String, _ path: String) throws {
        let manager = FileManager.default
        for name in ["events.jsonl", "ledger.csv"].prefix(Int(random.number(1...2))) {
            try manager.removeItem(atPath: "\(path)/\(name)")
            try manager.copyItem(atPath: "\(recovered)/\(name)", toPath: "\(path)/\(name)")
        }
        let again = try RunRecovery(path, scope: .engine)
        for problem in again.verification?.problems ?? [] {
            complain("verify after a second cut: \(problem)")
        }
        let (rows, first) = (try rows(path), try rows(recovered))
        if rows != first { complain("a second cut makes other rows") }
        let log = try String(contentsOfFile: path + "/events.jsonl", encoding: .utf8)
        let other = try String(contentsOfFile: recovered + "/events.jsonl", encoding: .utf8)
        if log != other { complain("a second cut makes another log") }
    }

    /// Rows stay what they are but for what pixels show, and are no surer than they would be with the rest of the run.
    ///
    /// - Returns: how many are other ones.
    private mutating func compare(
        _ before: [[String: String]], _ after: [[String: String]], _ whole: [[String: String]]
    ) -> Int {
        let kept = [
            "slot", "step", "status", "reason", "device_sequence", "raw_timestamp_ns", "clock",
            "session_end_ns", "crc32c", "luma_mean", "settings", "trigger_id", "last_slot",
        ]
        for (old, new) in zip(before, after) {
            for name in kept where old[name] != new[name] {
                complain("slot \(old["slot"] ?? ""): \(name) became \(new[name] ?? "")")
            }
        }
        for (new, final) in zip(after, whole) where new["exposure_known_by"] == "pixels" {
            let (own, other) = (new["applied_exposure_ns"], final["applied_exposure_ns"])
            if own != other, final["exposure_known_by"] == "pixels" {
                complain(
                    "slot \(new["slot"] ?? ""): exposure \(own ?? "") by pixels, and"
                        + " \(other ?? "") with the rest of the run")
            }
        }
        return zip(before, after).count { $0 != $1 }
    }

    /// The rows that are whole, as anybody would read them.
    private func rows(_ path: String) throws -> [[String: String]] {
        let text = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: path + "/ledger.csv")), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let names = (lines.first ?? "").split(separator: ",").map(String.init)
        return lines.dropFirst().map { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            return Dictionary(uniqueKeysWithValues: zip(names, fields.map(String.init)))
        }
    }

    private mutating func complain(_ text: String) { complaints.append("seed \(seed): \(text)") }
}
