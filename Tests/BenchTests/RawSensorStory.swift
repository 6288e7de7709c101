import Foundation
import Testing

/// A run of brackets behind a raw sensor in the CSI bench, in which something goes wrong, and what it must come to.
struct RawSensorStory: Sendable {
    typealias Run = InTheBench.RawSensorRuns.Run

    var name: String
    /// What goes wrong, in words of the bench.
    var faults = ""
    /// What the sensor is like.
    var options = ""
    /// What else is done before the run, in bash.
    var script = ":"
    var run: Run
    var exitCode: Int
    /// Nil where nothing is recorded.
    var verdict: String?
    /// What the log has to tell, or the message where nothing is recorded.
    var tells: [String] = []
    /// What the log must not say.
    var hides: [String] = []
    /// How exposure and gain of every frame are known; nil where that is not looked at.
    var knownBy: String?

    init(_ name: String, _ faults: String, _ run: Run, _ exitCode: Int, _ tells: String...) {
        (self.name, self.faults, self.run, self.exitCode) = (name, faults, run, exitCode)
        self.tells = tells
        verdict =
            switch exitCode {
            case 0: "trustworthy"
            case 80: "missing-frames"
            case 81: "lock-violated"
            case 83: "clock-uncertain"
            case 84: "partial"
            default: nil
            }
    }

    /// The same with something else.
    func with<Value>(_ path: WritableKeyPath<RawSensorStory, Value>, _ value: Value) -> Self {
        var story = self
        story[keyPath: path] = value
        return story
    }

    /// What the script is told before the run.
    var before: String {
        var lines = ["echo '\(faults)' >$port/faults"]
        if !options.isEmpty { lines.append("echo '\(options)' >$port/options") }
        lines.append(script)
        return lines.joined(separator: "\n") + "\n"
    }
    var line: String {
        "\(name) \(run.sensor) \(run.profile) \(run.pixels) \(run.size) \(run.rate) \(run.gains)"
            + " \(run.brackets)" + (run.isLeft ? " left" : "")
    }

    /// Whether pictures say what they are: what only brightness shows has no room for that.
    private var hasPattern: Bool { !options.contains("pattern=0") }

    func check(_ scenario: Scenario) throws {
        guard let verdict else {
            let message = try scenario.text("\(name).stderr")
            #expect(try scenario.exitCode(name) == exitCode, "\(name): \(message)")
            for word in tells { #expect(message.contains(word), "\(name): \(message)") }
            return
        }
        let said = try scenario.text("\(name).stderr")
        try #require(scenario.has(name), "\(name): \(said)")
        let report = try scenario.run(name)
        #expect(report.exitCode == exitCode, "\(name)")
        #expect(report.summary.verdict == verdict, "\(name)")
        #expect(report.verified.exitCode == 0, "\(name): \(report.verified.text)")
        let log = try scenario.text("\(name)/events.jsonl")
        let (untold, blurted) = (tells.filter { !log.contains($0) }, hides.filter(log.contains))
        #expect(untold.isEmpty && blurted.isEmpty, "\(name)")
        if let knownBy {
            let others = report.frames.filter {
                $0["exposure_known_by"] != knownBy || $0["gain_known_by"] != knownBy
            }
            #expect(others.isEmpty, "\(name): \(others.count) frames are not known by \(knownBy)")
        }
        let wrong =
            try hasPattern
            ? report.contradictions(
                bits: run.bits, linesBefore: run.linesBefore, ratePerMillion: run.ratePerMillion)
            : report.contradictions(log: Table(scenario.text("\(name).truth")).rows)
        let count = wrong.count
        #expect(count == 0, "\(name): \(wrong.prefix(4))")
    }
}

extension RunReport {
    /// Everything in which rows differ from what the sensor's log says, for runs whose timestamps are in time.
    func contradictions(log: [Table.Row]) throws -> [String] {
        var found: [String] = []
        var place = 0
        for row in frames {
            let (slot, raw) = (row["slot"], try row.required("raw_timestamp_ns"))
            while place < log.count, try log[place].required("start_ns") < raw - 2_000 {
                place += 1
            }
            try #require(place < log.count)
            let start = try log[place].required("start_ns")
            guard start <= raw + 2_000 else {
                found.append("slot \(slot) has a frame that never was")
                continue
            }
            let (exposure, gain) = (
                try log[place].required("exposure_ns"), try log[place].required("gain_q16")
            )
            if let applied = row.number("applied_exposure_ns"), abs(applied - exposure) > 1 {
                found.append("slot \(slot): \(applied) ns, was \(exposure)")
            }
            if let applied = Double(row["applied_gain"]),
                abs(applied * 65_536 / Double(gain) - 1) > 1e-4
            {
                found.append("slot \(slot): gain \(applied), was \(Double(gain) / 65_536)")
            }
            guard let start = row.number("session_start_ns"),
                let end = row.number("session_end_ns"),
                let bound = row.number("session_half_width_ns")
            else { continue }
            if abs(end - start - exposure) > 2 * bound + 2 {
                found.append("slot \(slot): \(end - start) ns long, was \(exposure) ± \(bound)")
            }
        }
        return found
    }
}
