import Foundation
import Testing

extension InTheBench {
    /// What belongs to a raw sensor besides its pixels: a lens in its graph, a line that exposes it.
    @Suite(.serialized) struct RawSensorEquipment {
        private static let lens: Result<Scenario, any Error> = {
            var options = Bench.Options(timeoutSeconds: 300)
            options.csi = CSIBoard("imx219-lens")
            return Scenario.play("csi-lens", options)
        }()

        /// The lens's code where a row's position is true.
        private static func code(_ row: Table.Row) -> Int? {
            Double(row["applied_lens_position"]).map { Int((1023 * (1 - $0)).rounded()) }
        }

        @Test func `a lens in the sensor's graph is locked and moved, as pictures show`() throws {
            let run = try Self.lens.get().run("locked")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 63)
            let truths = try run.sensorTruths(bits: 10)
            for (row, truth) in zip(run.frames, truths) {
                #expect(Self.code(row) == truth.lens, "slot \(row["slot"])")
            }
            // 0.5 lies between two codes.
            #expect(truths.prefix(60).allSatisfy { [511, 512].contains($0.lens) })
            #expect(truths[60].lens == 1023)
            #expect(truths[62].lens == 0)
            let wrong = try run.contradictions(bits: 10, linesBefore: 2)
            #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        }

        @Test func `a lens that somebody else moves is recorded, and the run is not trusted`()
            throws
        {
            let scenario = try Self.lens.get()
            let run = try scenario.run("moved")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 63)
            let changes = try scenario.changes("moved")
            // This driver tells nobody: the change is found by reading, and lies between two readings.
            #expect(changes.map(\.control) == ["focus_absolute", "focus_absolute"])
            #expect(changes.map(\.found) == [17, 17])
            let truths = try run.sensorTruths(bits: 10)
            #expect(truths.contains { $0.lens == 17 })
            for (row, truth) in zip(run.frames, truths) where !row["applied_lens_position"].isEmpty
            {
                #expect(Self.code(row) == truth.lens, "slot \(row["slot"])")
            }
        }

        /// A sensor that a line exposes.
        struct Triggered: Sendable, CustomTestStringConvertible {
            var sensor: String
            /// The bench's option `trigger`.
            var option: Int
            /// SENSOR PIXELS SIZE PULSE_MS EDGE, as `csi-trigger.sh` takes them.
            var settings: String
            /// Nanoseconds of exposure, and how much longer one may be: a pulse is as exact as the program that makes
            /// it.
            var exposure: (nanoseconds: Int, tolerance: Int)

            var testDescription: String { sensor }
        }

        static let triggered = [
            Triggered(
                sensor: "imx296", option: 1, settings: "imx296 SBGGR10P 1456x1088 4 falling",
                exposure: (4_014_260, 100_000)),
            Triggered(
                sensor: "ov9281", option: 3, settings: "ov9281 Y10P 1280x800 1 rising",
                exposure: (4_000_000, 9_100)),
        ]

        private static let exposed = Scenario.playAll(triggered) { board in
            var options = Bench.Options(timeoutSeconds: 300)
            options.csi = CSIBoard(board.sensor, options: "trigger=\(board.option)")
            return Scenario.play(
                "csi-trigger", options, files: ["settings.txt": board.settings + "\n"],
                as: "csi-trigger-\(board.sensor)")
        }

        /// The receiver hands the picture out as the next edge's, and nothing but that edge without a frame shows it.
        @Test(arguments: triggered)
        func `a picture whose end was missed is not taken for one of the next edge alone`(
            board: Triggered
        ) throws {
            let scenario = try #require(Self.exposed[board.testDescription]).get()
            let run = try scenario.run("lost-end")
            run.expectWhole(exitCode: 82, "trigger-mismatch", slots: 40)
            let truths = try run.sensorTruths(bits: 10)
            #expect(truths.count == 39)
            var wide = 0
            for (row, truth) in zip(run.frames, truths) {
                let bound = try row.required("session_half_width_ns")
                let end = try row.required("session_end_ns") + run.epochNanoseconds
                #expect(abs(end - truth.startNanoseconds) <= bound, "slot \(row["slot"])")
                if bound > 10_000_000 { wide += 1 }
            }
            #expect(wide == 1)
        }

        @Test(arguments: triggered)
        func `a line exposes a frame for each edge, as long as pulse or register say`(
            board: Triggered
        ) throws {
            let scenario = try #require(Self.exposed[board.testDescription]).get()
            let run = try scenario.run("triggered")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 40)
            #expect(run.summary.triggers["matched"] == 40)
            #expect(run.summary.triggers["unmatched"] == 0)
            let truths = try run.sensorTruths(bits: 10)
            for (row, truth) in zip(run.frames, truths) {
                let was = truth.exposureNanoseconds - board.exposure.nanoseconds
                #expect(abs(was) <= board.exposure.tolerance, "\(truth.exposureNanoseconds)")
                // A pulse's length is not measured, so that nothing is claimed where it is the exposure.
                let claimed = row.number("applied_exposure_ns")
                #expect((claimed == nil) == board.settings.hasSuffix("falling"))
                #expect(claimed.map { abs($0 - truth.exposureNanoseconds) <= 1 } ?? true)
                // The frame goes over the bus when its exposure ends.
                let bound = try row.required("session_half_width_ns")
                let end = try row.required("session_end_ns") + run.epochNanoseconds
                #expect(abs(end - truth.startNanoseconds) <= bound, "slot \(row["slot"])")
                let start = try row.required("session_start_ns") + run.epochNanoseconds
                let began = truth.startNanoseconds - truth.exposureNanoseconds
                #expect(abs(start - began) <= bound + board.exposure.tolerance)
            }
        }
    }
}
