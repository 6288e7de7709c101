import Testing

extension InTheBench {
    /// The look-alikes of the Raspberry Pi's sensor drivers: the rates that their controls tell are those that come.
    @Suite(.serialized) struct CSISensors {
        private static let pair = CSISections.of("imx219-imx477-cfe", ["two_sensors"])
        private static let imx708 = CSISections.of("imx708-cfe", ["sensors", "imx708"])

        @Test(
            "a mode has the period that blanking and pixel rate tell",
            arguments: [
                ("imx219 3280x2464", 66_654), ("imx219 1920x1080", 33_327),
                ("imx219 640x480", 16_654), ("imx477 4056x3040", 100_000),
                ("imx477 2028x1520", 33_321), ("imx477 2028x1080", 33_321),
                ("imx477 1332x990", 8_330), ("imx708 4608x2592", 69_669),
                ("imx708 2304x1296", 18_090), ("imx708 1536x864", 8_491),
            ])
        func period(mode: String, microseconds: Int) throws {
            let sections = try (mode.hasPrefix("imx708") ? Self.imx708 : Self.pair).get()
            let size = mode.split(separator: " ")[1].split(separator: "x").compactMap { Int($0) }
            let width = try size[0] + sections.control("horizontal_blanking", in: mode)
            let height = try size[1] + sections.control("vertical_blanking", in: mode)
            let rate = try sections.control("pixel_rate", in: mode)
            let told = Double(width * height) / Double(rate) * 1e6
            let frames = sections.frames(mode, of: "rp1-cfe-csi2_ch0")
            #expect(frames.map(\.sequence) == [0, 1, 2])
            for (before, after) in zip(frames, frames.dropFirst()) {
                let came = after.microseconds - before.microseconds
                #expect(abs(came - microseconds) <= 2)
                // imx219 counts two lines as one at 640x480: one of 9.45 µs is lost, and times are in whole µs.
                #expect(abs(Double(came) - told) <= 11)
            }
        }

        @Test func `a frame beyond its register is counted in fours, and the exposure with it`()
            throws
        {
            let sections = try Self.pair.get()
            let frames = sections.frames("long exposure", of: "rp1-cfe-csi2_ch0")
            // (990 + 200,000) / 4 and 150,000 / 4, both rounded down, of four times 6664 pixels.
            let period = 50_247 * 4 * 6664 / 840
            #expect(frames.count == 3)
            for (before, after) in zip(frames, frames.dropFirst()) {
                #expect(abs(after.microseconds - before.microseconds - period) <= 2)
            }
            let truth = try #require(sections["long exposure"].last).split(
                separator: ",", omittingEmptySubsequences: false)
            #expect(truth[5] == "150000")
        }

        @Test func `a sensor that is turned around tells another order of colours`() throws {
            let codes = try Self.pair.get()["flips"].map { $0.prefix(7) }
            #expect(codes == ["SGRBG10", "SBGGR10"])
        }
    }
}
