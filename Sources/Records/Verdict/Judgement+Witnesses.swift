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
            findings.add(
                "witnesses-disagree",
                "\(tally.disputedGaps) times sequence and stamps do not agree on whether frames are"
                    + " missing", isOver: isOver)
        }
        if tally.unwitnessedFrames > 0 {
            findings.add(
                "unwitnessed-frames",
                "before \(tally.unwitnessedFrames) frames nobody can tell whether others are"
                    + " missing", isOver: isOver)
        }
        // A profile that knows of it has said so; the half-widths of times say the rest.
        let isNews = !tally.unknownQuirks.isDisjoint(with: [
            .stampsAreZero, .stampsAreStuck, .stampsGoBack, .stampsLieAhead,
        ])
        if tally.doubtedStamps > 0, isNews {
            findings.add(
                "doubted-stamps",
                "the stamps of \(tally.doubtedStamps) frames can't be believed; their times are"
                    + " those at which they were taken")
        }
        if tally.refusedBuffers > 0 {
            findings.add(
                "refused-buffers",
                "the driver did not take \(tally.refusedBuffers) frame buffers back and went on"
                    + " with fewer")
        }
        for quirk in CameraQuirk.allCases where tally.unknownQuirks.contains(quirk) {
            findings.add(
                "quirk-seen",
                "the driver shows `\(quirk.rawValue)`: add it to `quirks` of the camera's profile"
                    + " if it always does")
        }
        return findings
    }
}
