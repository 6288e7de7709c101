internal import Calibration
internal import Devices
internal import Simulation

/// Calibrations of simulated cameras whose latencies nobody told them.
public struct LatencyProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "latency"
    /// What holds.
    public static let claim = "each control's latency is found exactly, on any simulated camera"
    /// So many cameras.
    public static let caseCount = 200

    /// Trials of each control at each phase.
    private static let trials = 4

    private var figureCount = 0
    private var trialCount = 0
    private var repeatedCount = 0

    /// Creates a proof without cases.
    public init() {}

    /// How many latencies were found, from how many trials.
    public var figures: [String] {
        ["\(figureCount) latencies from \(trialCount) trials, \(repeatedCount) more were disturbed"]
    }

    /// Calibrates some cameras.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let results = try Workers.map(cases) { number in try Self.check(UInt64(number) + 1) }
        for tally in results.flatMap(\.tallies) {
            figureCount += 1
            trialCount += tally.trialCount
            repeatedCount += tally.disturbanceCount
        }
        return results.flatMap(\.complaints)
    }

    private static func check(
        _ seed: UInt64
    ) throws -> (complaints: [String], tallies: [LatencyTally]) {
        let rig = LatencyRig(seed: seed)
        var random = SplitMix64(seed: seed)
        let report = try LatencyCalibration(
            [.exposure, .gain, .focus, .whiteBalance], trials: trials
        ).measure(
            in: SimulatedWorld(rig.options), profile: rig.profile,
            configuration: rig.configuration, using: &random)
        var complaints = report.skipped.map { "seed \(seed): \($0.subject): \($0.reason)" }
        for (control, frames) in rig.latencies.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let figure = report.measured.map(\.figure).first { $0.control == control }
            guard let figure else {
                complaints.append("seed \(seed): \(control.name) was not measured")
                continue
            }
            if figure.certainty != .exact || figure.frames != Int(frames) {
                complaints.append(
                    "seed \(seed): \(control.name) shows after \(frames) frames; found"
                        + " \(figure.leastFrames) to \(figure.frames), \(figure.certainty)")
            }
        }
        if report.flash?.flashCount != 0 {
            complaints.append(
                "seed \(seed): exposure and gain: \(String(describing: report.flash))")
        }
        return (complaints, report.measured.map(\.figure.tally))
    }
}
