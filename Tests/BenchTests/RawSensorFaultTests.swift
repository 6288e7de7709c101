import Foundation
import Testing

extension InTheBench {
    /// What goes wrong behind a raw sensor whose registers say when its frames begin: no row says what its picture
    /// refutes, and the verdict says what is not known.
    @Suite struct RawSensorFaults {
        /// A run of brackets on imx219 behind Unicam, and what it must come to.
        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var faults = ""
            var options = ""
            var exitCode: Int
            var verdict: String
            /// What the log has to tell.
            var event: String
            /// Whether pictures say what they are: what only brightness shows has no room for that.
            var hasTruth = true

            var testDescription: String { name }
        }

        static let cases: [Case] = [
            Case(
                name: "late-interrupts", faults: "late:5000@300-309", exitCode: 0,
                verdict: "trustworthy", event: #""why":"late""#),
            Case(
                name: "late-now-and-then", faults: "late:9000~50", exitCode: 0,
                verdict: "trustworthy", event: #""why":"late""#),
            Case(
                name: "lost-frame-end", faults: "lose-end@300", exitCode: 80,
                verdict: "missing-frames", event: "frames-missing"),
            Case(
                name: "lost-writes", faults: "lose-write:exposure:3@300", options: "pattern=0",
                exitCode: 81, verdict: "lock-violated", event: "setting-contradicted",
                hasTruth: false),
            Case(
                name: "misstated-pixel-rate", options: "speed-ppm=2000000", exitCode: 81,
                verdict: "lock-violated", event: "period-mismatch"),
        ]

        private static func play(_ story: Case) -> Result<Scenario, any Error> {
            var options = Bench.Options(timeoutSeconds: 400)
            options.csi = CSIBoard("imx219", options: story.options, faults: story.faults)
            let gains = "4.0x,2.5x,2.0x,1.5x,1.0x"
            let line = "run imx219 imx219 SRGGB10P 640x480 60 \(gains) 200\n"
            return Scenario.play(
                "csi-bracket", options, files: ["settings.txt": line],
                as: "csi-fault-\(story.name)")
        }

        @Test(arguments: cases)
        func `no row is wrong and graded better than it is`(story: Case) throws {
            let scenario = try Self.play(story).get()
            let report = try scenario.run("run")
            #expect(report.exitCode == story.exitCode)
            #expect(report.summary.verdict == story.verdict)
            #expect(report.verified.exitCode == 0, "\(report.verified.text)")
            #expect(try scenario.text("run/events.jsonl").contains(story.event))
            guard story.hasTruth else { return }
            let wrong = try report.contradictions(bits: 10, linesBefore: 2)
            #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        }
    }
}
