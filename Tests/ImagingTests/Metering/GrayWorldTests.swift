import Imaging
import Testing

@Suite("Gray world")
struct GrayWorldTests {
    /// A card in the middle half, something else around it; red, green, blue codes.
    private static func frame(
        _ format: String, card: (Int, Int, Int), around: (Int, Int, Int) = (3_000, 100, 100)
    ) throws -> SmallFrame {
        let pixels = try #require(PixelFormat.named(format))
        return try #require(
            SmallFrame(format, 64, 48) { x, y, channel in
                let isCard = (16..<48).contains(x) && (12..<36).contains(y)
                let colour = isCard ? card : around
                switch pixels.samples {
                case .bayer(let pattern):
                    let letter = Array(pattern.rawValue)[(y & 1) * 2 + (x & 1)]
                    return letter == "R" ? colour.0 : letter == "G" ? colour.1 : colour.2
                default: return [colour.0, colour.1, colour.2][channel]
                }
            })
    }

    @Test(arguments: ["SRGGB12", "SGRBG12", "SGBRG12", "SBGGR12"])
    func `the middle half becomes grey, whatever lies around it`(format: String) throws {
        let reading = try Self.frame(format, card: (800, 2_000, 1_000)).read()
        let gains = try #require(reading.balance?.gains)
        #expect(
            gains == ChannelGains(redMillionths: 2_500_000, blueMillionths: 2_000_000))
        #expect(reading.balance?.count == 16 * 12 && reading.balance?.usableCount == 16 * 12)
    }

    @Test func `the least gain is 1, also where green is not the brightest`() throws {
        let balance = try #require(Self.frame("RGB24", card: (200, 100, 50)).read().balance)
        #expect(
            balance.gains
                == ChannelGains(
                    redMillionths: 1_000_000, greenMillionths: 2_000_000, blueMillionths: 4_000_000)
        )
    }

    @Test func `the black level is no colour`() throws {
        let card = (256 + 800, 256 + 2_000, 256 + 1_000)
        let balance = try Self.frame("SRGGB12", card: card).read(black: 256).balance
        #expect(
            balance?.gains == ChannelGains(redMillionths: 2_500_000, blueMillionths: 2_000_000))
    }

    @Test func `quads that are nearly white or black are left out`() throws {
        // Half of the card is glare, which is white and would say that all is well.
        let frame = try #require(
            SmallFrame("SRGGB12", 64, 48) { x, y, _ in
                if x < 32 { return 4_000 }
                return [[800, 2_000], [2_000, 1_000]][y & 1][x & 1]
            })
        let balance = try #require(frame.read().balance)
        #expect(balance.usableCount * 2 == balance.count)
        #expect(
            balance.gains == ChannelGains(redMillionths: 2_500_000, blueMillionths: 2_000_000))
        let dark = try Self.frame("SRGGB12", card: (40, 2_000, 1_000)).read().balance
        #expect(dark?.usableCount == 0 && dark?.gains == nil)
    }

    @Test func `less than a twentieth that is usable is too little`() throws {
        for (usable, isEnough) in [(9, false), (10, true)] {
            let frame = try #require(
                SmallFrame("SRGGB12", 64, 48) { x, y, _ in
                    let quad = (y / 2 - 6) * 16 + x / 2 - 8
                    return (0..<usable).contains(quad) && x / 2 >= 8 && x / 2 < 24 ? 1_000 : 4_095
                })
            let balance = try #require(frame.read().balance)
            #expect(balance.isEnough == isEnough, "\(balance.usableCount) of \(balance.count)")
            #expect((balance.gains != nil) == isEnough)
        }
    }

    @Test func `4:2:2 gives its colours back`() throws {
        // A reddish grey by BT.601: R 150, G 100, B 80 is Y 112.67, Cb 109.6, Cr 154.6.
        let frame = try #require(
            SmallFrame("YUYV", 64, 48) { x, _, channel in
                channel == 0 ? 113 : x % 2 == 0 ? 110 : 155
            })
        let gains = try #require(frame.read().balance?.gains)
        #expect(abs(Double(gains.greenMillionths) / 1e6 - 1.5) < 0.02)
        #expect(abs(Double(gains.blueMillionths) / 1e6 - 150.0 / 80) < 0.03)
    }

    @Test func `grey pixels alone have no balance`() throws {
        let frame = try #require(SmallFrame("Y12", 64, 48) { _, _, _ in 900 })
        #expect(frame.read().balance == nil)
    }
}
