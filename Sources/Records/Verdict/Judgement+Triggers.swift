internal import Devices
internal import Tracking

// What a camera makes of its trigger, where it is not what the recipe asks for.
extension Judgement {
    /// Fewer edges than these do not show how the camera is set up.
    private static let fewestEdges: Int64 = 3

    /// Why edges and frames of a triggered camera do not go together, as far as their counts show it.
    ///
    /// The limit on unmatched triggers judges the run; this only explains it and names what to look at.
    static func triggerAdvice(_ tally: RunTally) -> [Finding] {
        let edges = tally.edgesByClass.values.reduce(0, +)
        let matched = tally.edgesByClass[.matched, default: 0]
        let frames = matched + tally.framesByClass.values.reduce(0, +)
        guard tally.isTriggered, edges >= fewestEdges else { return [] }
        var findings: [Finding] = []
        if frames == 0 {
            findings.add(
                .triggerWithoutFrames,
                "\(edges) edges came on the camera's trigger line and it made no frame: it waits for its trigger and"
                    + " does not see it; look at the wire to its trigger input, the level and polarity of the pulse"
                    + " (`edge` of the line), and at how long it must be")
        } else if tally.framesWithoutEdge > edges {
            findings.add(
                .triggerIgnored,
                "\(tally.framesWithoutEdge) frames came without an edge, beside \(edges) edges: the camera runs free"
                    + " instead of waiting for its trigger; switch the trigger on before the stream starts (a raw"
                    + " sensor's driver: `trigger_mode` in /sys/module/SENSOR/parameters)")
        } else if matched == 0 {
            findings.add(
                .triggerWithoutMatches,
                "frames came, but none when an edge of the trigger line should have made one: look at whether the"
                    + " pulse is as long as `pulse` of the recipe asks, whether the line's `edge` is the one that"
                    + " begins the exposure, and whether the camera runs free (`trigger_mode` in"
                    + " /sys/module/SENSOR/parameters)")
        }
        return findings
    }
}
