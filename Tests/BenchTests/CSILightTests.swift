import Testing

extension InTheBench {
    /// The light of the CSI bench: how much of it each row of a picture has.
    @Suite struct CSILight {
        /// A mode, and what its data sheet says of its rows.
        struct Rows: Sendable, CustomTestStringConvertible {
            var mode: CSIMode
            var black: Int
            /// Lines on the bus before the image; nil where all rows are exposed at once.
            var linesBefore: Int?
            var rowsALine = 1
            /// Lines of exposure.
            var exposure: Int

            var testDescription: String { mode.testDescription }
            var words: String {
                let before = linesBefore.map { "\($0)" } ?? "global"
                return "\(mode.width) \(mode.height) \(mode.code.contains("8") ? 8 : 10)"
                    + " \(mode.pixels) \(mode.rate.0)/\(mode.rate.per) \(rowsALine) \(before) \(black)"
            }
        }

        private static let frames = 16

        static let sensors = [
            Rows(mode: .imx219Fast, black: 16, linesBefore: 2, rowsALine: 2, exposure: 80),
            Rows(mode: .ov5647, black: 16, linesBefore: 0, exposure: 50),
            Rows(mode: .imx296, black: 60, exposure: 100),
        ]

        @Test(arguments: sensors)
        func `each row sees the light for as long as it is exposed`(rows: Rows) throws {
            let board = CSIBoard(
                rows.mode.board, options: "pattern=0,scene=9000,light=150000")
            let capture = try CSICapture(
                board, rows.mode, Self.frames, ["exposure=\(rows.exposure)@start"],
                more: "--keep /tmp/pixels",
                before: """
                    { for flash in {1..120}; do
                        echo 1 >$port/light; sleep 0.0027; echo 0 >$port/light; sleep 0.0046
                    done; } &
                    """,
                after: "wait; python3 -B Tests/BenchTests/Fixtures/csi-light.py /tmp/pixels"
                    + " \(rows.words) 9000 150000")
            let counts = capture.after.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(counts.count == 4, "\(capture.after)")
            #expect(
                counts[0] + counts[1] + counts[2] == Self.frames * (rows.mode.height / 7 + 1))
            #expect(counts.prefix(3).allSatisfy { $0 >= rows.mode.height / 7 }, "\(counts)")
            #expect(counts[3] == 0)
        }
    }
}
