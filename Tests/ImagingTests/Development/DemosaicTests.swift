import Imaging
import TestSupport
import Testing

/// Interpolation of Bayer frames, against the filters as they are printed.
struct DemosaicTests {
    /// Malvar, He, Cutler 2004, figure 2, in sixteenths: what stands around the pixel that is interpolated.
    private enum Filter {
        static let greenAtColour = [
            [0, 0, -2, 0, 0], [0, 0, 4, 0, 0], [-2, 4, 8, 4, -2], [0, 0, 4, 0, 0],
            [0, 0, -2, 0, 0],
        ]
        /// The colour of the row's neighbours at green.
        static let alongRow = [
            [0, 0, 1, 0, 0], [0, -2, 0, -2, 0], [-2, 8, 10, 8, -2], [0, -2, 0, -2, 0],
            [0, 0, 1, 0, 0],
        ]
        static let alongColumn = (0..<5).map { row in (0..<5).map { alongRow[$0][row] } }
        static let opposite = [
            [0, 0, -3, 0, 0], [0, 4, 0, 4, 0], [-3, 0, 12, 0, -3], [0, 4, 0, 4, 0],
            [0, 0, -3, 0, 0],
        ]
    }

    /// The colours of one pixel away from the edges, exactly.
    private static func expected(
        _ samples: [Int], _ pattern: BayerPattern, width: Int, x: Int, y: Int
    ) -> [Double] {
        let letters = Array(pattern.rawValue)
        func letter(_ x: Int, _ y: Int) -> Character { letters[y % 2 * 2 + x % 2] }
        func filtered(_ filter: [[Int]]) -> Double {
            var sum = 0
            for (row, line) in filter.enumerated() {
                for (column, weight) in line.enumerated() {
                    sum += weight * samples[(y + row - 2) * width + x + column - 2]
                }
            }
            return Double(sum) / 16
        }
        return ["R", "G", "B"].map { (colour: Character) in
            if letter(x, y) == colour { return Double(samples[y * width + x]) }
            if colour == "G" { return filtered(Filter.greenAtColour) }
            if letter(x, y) != "G" { return filtered(Filter.opposite) }
            return filtered(letter(x + 1, y) == colour ? Filter.alongRow : Filter.alongColumn)
        }
    }

    @Test(arguments: BayerPattern.allCases)
    func `every pixel is what the printed filters give`(pattern: BayerPattern) throws {
        let (width, height) = (38, 12)
        // 12 bits in the middle of the range: nothing is cut off.
        let samples = Raw.noise(width * height, maximum: 900, seed: 7).map { $0 + 1_500 }
        let image = try develop(
            samples, "S\(pattern.rawValue)12", width: width, height: height, bits: 16)
        let pixels = image.pixels
        for y in 2..<height - 2 {
            for x in 2..<width - 2 {
                let exact = Self.expected(samples, pattern, width: width, x: x, y: y)
                for channel in 0..<3 {
                    let found = Double(pixels[y * width + x][channel]) / 65_535 * 4_095
                    // A step of the arithmetic is an eighth of a 12-bit code; a filter rounds down twice.
                    #expect(abs(found - exact[channel]) < 0.3, "\(pattern) \(x),\(y) \(channel)")
                }
            }
        }
    }

    @Test(arguments: BayerPattern.allCases)
    func `the quick way for eight bits gives the same to a code`(pattern: BayerPattern) throws {
        let (width, height) = (40, 10)
        let samples = Raw.noise(width * height, maximum: 255, seed: 11)
        let name = "S\(pattern.rawValue)8"
        let quick = try develop(samples, name, width: width, height: height)
        let deep = try develop(samples, name, width: width, height: height, bits: 16)
        for (a, b) in zip(quick.pixels, deep.pixels) {
            for channel in 0..<3 {
                // 8 bits are cut off, 16 are not: half a code. The quick way begins with samples in eighths of a code,
                // whose rounding the filters' weights make up to four times as large.
                #expect(abs(Double(b[channel]) / 257 - 0.5 - Double(a[channel])) < 1.5)
            }
        }
    }

    @Test func `a worked example, bit for bit`() throws {
        // One bright red site in a black frame: 200 × 8 + 6 = 1606 of 2047, by hand from the filters.
        var samples = [Int](repeating: 0, count: 64)
        samples[2 * 8 + 2] = 200
        let pixels = try develop(samples, "SRGGB8", width: 8, height: 8).pixels
        func pixel(_ x: Int, _ y: Int) -> [Int] { pixels[y * 8 + x] }
        // Itself: 1606 / 8; green 4/8 of it, blue 6/8.
        #expect(pixel(2, 2) == [200, 100, 150])
        // A green beside it: red 4/8, and no light of its own.
        #expect(pixel(3, 2) == [100, 0, 0])
        // The blue site at its corner: red 2/8.
        #expect(pixel(3, 3) == [50, 0, 0])
        // Two to the right, a red site: red is measured and dark; the rest is below zero and cut off.
        #expect(pixel(4, 2) == [0, 0, 0])
    }

    @Test(arguments: BayerPattern.allCases, [true, false])
    func `a single colour stays that colour everywhere`(
        pattern: BayerPattern, isWide: Bool
    ) throws {
        let scale = isWide ? 16 : 1
        let samples = Raw.constant(
            pattern, width: 10, height: 6, red: 200 * scale, green: 90 * scale, blue: 17 * scale)
        let image = try develop(
            samples, "S\(pattern.rawValue)\(isWide ? 12 : 8)", width: 10, height: 6)
        let first = try #require(image.pixels.first)
        #expect(image.pixels.allSatisfy { $0 == first })
        #expect(zip(first, [200, 90, 17]).allSatisfy { abs($0 - $1) <= 1 }, "\(first)")
    }

    @Test(arguments: ["8", "12"])
    func `the four orders agree under flips`(bits: String) throws {
        let (width, height) = (22, 14)
        let samples = Raw.noise(
            width * height, maximum: bits == "8" ? 255 : 4_095, seed: 3)
        func pixels(_ samples: [Int], _ pattern: String) throws -> [[Int]] {
            try develop(samples, "S\(pattern)\(bits)", width: width, height: height).pixels
        }
        let upright = try pixels(samples, "RGGB")
        let mirrored = try pixels(Raw.mirrored(samples, width: width), "GRBG")
        let turned = try pixels(Raw.turnedOver(samples, width: width), "GBRG")
        let both = try pixels(
            Raw.turnedOver(Raw.mirrored(samples, width: width), width: width), "BGGR")
        #expect(Raw.mirrored(mirrored, width: width) == upright)
        #expect(Raw.turnedOver(turned, width: width) == upright)
        #expect(Raw.turnedOver(Raw.mirrored(both, width: width), width: width) == upright)
    }

    @Test(arguments: ["SGRBG8", "SBGGR12", "Y12", "GREY", "YUYV", "RGB24"])
    func `a part is what the whole has there, also row by row`(name: String) throws {
        let format = try #require(PixelFormat.named(name))
        let (width, height) = (46, 18)
        let samples = Raw.noise(
            width * height * format.channels, maximum: format.maximum, seed: 5)
        let whole = try develop(samples, name, width: width, height: height)
        var random = SeededGenerator(seed: 9)
        for _ in 0..<40 {
            let left = Int.random(in: 0..<width, using: &random)
            let top = Int.random(in: 0..<height, using: &random)
            let size = try #require(
                FrameSize(
                    width: Int.random(in: 1...width - left, using: &random),
                    height: Int.random(in: 1...height - top, using: &random)))
            let region = try #require(FrameRegion(left: left, top: top, size: size))
            let part = try develop(samples, name, width: width, height: height, region: region)
            let rows = (top..<top + size.height)
                .flatMap { whole.pixels[$0 * width + left..<$0 * width + left + size.width] }
            #expect(part.pixels == rows, "\(region)")
        }
    }

    @Test func `rows may be made apart`() throws {
        let format = try #require(PixelFormat.named("SRGGB12"))
        let size = try #require(FrameSize(width: 30, height: 21))
        let development = try #require(
            Development(format, size: size, settings: DevelopmentSettings()))
        let frame = Raw.bytes(Raw.noise(630, maximum: 4_095, seed: 1), wide: true)
        let whole = frame.withUnsafeBytes { development.image(of: $0) }
        var parts: [UInt8] = []
        for start in stride(from: 0, to: 21, by: 4) {
            let rows = start..<min(start + 4, 21)
            var bytes = [UInt8](repeating: 0, count: rows.count * 90)
            frame.withUnsafeBytes { frame in
                bytes.withUnsafeMutableBytes { development.develop(frame, rows: rows, into: $0) }
            }
            parts += bytes
        }
        #expect(parts == whole.bytes)
    }

    @Test(arguments: 1...5, 1...5)
    func `tiny frames are mirrored, or refused where a colour is missing`(
        width: Int, height: Int
    ) throws {
        let format = try #require(PixelFormat.named("SRGGB8"))
        let size = try #require(FrameSize(width: width, height: height))
        let development = Development(format, size: size, settings: DevelopmentSettings())
        guard width > 1, height > 1 else {
            #expect(development == nil)
            return
        }
        let frame = Raw.bytes(
            Raw.constant(.rggb, width: width, height: height, red: 9, green: 80, blue: 250),
            wide: false)
        let pixels = try frame.withUnsafeBytes { try #require(development).image(of: $0) }.pixels
        #expect(pixels.allSatisfy { $0 == pixels[0] })
    }
}
