import Foundation
import Records

/// Brackets of five at full rate, one after the other: what rows say, pictures show.
public struct BracketProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "brackets"
    /// What holds.
    public static let claim = "no picture contradicts its row, in runs of 100 brackets of five"
    /// 100,000 brackets.
    public static let caseCount = 1_000

    private static let bracketsPerCase: Int64 = 100

    private var slots = 0
    private var holes = 0
    /// Frames that the sensor spent on runs without losses, and the slots they were spent on.
    private var spent = 0
    private var asked = 0
    /// What settle-then-shoot spends on the same slots.
    private var settling = 0

    /// Creates a proof without cases.
    public init() {}

    /// Runs some cases; every other one loses frames.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        var complaints: [String] = []
        for number in cases { complaints += try check(UInt64(number) + 1) }
        return complaints
    }

    /// How many frames a change of settings costs.
    public var figures: [String] {
        func rounded(_ value: Int) -> String {
            guard asked > 0 else { return "-" }
            let hundredths = (value * 100 + asked / 2) / asked
            return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        }
        return [
            "\(slots) slots, \(holes) of them holes",
            "without losses \(rounded(spent)) frames a slot;"
                + " settle-then-shoot (discard latency + 1) \(rounded(settling))",
        ]
    }

    private mutating func check(_ seed: UInt64) throws -> [String] {
        let losesFrames = seed % 2 == 0
        let rig = try BracketRig(
            seed: seed, brackets: Self.bracketsPerCase, losesFrames: losesFrames)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-brackets-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let judgement = try rig.run(in: folder)
        var complaints: [String] = []
        if !losesFrames, judgement.verdict != .trustworthy {
            complaints.append("seed \(seed): \(judgement.verdict.rawValue)")
        }
        let rows = try Self.rows(folder)
        if rows.count != Int(Self.bracketsPerCase) * BracketRig.shotCount {
            complaints.append("seed \(seed): \(rows.count) rows")
        }
        var pictures = BracketPictures(run: folder)
        var frames: [Int64] = []
        for (slot, row) in rows.enumerated() {
            slots += 1
            if row["status"] == "hole" { holes += 1 }
            let picture = try pictures.numbers(slot: slot)
            if let complaint = Self.complaint(rig, slot, row, picture) {
                complaints.append("seed \(seed), slot \(slot): \(complaint)")
            }
            if let picture { frames.append(picture[0]) }
        }
        if !losesFrames, let first = frames.first, let last = frames.last {
            count(rig, spent: Int(last - first) + 1)
        }
        return complaints
    }

    /// What settle-then-shoot would spend: each shot waits for the slowest control that changes.
    private mutating func count(_ rig: BracketRig, spent: Int) {
        self.spent += spent
        asked += Int(Self.bracketsPerCase) * BracketRig.shotCount
        for shot in rig.shots.indices {
            let before = rig.shots[(shot + BracketRig.shotCount - 1) % BracketRig.shotCount]
            let latencies = zip(zip(before, rig.shots[shot]), rig.manner.latencies)
                .compactMap { $0.0 == $0.1 ? nil : $1 }
            let discarded = latencies.max().map { $0 + 1 } ?? 0
            settling += Int(Self.bracketsPerCase) * (discarded + 1)
        }
    }

    /// What is wrong with a row; nil if nothing is.
    private static func complaint(
        _ rig: BracketRig, _ slot: Int, _ row: [Substring: Substring], _ picture: [Int64]?
    ) -> String? {
        guard row["slot"] == Substring("\(slot)") else { return "the row is another slot's" }
        guard row["status"] == "frame" else {
            return picture == nil ? nil : "a hole has a picture"
        }
        guard let picture else { return "no picture" }
        let shown = Array(picture.dropFirst())
        if shown != rig.shots[slot % BracketRig.shotCount] { return "the picture shows \(shown)" }
        let told = ["applied_exposure_ns", "applied_gain", "applied_lens_position"].map {
            Double(row[$0] ?? "")
        }
        let had = [Double(shown[0]) * 1_000, Double(shown[1]), Double(shown[2]) / 1_000]
        if told != had { return "the row says \(told), the picture \(shown)" }
        return nil
    }

    private static func rows(_ folder: String) throws -> [[Substring: Substring]] {
        let text = try String(contentsOfFile: folder + "/ledger.csv", encoding: .utf8)
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let names = lines.first ?? []
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    }
}
