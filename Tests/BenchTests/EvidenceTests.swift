import Testing

extension InTheBench {
    /// What pixels show of a camera that acknowledges writes, reads them back, and does something else.
    @Suite(.serialized) struct Evidence {
        private static let scenario = Scenario.play("evidence", .init(timeoutSeconds: 400))
        private static let lossy = [11, 12, 13, 14].map { "lossy-\($0)" }

        /// Rows whose exposure is not what the picture says, by how it is known.
        private static func wrong(_ run: RunReport) throws -> [String: Int] {
            var wrong: [String: Int] = [:]
            for (row, truth) in zip(run.rows, try run.truths(width: 320)) {
                guard let applied = row.number("applied_exposure_ns") else { continue }
                if applied != truth.exposureNanoseconds {
                    wrong[row["exposure_known_by"], default: 0] += 1
                }
            }
            return wrong
        }

        @Test func `a camera that does what it says is proven by its pixels`() throws {
            let run = try Self.scenario.get().run("sound")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 160)
            #expect(try Self.wrong(run).isEmpty)
            let proven = run.rows.count { $0["exposure_known_by"] == "pixels" }
            #expect(proven >= 150, "\(proven) of 160 rows")
        }

        @Test(arguments: lossy)
        func `frames whose write was lost have what they had, or nothing`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            let truths = try run.truths(width: 320)
            let asked = run.rows.map { $0.number("requested_exposure_ns") }
            let lost = zip(asked, truths).count { $0 != $1.exposureNanoseconds }
            try #require(lost > 0, "the fault showed in no frame")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 160)
            #expect(try Self.wrong(run).isEmpty)
        }

        @Test func `a control that does nothing is found out`() throws {
            let run = try Self.scenario.get().run("ignored")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 160)
            #expect(run.summary.findings.contains { $0.id == "control-unresponsive" })
            #expect(try Self.wrong(run).isEmpty)
        }

        @Test func `a camera that is later than its profile says is not trusted`() throws {
            let run = try Self.scenario.get().run("late")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 160)
            #expect(try Self.wrong(run)["pixels"] == nil)
        }

        @Test func `timestamps that come later than their profile says are not trusted`() throws {
            let run = try Self.scenario.get().run("prompt")
            run.expectWhole(exitCode: 83, "clock-uncertain", slots: 160)
            #expect(run.summary.findings.contains { $0.id == "earlier-timestamps-late" })
        }
    }
}
