internal import Imaging
internal import Instrument
internal import Notation
internal import Records

/// The message for a person at the end of a run, on standard error.
///
/// First the verdict with its exit code, then counts, holes by reason, and every finding; those over a limit of
/// `require` carry an exclamation mark. The last line is the command that shows more.
struct VerdictText {
    /// All lines, each ended.
    let text: String

    /// Words an outcome; reasons of holes come in the order in which the record declares them, and only where there are
    /// any.
    init(_ outcome: AcquisitionOutcome) {
        let (judgement, folder, tally) = (outcome.judgement, outcome.folder, outcome.tally)
        var lines = [
            judgement.line(tally),
            "slots     \(tally.slots): \(tally.frames.of("frame")), \((tally.slots - tally.frames).of("hole"))",
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
