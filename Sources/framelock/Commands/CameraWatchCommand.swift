internal import ArgumentParser
internal import Imaging
internal import Instrument
internal import LiveControl
internal import Notation
internal import Timebase

extension CameraCommand {
    /// `framelock camera watch`: prints what changes.
    ///
    /// A line each time, on standard output; with `--json` one compact object a line, so that a reader can follow.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints settings, light and sharpness whenever they change, until Ctrl-C.")

        @OptionGroup var options: CameraOptions
        @OptionGroup var limit: FrameLimit

        /// Streams, and prints a line for the first frame and for each that differs from the last line.
        ///
        /// Settings are read with each frame, so that what another program sets is never seen after its light.
        /// Up to eight reports can wait, so that a terminal that is slow for a moment loses none.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let (frames, json) = (limit.frames, options.json)
                var reading = CameraSession.Options()
                reading.observeEveryFrames = 1
                let session = try options.open(isRealTime: frames == nil).session(reading)
                try Waiting.for {
                    var last: WatchLine?
                    let reports = session.statistics(capacity: 8)
                    try await FrameLimit.follow(reports, of: session, frames: frames) { report in
                        let line = WatchLine(report)
                        guard last?.differs(from: line) ?? true else { return }
                        try Console.output(json ? line.json.text(.compact) : line.text)
                        last = line
                    }
                }
            }
        }
    }
}

/// One line of what is watched: a frame with the settings that the device reports, its brightness and its sharpness.
private struct WatchLine {
    private let report: FrameReport

    init(_ report: FrameReport) {
        self.report = report
    }

    /// Whether something else would be worth a line: light by a twentieth of an EV, sharpness by a twentieth.
    ///
    /// Settings count at every change. Compared with the last line that was printed, so that a slow drift is printed
    /// too.
    func differs(from other: WatchLine) -> Bool {
        let (a, b) = (report.state, other.report.state)
        if (a.duration, a.gain, a.lens) != (b.duration, b.gain, b.lens) { return true }
        if a.balance != b.balance { return true }
        let offset = (a.offsetThousandths ?? 0) - (b.offsetThousandths ?? 0)
        let (one, two) = (a.focusScore?.millionths ?? 0, b.focusScore?.millionths ?? 0)
        return offset.magnitude >= 50 || (one - two).magnitude * 20 > max(one, two)
    }

    /// For people; what is not known is left out of the line.
    var text: String {
        let state = report.state
        var parts = ["frame \(report.sequence)"]
        if let duration = state.duration { parts.append("exposure \(duration)") }
        if let gain = state.gain { parts.append("gain \(gain)") }
        if let lens = state.lens { parts.append("lens \(lens)") }
        if let offset = state.offsetThousandths {
            let bound = state.isOffsetLowerBound ? " or more" : ""
            parts.append("offset \(MeterReport.ev(offset)) EV\(bound)")
        }
        if let score = state.focusScore { parts.append("sharpness \(score.millionths)") }
        return parts.joined(separator: "  ")
    }

    /// For programs; what is not known is null.
    ///
    /// Light in thousandths of an EV from the target, sharpness in millionths.
    var json: JSONValue {
        let state = report.state
        return .object(
            JSONObject([
                ("sequence", .integer(Int64(report.sequence))),
                ("timestamp_ns", .integer(report.deviceTime.nanoseconds)),
                ("settings", CameraReport.settings(state)),
                (
                    "offset_thousandths_ev",
                    state.offsetThousandths.map { .integer($0) } ?? .null
                ),
                ("offset_is_lower_bound", .bool(state.isOffsetLowerBound)),
                ("sharpness", state.focusScore.map { .integer($0.millionths) } ?? .null),
            ]))
    }
}
