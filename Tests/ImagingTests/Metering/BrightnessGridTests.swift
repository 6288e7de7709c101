import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Metering frames")
struct BrightnessGridTests {
    @Test(arguments: ["GREY", "Y10", "Y16", "YUYV", "UYVY", "RGB24", "SRGGB12", "SBGGR8"])
    func `an even frame has its code's level in every format and mode`(name: String) throws {
        let format = try #require(PixelFormat.named(name))
        let black = format.maximum / 16
        let code = format.maximum / 4
        let frame = try #require(SmallFrame(name, 64, 48) { _, _, _ in code })
        let light = try #require(frame.read(black: black).light)
        for mode in MeteringMode.allCases {
            let level = try #require(light.level(MeteringWeights(mode)))
            let exact = Double(code - black) / Double(format.maximum - black)
            let found = Double(level.billionths) / 1e9
            #expect(abs(found - exact) < 2e-9, "\(mode)")
            #expect(level.saturatedMillionths == 0)
        }
    }

    @Test(arguments: ["GREY", "Y12", "SRGGB12", "SGRBG10", "SGBRG16", "SBGGR8", "RGB24", "YUYV"])
    func `cells are the sums that a naive count gives`(name: String) throws {
        var random = SeededGenerator(seed: 43)
        let format = try #require(PixelFormat.named(name))
        let (width, height) = (70, 50)
        var codes: [[[Int]]] = []
        for _ in 0..<height {
            codes.append(
                (0..<width).map { _ in
                    (0..<format.channels).map { _ in
                        random.chance(20) ? format.maximum : random.below(format.maximum + 1)
                    }
                })
        }
        let frame = try #require(SmallFrame(name, width, height) { codes[$1][$0][$2] })
        let light = try #require(frame.read(black: 3, subjects: .light).light)
        var naive = Array(repeating: BrightnessGrid.Cell(), count: 192)
        // Places are quads for Bayer, else pixels.
        let isBayer = if case .bayer = format.samples { true } else { false }
        let step = isBayer ? 2 : 1
        for y in stride(from: 0, to: height - step + 1, by: step) {
            for x in stride(from: 0, to: width - step + 1, by: step) {
                let column = Self.cell(x / step, of: width / step, cells: 16)
                let row = Self.cell(y / step, of: height / step, cells: 12)
                let samples = try Self.samples(codes, x, y, format)
                naive[row * 16 + column].red += Int64(samples.red - 3)
                naive[row * 16 + column].green += Int64(samples.greens.reduce(0, +))
                naive[row * 16 + column].blue += Int64(samples.blue - 3)
                naive[row * 16 + column].count += 1
                naive[row * 16 + column].saturatedCount +=
                    samples.all.contains(format.maximum) ? 1 : 0
            }
        }
        for (cell, expected) in zip(light.cells, naive) {
            #expect(cell.count == expected.count)
            #expect(cell.saturatedCount == expected.saturatedCount)
            let greens = isBayer ? 2 : 1
            let green = (expected.green - 3 * Int64(greens) * expected.count) / Int64(greens)
            #expect(cell.green == green)
            if light.hasColour {
                #expect(cell.red == expected.red && cell.blue == expected.blue)
            }
        }
    }

    /// The cell that a place lies in: cell i begins at place ⌊n·i / cells⌋.
    private static func cell(_ place: Int, of places: Int, cells: Int) -> Int {
        (0..<cells).last { places * $0 / cells <= place } ?? 0
    }

    private static func samples(
        _ codes: [[[Int]]], _ x: Int, _ y: Int, _ format: PixelFormat
    ) throws -> (red: Int, greens: [Int], blue: Int, all: [Int]) {
        let pixel = codes[y][x]
        switch format.samples {
        case .mono: return (0, [pixel[0]], 0, pixel)
        case .yuv422(let lumaFirst):
            let luma = pixel[lumaFirst ? 0 : 1]
            return (0, [luma], 0, [luma])
        case .rgb: return (pixel[0], [pixel[1]], pixel[2], pixel)
        case .bayer(let pattern):
            let quad = [
                codes[y][x][0], codes[y][x + 1][0], codes[y + 1][x][0], codes[y + 1][x + 1][0],
            ]
            let letters = Array(pattern.rawValue)
            let red = try #require(letters.firstIndex(of: "R"))
            let blue = try #require(letters.firstIndex(of: "B"))
            let greens = letters.indices.filter { letters[$0] == "G" }
            return (quad[red], greens.map { quad[$0] }, quad[blue], quad)
        }
    }

    @Test func `luminance weighs balanced colours`() throws {
        let frame = try #require(
            SmallFrame("SRGGB12", 64, 48) { x, y, _ in
                [[500, 1_000], [1_000, 250]][y & 1][x & 1]
            })
        let light = try #require(frame.read().light)
        let plain = try #require(light.level(MeteringWeights(.uniform)))
        let luminance = Double(plain.billionths) * 4_095 / 1e9
        #expect(abs(luminance - 765) < 1e-3)
        let balanced = try #require(
            light.level(
                MeteringWeights(.uniform),
                gains: ChannelGains(redMillionths: 2_000_000, blueMillionths: 4_000_000)))
        let grey = Double(balanced.billionths) * 4_095 / 1e9
        #expect(abs(grey - 1_000) < 1e-3)
    }

    // MARK: Modes

    @Test func `spot sees a tenth of the frame around its point, wherever that is`() throws {
        // A bright box of 10 % around (0.3, 0.7) on a dark frame.
        let frame = try #require(
            SmallFrame("Y12", 320, 240) { x, y, _ in
                (80..<112).contains(x) && (156..<180).contains(y) ? 2_000 : 100
            })
        let light = try #require(frame.read().light)
        func level(_ mode: MeteringMode, _ x: Int64, _ y: Int64) throws -> Double {
            let point = try #require(
                FramePoint(xMillionths: x * 100_000, yMillionths: y * 100_000))
            let level = try #require(light.level(MeteringWeights(mode, point: point)))
            return Double(level.billionths) / 1e9 * 4_095
        }
        // Cells that the box cuts through hold dark pixels too.
        #expect(try level(.spot, 3, 7) > 900)
        #expect(abs(try level(.spot, 8, 2) - 100) < 1)
        #expect(abs(try level(.spot, 10, 10) - 100) < 1)
        #expect(abs(try level(.uniform, 3, 7) - 119) < 1)
        // Weighted lies between the two.
        let weighted = try level(.weighted, 3, 7)
        #expect(try weighted > level(.uniform, 3, 7) && weighted < level(.spot, 3, 7))
        #expect(try level(.weighted, 9, 1) < level(.uniform, 3, 7))
    }

    @Test func `weights have one place for each cell and favour the point`() {
        for mode in MeteringMode.allCases {
            let weights = MeteringWeights(mode)
            #expect(weights.cells.count == 192)
            #expect(weights.cells.allSatisfy { $0 >= 0 })
            // The middle four cells of 16×12.
            #expect(weights.cells[5 * 16 + 7] == weights.cells.max())
        }
        #expect(MeteringWeights(.spot).cells.filter { $0 > 0 }.count == 4)
    }

    // MARK: Offset

    @Test func `the offset is the logarithm of level over target`() {
        func offset(_ billionths: Int64, bias: Int64 = 0) -> Int64 {
            MeteredLevel(billionths: billionths, saturatedMillionths: 0)
                .offset(biasThousandths: bias)
        }
        #expect(offset(180_000_000) == 0)
        #expect(offset(360_000_000) == 1_000)
        #expect(offset(45_000_000) == -2_000)
        #expect(offset(360_000_000, bias: 1_000) == 0)
        #expect(offset(180_000_000, bias: -500) == 500)
        #expect(offset(0) == -27_423)
    }

    @Test func `more than a hundredth of white pixels makes the level a lower bound`() throws {
        for (white, isLowerBound) in [(30, false), (31, true)] {
            let frame = try #require(
                SmallFrame("GREY", 64, 48) { x, y, _ in y * 64 + x < white ? 255 : 50 })
            let level = try #require(frame.read().light?.level(MeteringWeights(.uniform)))
            #expect(level.isLowerBound == isLowerBound, "\(white) of 3072")
        }
    }
}
