internal import Imaging
internal import Records

/// What a person is told at the end of a run.
struct VerdictText {
    let text: String

    init(_ judgement: Judgement, folder: RunFolder, tally: RunTally, layout: FrameLayout) {
        var lines = [
            "verdict   \(judgement.verdict.rawValue) (exit code \(judgement.exitCode))",
            "slots     \(tally.slots): \(tally.frames) frames, \(tally.slots - tally.frames) holes",
        ]
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
            "frames    \(folder.frames) (OME-Zarr: \(layout.pixelFormat.name) \(layout.size))",
            "look      framelock show \(folder.path)",
        ]
        text = lines.joined(separator: "\n") + "\n"
    }
}
