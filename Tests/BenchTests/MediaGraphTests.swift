import Testing

extension InTheBench {
    /// Raw pixels through the media graph of the kernel's virtual media controller.
    @Suite(.serialized) struct MediaGraph {
        private static let scenario = Scenario.play(
            "vimc", .init(timeoutSeconds: 300, vimc: true))

        /// The colours of vimc's test picture from left to right: red, green, blue on or off.
        private static let bars: [[Bool]] = [
            [true, true, true], [true, true, false], [false, true, true], [false, true, false],
            [true, false, true], [true, false, false], [false, false, true],
            [false, false, false],
        ]

        @Test(arguments: [("eight", "uint8", 1), ("ten", "uint16", 2)])
        func `raw frames come without a gap`(name: String, type: String, bytes: Int) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 0, "trustworthy", slots: 30)
            let sequences = try run.rows.map { try $0.required("device_sequence") }
            #expect(sequences == Array(sequences[0]..<sequences[0] + 30))
            let pixels = try run.pixels()
            #expect(pixels.shape == [30, 480, 640])
            #expect(pixels.dataType == type)
            #expect(try pixels.frame(slot: 29)?.count == 640 * 480 * bytes)
        }

        @Test("a node that gets pixels which somebody has made of the sensor's is not offered")
        func processed() throws {
            struct Devices: Decodable {
                struct Camera: Decodable { var id: String }
                var cameras: [Camera]
            }
            let scenario = try Self.scenario.get()
            let cameras = try scenario.decode(Devices.self, "devices.stdout").cameras.map(\.id)
            #expect(
                cameras.filter { $0.hasPrefix("vimc") } == [
                    "vimc:platform:vimc", "vimc:platform:vimc#1",
                ])
            #expect(try scenario.exitCode("processed") == 69)
            #expect(
                try scenario.text("processed.stderr").contains(
                    "`Debayer A` makes other pixels of what the sensor sends to `RGB/YUV Capture`"))
        }

        /// Where red lies in each 2x2 cell, and green beside it.
        @Test(arguments: [("eight", 1, 1, 1), ("ten", 2, 0, 0)])
        func `each colour lies where the format says`(
            name: String, bytes: Int, redRow: Int, redColumn: Int
        ) throws {
            let pixels = try Self.scenario.get().run(name).pixels()
            let frame = try #require(try pixels.frame(slot: 0))
            func sample(_ row: Int, _ column: Int) -> Int {
                let place = (row * 640 + column) * bytes
                return bytes == 1
                    ? Int(frame[place]) : Int(frame[place]) | Int(frame[place + 1]) << 8
            }
            let full = bytes == 1 ? 255 : 1023
            for (number, bar) in Self.bars.enumerated() {
                // An even row and column in the middle of the bar.
                let column = number * 80 + 40
                let colours = [
                    sample(240 + redRow, column + redColumn),
                    sample(240 + redRow, column + 1 - redColumn),
                    sample(240 + 1 - redRow, column + 1 - redColumn),
                ]
                #expect(colours.map { $0 > full / 2 } == bar, "bar \(number): \(colours)")
                #expect(colours.allSatisfy { $0 <= full })
            }
        }
    }
}
