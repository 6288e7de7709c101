/// What became of one seeded run.
struct RunProofResult: Sendable {
    let complaints: [String]
    let frames: Int
    let holes: [String: Int]
    let exitCode: Int32
    let faults: [String: Int]
    var retaken = 0
}

/// What many seeded runs amount to.
struct RunProofTally: Sendable {
    private var runs = 0
    private var frames = 0
    private var holes: [String: Int] = [:]
    private var retaken = 0
    private var exitCodes: [Int32: Int] = [:]
    private var faults: [String: Int] = [:]

    mutating func add(_ result: RunProofResult) {
        runs += 1
        retaken += result.retaken
        frames += result.frames
        exitCodes[result.exitCode, default: 0] += 1
        holes.merge(result.holes, uniquingKeysWith: +)
        faults.merge(result.faults, uniquingKeysWith: +)
    }

    /// A line for slots, one for exit codes, one for faults.
    var figures: [String] {
        func list(_ counts: [(String, Int)]) -> String {
            counts.sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        return [
            "\(runs) runs, \(frames) frames; holes: \(list(holes.map { ($0, $1) })); taken again \(retaken)",
            "exit codes: \(list(exitCodes.map { ("\($0)", $1) }))",
            "injected: \(list(faults.map { ($0, $1) }))",
        ]
    }
}

extension RunProofResult {
    /// What the oracle made of a run.
    init(_ oracle: RunOracle) {
        let rows = oracle.table.rows
        complaints = oracle.complaints
        frames = rows.count { $0["status"] == "frame" }
        holes = rows.reduce(into: [:]) { holes, row in
            if let reason = row["reason"], reason != "" { holes[reason, default: 0] += 1 }
        }
        exitCode = Int32(oracle.table.manifest["exit_code"] as? Int ?? -1)
        faults = oracle.run.faults
        retaken = oracle.table.events("slot-retaken").count
    }
}
