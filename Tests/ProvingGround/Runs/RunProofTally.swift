/// What became of one seeded run.
struct RunProofResult: Sendable {
    let complaints: [String]
    let frames: Int
    let holes: [String: Int]
    let exitCode: Int32
    let faults: [String: Int]
    var retaken = 0
    /// Its seed, where brightness is said not to fit though every write took effect.
    var doubted: UInt64?
}

/// What many seeded runs amount to.
struct RunProofTally: Sendable {
    private var runs = 0
    private var frames = 0
    private var holes: [String: Int] = [:]
    private var retaken = 0
    private var exitCodes: [Int32: Int] = [:]
    private var faults: [String: Int] = [:]
    private var doubted: [UInt64] = []

    mutating func add(_ result: RunProofResult) {
        runs += 1
        retaken += result.retaken
        if let seed = result.doubted { doubted.append(seed) }
        frames += result.frames
        exitCodes[result.exitCode, default: 0] += 1
        holes.merge(result.holes, uniquingKeysWith: +)
        faults.merge(result.faults, uniquingKeysWith: +)
    }

    /// That more runs are doubted without a reason than 1 in 2,000, and two at least; nil if it is not so.
    var complaint: String? {
        doubted.count <= max(2, runs / 2_000)
            ? nil
            : "\(doubted.count) of \(runs) runs are doubted whose writes took effect, such as seed \(doubted[0])"
    }

    /// A line for slots, one for exit codes, one for faults, one for doubts.
    var figures: [String] {
        func list(_ counts: [(String, Int)]) -> String {
            counts.sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        return [
            "\(runs) runs, \(frames) frames; holes: \(list(holes.map { ($0, $1) })); taken again \(retaken)",
            "exit codes: \(list(exitCodes.map { ("\($0)", $1) }))",
            "injected: \(list(faults.map { ($0, $1) }))",
            "doubted though every write took effect: \(doubted.count)",
        ]
    }
}

extension RunProofResult {
    /// What the oracle made of a run.
    init(_ oracle: RunOracle, seed: UInt64) {
        let rows = oracle.table.rows
        complaints = oracle.complaints
        frames = rows.count { $0["status"] == "frame" }
        holes = rows.reduce(into: [:]) { holes, row in
            if let reason = row["reason"], reason != "" { holes[reason, default: 0] += 1 }
        }
        exitCode = Int32(oracle.table.manifest["exit_code"] as? Int ?? -1)
        faults = oracle.run.faults
        retaken = oracle.table.events("slot-retaken").count
        doubted = oracle.isDoubted ? seed : nil
    }
}
