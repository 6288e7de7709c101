import Testing

extension InTheBench {
    /// A thousand brackets without a pause, where every frame of the camera has settings of its own.
    @Suite(.serialized) struct Pipelines {
        private static let scenario = Scenario.play("pipeline", .init(timeoutSeconds: 400))

        /// Exposures in nanoseconds and gains in sixteenths, over and over.
        private static let shots = [
            [1_000_000, 64], [2_000_000, 32], [4_000_000, 24], [8_000_000, 20], [16_000_000, 16],
        ]

        /// The names of the runs, with the frames that an exposure takes to show.
        private static let runs = ["usual": 2, "quick": 1, "slow": 4]

        @Test(arguments: runs.keys.sorted())
        func `no picture contradicts its row`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 0, "trustworthy", slots: run.rows.count)
            try #require(run.rows.count >= 334 * 5)
            let pixels = try run.pixels()
            var contradictions: [Int] = []
            for (slot, row) in run.rows.enumerated() {
                let frame = try #require(try pixels.frame(slot: slot))
                let truth = try TruthPattern(frame: frame, width: 256, pixelByteCount: 1)
                let had = [truth.exposureNanoseconds, truth.gain]
                let isTold =
                    row.number("applied_exposure_ns") == had[0]
                    && Double(row["applied_gain"]) == Double(had[1]) / 16
                if !isTold || had != Self.shots[slot % 5] { contradictions.append(slot) }
            }
            #expect(contradictions.isEmpty)
        }

        @Test(arguments: runs.keys.sorted())
        func `a change of settings costs one frame, however long it takes to show`(
            name: String
        ) throws {
            let run = try Self.scenario.get().run(name)
            let first = try #require(run.rows.first).required("device_sequence")
            let last = try #require(run.rows.last).required("device_sequence")
            // Settle-then-shoot would spend latency + 2 on each: it discards latency + 1.
            #expect(last - first + 1 == run.rows.count)
        }
    }
}
