internal import Cameras
internal import Recipes

extension Judgement {
    /// What the witnesses of missing frames leave open.
    ///
    /// A gap that they dispute, or that nobody saw, is as good as a missing frame: that none is missing is not shown.
    static func witnesses(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        let open = tally.disputedGaps + tally.unwitnessedFrames
        let isOver = limits.dropped.map { tally.dropped + open > $0 } ?? false
        var findings: [Finding] = []
        if tally.disputedGaps > 0 {
            findings.append(
                Finding(
                    id: "witnesses-disagree",
                    message:
                        "\(tally.disputedGaps) times sequence and stamps do not agree on whether"
                        + " frames are missing", isOverLimit: isOver))
        }
        if tally.unwitnessedFrames > 0 {
            findings.append(
                Finding(
                    id: "unwitnessed-frames",
                    message:
                        "before \(tally.unwitnessedFrames) frames nobody can tell whether others"
                        + " are missing", isOverLimit: isOver))
        }
        // A profile that knows of it has said so; the half-widths of times say the rest.
        let isNews = !tally.unknownQuirks.isDisjoint(with: [
            .stampsAreZero, .stampsAreStuck, .stampsGoBack, .stampsLieAhead,
        ])
        if tally.doubtedStamps > 0, isNews {
            findings.append(
                Finding(
                    id: "doubted-stamps",
                    message: "the stamps of \(tally.doubtedStamps) frames can't be believed; their"
                        + " times are those at which they were taken", isOverLimit: false))
        }
        if tally.refusedBuffers > 0 {
            findings.append(
                Finding(
                    id: "refused-buffers",
                    message:
                        "the driver did not take \(tally.refusedBuffers) frame buffers back and"
                        + " went on with fewer", isOverLimit: false))
        }
        for quirk in CameraQuirk.allCases where tally.unknownQuirks.contains(quirk) {
            findings.append(
                Finding(
                    id: "quirk-seen",
                    message:
                        "the driver shows `\(quirk.rawValue)`: add it to `quirks` of the camera's"
                        + " profile if it always does", isOverLimit: false))
        }
        return findings
    }
}
