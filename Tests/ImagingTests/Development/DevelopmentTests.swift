import Foundation
import Imaging
import TestSupport
import Testing

/// Levels, gains, colours and tone.
struct DevelopmentTests {
    private static let size = (width: 8, height: 6)

    private static func colour(
        _ name: String, _ pattern: BayerPattern, _ colour: (Int, Int, Int),
        _ settings: DevelopmentSettings, bits: Int = 16
    ) throws -> [Int] {
        let samples = Raw.constant(
            pattern, width: size.width, height: size.height, red: colour.0, green: colour.1,
            blue: colour.2)
        let image = try develop(
            samples, name, width: size.width, height: size.height, settings, bits: bits)
        return try #require(image.pixels.first)
    }

    /// The standard's formula, IEC 61966-2-1, by the C library.
    private static func sRGB(_ light: Double) -> Double {
        light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    @Test func `a mono frame goes through the curve of sRGB`() throws {
        let samples = Array(0..<4_096)
        let image = try develop(
            samples, "Y12", width: 64, height: 64, DevelopmentSettings(), bits: 16)
        #expect(image.channels == 1)
        for (sample, code) in zip(samples, image.pixels) {
            let exact = Self.sRGB(Double(sample) / 4_095) * 65_535
            // Lights have 15 bits: half a step of them, times the curve's slope, and the rounding.
            let slope = sample < 16 ? 12.92 : 12.92 * 0.6
            #expect(abs(Double(code[0]) - exact) <= slope + 1, "\(sample)")
        }
    }

    @Test func `published values of the curve`() throws {
        // 18 % grey is code 118 of 255, half the light 188 (IEC 61966-2-1).
        let samples = [0, 737, 2_048, 4_095]
        let image = try develop(samples, "Y12", width: 4, height: 1, DevelopmentSettings())
        #expect(image.pixels == [[0], [118], [188], [255]])
    }

    @Test func `eight bits without gain, black and curve stay the same`() throws {
        let samples = Array(0..<256)
        #expect(
            try develop(samples, "GREY", width: 16, height: 16).bytes == samples.map { UInt8($0) })
    }

    @Test(arguments: BayerPattern.allCases)
    func `black comes off site by site, white is full scale`(pattern: BayerPattern) throws {
        let black = [60, 64, 68, 72]
        var samples: [Int] = []
        for index in 0..<48 { samples.append(black[index / 8 % 2 * 2 + index % 2]) }
        let name = "S\(pattern.rawValue)10"
        let settings = DevelopmentSettings(black: black, white: 1_000)
        let dark = try develop(samples, name, width: 8, height: 6, settings)
        #expect(dark.pixels.allSatisfy { $0 == [0, 0, 0] })
        let bright = try develop(
            samples.map { _ in 1_000 }, name, width: 8, height: 6, settings)
        #expect(bright.pixels.allSatisfy { $0 == [255, 255, 255] })
        let below = try develop(samples.map { _ in 3 }, name, width: 8, height: 6, settings)
        #expect(below.pixels.allSatisfy { $0 == [0, 0, 0] })
    }

    @Test(arguments: BayerPattern.allCases, ["8", "10", "12", "16"])
    func `gains make a grey of what an illuminant coloured`(
        pattern: BayerPattern, bits: String
    ) throws {
        let full = (1 << (Int(bits) ?? 0)) - 1
        let settings = DevelopmentSettings(
            gains: ChannelGains(redMillionths: 3_381_800, blueMillionths: 1_493_400),
            tone: .linear)
        let colour = (full * 2_957 / 20_000, full / 2, full * 6_696 / 20_000)
        let pixel = try Self.colour("S\(pattern.rawValue)\(bits)", pattern, colour, settings)
        // The samples are rounded to codes: one of 255 is 1.3 %, times the gain.
        let tolerance = bits == "8" ? 900.0 : 260
        for channel in pixel { #expect(abs(Double(channel) - 32_767) < tolerance, "\(pixel)") }
    }

    @Test func `a gain cuts off at full scale and does not wrap`() throws {
        let settings = DevelopmentSettings(
            gains: ChannelGains(redMillionths: 8_000_000, blueMillionths: 8_000_000))
        for name in ["SRGGB8", "SRGGB12", "SRGGB16"] {
            let format = try #require(PixelFormat.named(name))
            let pixel = try Self.colour(
                name, .rggb, (format.maximum, format.maximum, format.maximum), settings)
            #expect(pixel == [65_535, 65_535, 65_535])
        }
    }

    @Test func `a matrix mixes colours and leaves greys alone`() throws {
        let matrix = try #require(
            DevelopmentMatrix(millionths: [
                1_800_000, -600_000, -200_000, -300_000, 1_500_000, -200_000, 50_000, -550_000,
                1_500_000,
            ]))
        let settings = DevelopmentSettings(matrix: matrix, tone: .linear)
        let light = (1_000.0, 2_000.0, 1_500.0)
        let pixel = try Self.colour("SRGGB12", .rggb, (1_000, 2_000, 1_500), settings)
        let expected = [
            1.8 * light.0 - 0.6 * light.1 - 0.2 * light.2,
            -0.3 * light.0 + 1.5 * light.1 - 0.2 * light.2,
            0.05 * light.0 - 0.55 * light.1 + 1.5 * light.2,
        ]
        for (found, exact) in zip(pixel, expected) {
            #expect(abs(Double(found) / 65_535 * 4_095 - exact) < 0.5, "\(pixel)")
        }
        for (name, step) in [("SRGGB12", 331), ("SRGGB8", 13)] {
            let format = try #require(PixelFormat.named(name))
            for grey in stride(from: 0, through: format.maximum, by: step) {
                var plain = settings
                plain.matrix = nil
                let with = try Self.colour(name, .rggb, (grey, grey, grey), settings, bits: 8)
                let without = try Self.colour(name, .rggb, (grey, grey, grey), plain, bits: 8)
                #expect(with == without)
            }
        }
    }

    @Test func `the quick matrix gives the same as the deep one`() throws {
        let matrix = try #require(
            DevelopmentMatrix(millionths: [
                2_100_000, -900_000, -200_000, -400_000, 1_700_000, -300_000, -100_000, -800_000,
                1_900_000,
            ]))
        let samples = Raw.noise(480, maximum: 255, seed: 21)
        let settings = DevelopmentSettings(matrix: matrix, tone: .linear)
        let quick = try develop(samples, "SGBRG8", width: 24, height: 20, settings)
        let deep = try develop(samples, "SGBRG8", width: 24, height: 20, settings, bits: 16)
        for (a, b) in zip(quick.pixels.joined(), deep.pixels.joined()) {
            #expect(abs(Double(b) / 257 - 0.5 - Double(a)) < 1.6)
        }
    }

    @Test func `what development can't do is refused`() throws {
        let format = try #require(PixelFormat.named("SRGGB8"))
        let size = try #require(FrameSize(width: 8, height: 8))
        func isTaken(_ settings: DevelopmentSettings) -> Bool {
            Development(format, size: size, settings: settings) != nil
        }
        #expect(isTaken(DevelopmentSettings()))
        #expect(!isTaken(DevelopmentSettings(black: [255])))
        #expect(!isTaken(DevelopmentSettings(black: [-1])))
        #expect(!isTaken(DevelopmentSettings(black: [1, 2])))
        #expect(!isTaken(DevelopmentSettings(white: 256)))
        #expect(
            !isTaken(
                DevelopmentSettings(
                    gains: ChannelGains(redMillionths: 0, blueMillionths: 1_000_000))))
        #expect(
            !isTaken(
                DevelopmentSettings(
                    gains: ChannelGains(redMillionths: 40_000_000, blueMillionths: 1_000_000))))
        #expect(DevelopmentMatrix(millionths: [1, 2, 3]) == nil)
        #expect(
            DevelopmentMatrix(millionths: [
                1_000_000, 100_000, 0, 0, 1_000_000, 0, 0, 0, 1_000_000,
            ]) == nil)
    }

    @Test(arguments: ["YUYV", "UYVY"])
    func `4:2:2 becomes RGB by BT.601`(name: String) throws {
        // Colour bars of 100 %, limited range (ITU-R BT.601): Y, Cb, Cr and what they show.
        let bars: [([Int], [Int])] = [
            ([235, 128, 128], [255, 255, 255]), ([16, 128, 128], [0, 0, 0]),
            ([81, 90, 240], [255, 0, 0]), ([145, 54, 34], [0, 255, 0]),
            ([41, 240, 110], [0, 0, 255]),
        ]
        for (signal, colour) in bars {
            let (y, u, v) = (signal[0], signal[1], signal[2])
            let pair = name == "YUYV" ? [y, u, y, v] : [u, y, v, y]
            let pixels = try develop(pair, name, width: 2, height: 1).pixels
            #expect(pixels.count == 2 && pixels[0] == pixels[1])
            for (found, exact) in zip(pixels[0], colour) { #expect(abs(found - exact) <= 2) }
        }
    }

    @Test(arguments: ["YUYV", "UYVY"], [8, 16])
    func `any part of a 4:2:2 frame has its pairs' chroma`(name: String, bits: Int) throws {
        var generator = SeededGenerator(seed: UInt64(bits))
        let (width, height) = (76, 3)
        let bytes = width * height * 2
        let samples = (0..<bytes).map { _ in Int.random(in: 0...255, using: &generator) }
        let luma = name == "YUYV" ? 0 : 1
        for _ in 0..<100 {
            let left = Int.random(in: 0..<width, using: &generator)
            let columns = Int.random(in: 1...width - left, using: &generator)
            let size = try #require(FrameSize(width: columns, height: 2))
            let region = FrameRegion(left: left, top: 1, size: size)
            let image = try develop(
                samples, name, width: width, height: height, bits: bits, region: region)
            for (place, pixel) in image.pixels.enumerated() {
                let (row, column) = (1 + place / columns, left + place % columns)
                let pair = (row * width + (column & ~1)) * 2
                let y = 298 * (samples[(row * width + column) * 2 + luma] - 16)
                let u = samples[pair + 1 - luma] - 128
                let v = samples[pair + 3 - luma] - 128
                let colour = [y + 409 * v, y - 100 * u - 208 * v, y + 516 * u].map {
                    min(255, max(0, ($0 + 128) >> 8)) * (bits == 16 ? 257 : 1)
                }
                #expect(pixel == colour)
            }
        }
    }
}
