internal import Imaging
internal import Instrument
internal import Records

/// What a person is told at the end of a run.
struct VerdictText {
    let text: String

    init(_ outcome: AcquisitionOutcome) {
        let (judgement, folder, tally) = (outcome.judgement, outcome.folder, outcome.tally)
        var lines = [
            "verdict   \(judgement.verdict.rawValue) (exit code \(judgement.exitCode))",
            "slots     \(tally.slots): \(tally.frames) frames, \(tally.slots - tally.frames) holes",
        ]
        if let slots = tally.notReached {
            lines.append("          \(slots.lowerBound) to \(slots.upperBound) not reached")
        }
        for reason in HoleReason.allCases {
            if let count = tally.holes[reason] {
                lines.append("          \(count) \(reason.rawValue)")
            }
        }
        for finding in judgement.findings {
            lines.append("finding   \(finding.isOverLimit ? "! " : "")\(finding.message)")
        }
        lines += [
            "run       \(folder.path)",
            outcome.frames.map { path, container, layout in
                "frames    \(path) (\(container): \(layout.pixelFormat.name) \(layout.size))"
            } ?? "frames    without pixels",
            "look      framelock show \(folder.path)",
        ]
        text = lines.joined(separator: "\n") + "\n"
    }
}
