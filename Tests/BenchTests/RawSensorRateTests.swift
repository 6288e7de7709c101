import Testing

extension InTheBench {
    /// Steps with frame rates of their own: every row has the exposure, gain, time and frame length that its picture says.
    @Suite struct RawSensorRates {
        /// A board of the CSI bench, and how its sensor is read.
        struct Board: Sendable, CustomTestStringConvertible {
            var name: String
            var mode: String
            /// Lines on the bus before the image.
            var linesBefore: Int
            /// Lines of a frame at 30, 20 and 10 fps.
            var frameLengths: [Int]
            var testDescription: String { name }
        }

        static let boards = [
            Board(
                name: "imx219", mode: "imx219 SRGGB10P 640x480", linesBefore: 2,
                frameLengths: [1_763, 2_645, 5_290]),
            Board(
                name: "imx477-cfe", mode: "imx477 SRGGB10P 1332x990", linesBefore: 1,
                frameLengths: [4_202, 6_303, 12_605]),
        ]

        private static let played = Scenario.playAll(boards) { board in
            var options = Bench.Options(timeoutSeconds: 300)
            options.csi = CSIBoard(board.name)
            return Scenario.play(
                "csi-rates", options, files: ["settings.txt": board.mode + "\n"],
                as: "csi-rates-\(board.name)")
        }

        @Test(arguments: boards)
        func `rows have the frame length of their step, and times that hold`(board: Board) throws {
            let run = try #require(Self.played[board.name]).get().run("rates")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 48)
            #expect(
                try run.contradictions(bits: 10, linesBefore: board.linesBefore).isEmpty)
            let lengths = try run.sensorTruths(bits: 10).map(\.frameLength)
            // Two frames of each of two exposures and two gains at a rate.
            #expect(lengths == (0..<48).map { board.frameLengths[$0 / 8 % 3] })
            #expect(run.frames.allSatisfy { !$0["applied_exposure_ns"].isEmpty })
        }
    }
}
