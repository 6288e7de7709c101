import Testing

extension InTheBench {
    /// The same in real time.
    ///
    /// The host may stall the bench at any moment, so nothing is said of time: what was lost then must be told, and so
    /// must timestamps that a stalled camera made.
    @Suite(.serialized) struct RealTime {
        private static let scenario = Scenario.play(
            "real-time", .init(virtual: false, timeoutSeconds: 300, vivid: 1))

        @Test(arguments: [("webcam", 60), ("usb", 45)])
        func `whatever is missing is a hole`(name: String, slots: Int) throws {
            let run = try Self.scenario.get().run(name)
            let isWhole =
                run.holes.isEmpty && !run.summary.findings.contains(where: \.isOverLimit)
            run.expectWhole(
                exitCode: isWhole ? 0 : 80, isWhole ? "trustworthy" : "missing-frames", slots: slots
            )
            for (before, after) in zip(run.frames, run.frames.dropFirst()) {
                let range = try before.required("slot") + 1..<after.required("slot")
                let skipped =
                    try after.required("device_sequence") - before.required("device_sequence") - 1
                let byDriver = run.rows[range].filter { $0["reason"] == "dropped-by-driver" }
                #expect(byDriver.count == skipped, "before slot \(after["slot"])")
            }
        }

        @Test func `the settings are in the pixels here, too`() throws {
            let run = try Self.scenario.get().run("usb")
            for truth in try run.truths() {
                #expect(truth.exposureNanoseconds == 8_000_000)
                #expect(truth.gain == 32)
                #expect(truth.focus == 120)
                #expect(truth.temperature == 4600)
            }
        }
    }
}
