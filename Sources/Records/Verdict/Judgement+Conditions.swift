internal import Devices
internal import Notation
internal import Recipes
internal import Timebase

// What holds for a run as a whole.
extension Judgement {
    /// A camera without a profile: nothing of it was locked, and nothing of it could be checked.
    static func unknownCamera(_ tally: RunTally) -> [Finding] {
        guard tally.isCameraUnknown else { return [] }
        var findings: [Finding] = []
        findings.add(
            .cameraUnknown,
            "nothing is known of this camera, since no profile was found for it: its settings were neither locked nor"
                + " checked, when they show and how they expose is not known, and timestamps are only taken"
                + " to be at most 50 ms late")
        return findings
    }

    /// A temperature is judged like a setting that is locked: the recipe asks that it holds from the first frame to the
    /// last.
    ///
    /// A thermometer that failed for a while only is a finding; one that never could be read breaks a limit that was
    /// set.
    static func temperature(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        var findings: [Finding] = []
        if let limit = limits.temperature, let hottest = tally.hottest, hottest > limit {
            findings.add(
                .temperature, "the instrument was up to \(hottest) warm (limit \(limit))",
                isOver: true)
        }
        if tally.unreadTemperatures > 0 || (limits.temperature != nil && tally.hottest == nil) {
            let isUnknown = tally.hottest == nil
            findings.add(
                .unreadTemperature,
                isUnknown
                    ? "the temperature is not known: the thermometer could not be read"
                    : "the thermometer could not be read \(tally.unreadTemperatures.of("time"))",
                isOver: isUnknown && limits.temperature != nil)
        }
        return findings
    }
}
