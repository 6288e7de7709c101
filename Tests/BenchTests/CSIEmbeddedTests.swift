import Testing

extension InTheBench {
    /// The lines that a sensor sends before its picture, through the real receiver.
    @Suite struct CSIEmbedded {
        /// The value of a register in each frame's embedded lines; nil where there are no lines.
        private static func values(_ address: String, _ capture: CSICapture) -> [Int?] {
            capture.frames.map { frame in
                frame["embedded"].split(separator: " ")
                    .first { $0.hasPrefix("\(address)=") }
                    .flatMap { Int($0.dropFirst(5), radix: 16) }
            }
        }

        private static func capture(faults: String) throws -> CSICapture {
            try CSICapture(
                CSIBoard("imx219-unicam-streams", streams: true, faults: faults), .imx219, 12,
                ["exposure=300@2"], more: "--embedded")
        }

        @Test func `embedded lines tell the frame they came with`() throws {
            let capture = try Self.capture(faults: "")
            #expect(Self.values("0005", capture) == Array(0..<12))
            let exposures = zip(Self.values("0202", capture), Self.values("0203", capture))
                .map { ($0 ?? 0) << 8 | ($1 ?? 0) }
            #expect(try exposures == capture.values("exposure_lines"))
            #expect(Set(exposures) == [1600, 300])
        }

        @Test func `lines that are missing leave an earlier frame's, and stale ones tell one`()
            throws
        {
            let capture = try Self.capture(faults: "no-embedded@7,stale-embedded@9-10")
            // Of four buffers, frame 7 has the one that frame 3 was in.
            let counters: [Int?] = [0, 1, 2, 3, 4, 5, 6, 3, 8, 7, 8, 11]
            #expect(Self.values("0005", capture) == counters)
            #expect(try capture.values("number") == Array(0..<12))
            #expect(capture.numbers(withFault: "no-embedded") == [7])
        }
    }
}
