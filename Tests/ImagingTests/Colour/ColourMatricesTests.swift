import Imaging
import Testing

@Suite("Colour matrices")
struct ColourMatricesTests {
    /// XYZ to linear sRGB (IEC 61966-2-1): a camera that sees like a screen, to which D65 is neutral.
    private static let screen: [Int64] = [
        3_240_625, -1_537_208, -498_629, -968_931, 1_875_756, 41_518, 55_710, -204_021, 1_056_996,
    ]

    private static func matrices(_ all: (Int64, [Int64])...) throws -> ColourMatrices {
        try #require(
            ColourMatrices(
                calibrations: all.map { .init(kelvin: $0.0, elementsMillionths: $0.1) }))
    }

    @Test func `the white point of a screen takes no gains on a camera that sees like one`() throws
    {
        let camera = try Self.matrices((6_504, Self.screen))
        let gains = try #require(camera.gains(for: Chromaticity(x: 0.3127, y: 0.3290)))
        #expect(abs(gains.value.redMillionths - 1_000_000) < 300)
        #expect(abs(gains.value.blueMillionths - 1_000_000) < 300)
        #expect(gains.limits.isEmpty)
        let light = try #require(
            camera.chromaticity(
                of: ChannelGains(redMillionths: 1_000_000, blueMillionths: 1_000_000))
        ).value
        #expect(abs(light.x - 0.3127) < 5e-5 && abs(light.y - 0.3290) < 5e-5)
    }

    @Test func `two matrices are mixed by reciprocal temperature`() throws {
        // Cameras that differ in red alone: half way in 1/T, red is half way.
        let diagonal: (Int64) -> [Int64] = { [$0, 0, 0, 0, 1_000_000, 0, 0, 0, 1_000_000] }
        let camera = try Self.matrices((2_856, diagonal(1_000_000)), (6_504, diagonal(2_000_000)))
        let middle = 2 / (1 / 2_856.0 + 1 / 6_504)
        let light = try #require(Chromaticity(ColourTemperature(kelvin: middle, duv: 0)))
        let gains = try #require(camera.gains(for: light)).value
        let red = 1.5 * light.x / light.y
        #expect(abs(1e6 / Double(gains.redMillionths) - red) < 1e-5)
    }

    @Test func `light survives the way through gains, between and beyond the calibrations`() throws
    {
        let other: [Int64] = [
            2_900_000, -1_100_000, -420_000, -900_000, 1_800_000, 90_000, 30_000, -150_000, 900_000,
        ]
        let camera = try Self.matrices((2_856, other), (6_504, Self.screen))
        for kelvin in stride(from: 2_750.0, through: 8_000, by: 250) {
            for duv in [-0.01, 0, 0.01] {
                let light = try #require(
                    Chromaticity(ColourTemperature(kelvin: kelvin, duv: duv)))
                let gains = try #require(camera.gains(for: light))
                let back = try #require(camera.chromaticity(of: gains.value))
                let found = try #require(ColourTemperature(back.value))
                #expect(abs(found.kelvin - kelvin) < 1, "\(kelvin) K, \(duv)")
                #expect(abs(found.tint - duv * 3_000) < 0.1, "\(kelvin) K, \(duv)")
                let isOutside = kelvin < 2_855 || kelvin > 6_505
                #expect(gains.limits.isEmpty != isOutside, "\(kelvin) K")
                #expect(back.limits.isEmpty != isOutside, "\(kelvin) K")
            }
        }
    }

    @Test func `what is no camera is refused`() {
        func make(_ all: [(Int64, [Int64])]) -> ColourMatrices? {
            ColourMatrices(calibrations: all.map { .init(kelvin: $0.0, elementsMillionths: $0.1) })
        }
        #expect(make([]) == nil)
        #expect(make([(6_504, [1, 2, 3])]) == nil)
        #expect(make([(6_504, Array(repeating: 1_000_000, count: 9))]) == nil)
        #expect(make([(500, Self.screen)]) == nil)
        #expect(make([(6_504, Self.screen), (2_856, Self.screen)]) == nil)
        #expect(make([(2_856, Self.screen), (6_504, Self.screen)]) != nil)
    }

    @Test func `no gains are a trap`() throws {
        let camera = try Self.matrices((6_504, Self.screen))
        for red: Int64 in [.min, 0, 1, 1_000_000, .max] {
            for blue: Int64 in [.min, 0, 1, 1_000_000, .max] {
                _ = camera.chromaticity(of: ChannelGains(redMillionths: red, blueMillionths: blue))
            }
        }
        #expect(camera.gains(for: Chromaticity(x: 0.7, y: 0)) == nil)
    }
}
