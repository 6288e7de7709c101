import Testing

extension InTheBench {
    /// Steps with frame rates of their own: every row has the exposure, gain, time and frame length that its picture
    /// says.
    @Suite(.serialized) struct RawSensorRates {
        /// A board of the CSI bench, and how its sensor is read.
        struct Board: Sendable, CustomTestStringConvertible {
            var name: String
            var mode: String
            /// Lines on the bus before the image.
            var linesBefore: Int?
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
            // Its exposure is counted back from the end of the frame.
            Board(
                name: "imx296", mode: "imx296 SBGGR10P 1456x1088", linesBefore: nil,
                frameLengths: [2_250, 3_375, 6_750]),
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
            run.expectWhole(exitCode: 0, "trustworthy", slots: 60)
            #expect(
                try run.contradictions(bits: 10, linesBefore: board.linesBefore).isEmpty)
            let lengths = try run.sensorTruths(bits: 10).map(\.frameLength)
            // Two frames of each of two exposures and two gains at a rate, then two of one at each.
            let round = [8, 8, 8, 2, 2, 2].enumerated().flatMap { place, count in
                Array(repeating: board.frameLengths[place % 3], count: count)
            }
            #expect(lengths == round + round)
            #expect(run.frames.allSatisfy { !$0["applied_exposure_ns"].isEmpty })
        }
    }
}
