import Imaging
import TestSupport
import Testing

@Suite("Colour curves")
struct ColourCurveTests {
    /// Raspberry Pi's imx477: kelvin, R/G and B/G in ten-thousandths.
    static let imx477 = curve([
        (2850, 4307, 3957), (2960, 4159, 4313), (3580, 3771, 5176), (4559, 3031, 6573),
        (5881, 2809, 6942), (7600, 2263, 7762),
    ])
    /// From 2,500 K to 8,000 K, bent as colour responses are.
    static let wide = curve([
        (2500, 11_000, 3000), (3000, 9300, 4100), (4000, 7300, 5600), (5000, 6300, 6700),
        (6500, 5300, 7900), (8000, 4700, 8700),
    ])

    static func curve(_ points: [(kelvin: Int64, red: Int64, blue: Int64)]) -> ColourCurve {
        let points = points.map {
            ColourCurve.Point(
                kelvin: $0.kelvin, redMillionths: $0.red * 100, blueMillionths: $0.blue * 100)
        }
        guard let curve = ColourCurve(points: points) else {
            preconditionFailure("these points are a curve")
        }
        return curve
    }

    @Test func `imx477 at 5000 K has the gains that its tuning file amounts to`() throws {
        let gains = try #require(Self.imx477.gains(kelvin: 5_000, tintThousandths: 0))
        #expect(gains.limits.isEmpty)
        #expect(abs(Double(gains.value.redMillionths) / 1e6 - 3.3818) < 2e-4)
        #expect(gains.value.greenMillionths == 1_000_000)
        #expect(abs(Double(gains.value.blueMillionths) / 1e6 - 1.4934) < 5e-5)
    }

    /// Raspberry Pi's ov5647, which is jagged.
    static let ov5647 = curve([
        (2500, 10_289, 4503), (2803, 9428, 5108), (2914, 9406, 5127), (3605, 8261, 6249),
        (4540, 7331, 7533), (5699, 6715, 8627), (8625, 6081, 10_012),
    ])

    @Test(arguments: [imx477, wide, ov5647])
    func `temperature and tint of an illuminant survive the way through gains`(
        curve: ColourCurve
    ) throws {
        let range = curve.kelvinRange.clamped(to: 2_500...8_000)
        for kelvin in stride(from: range.lowerBound, through: range.upperBound, by: 23) {
            for tint: Int64 in [-150_000, -60_000, -7_300, 0, 100, 12_000, 60_000, 110_000] {
                guard let gains = curve.gains(kelvin: kelvin, tintThousandths: tint) else {
                    Issue.record("\(kelvin) K with tint \(tint) has no gains")
                    continue
                }
                #expect(gains.limits.isEmpty)
                let back = try #require(curve.temperature(of: gains.value))
                #expect(abs(back.value.kelvin - Double(kelvin)) < 1, "\(kelvin) K, \(tint)")
                #expect(abs(back.value.tintThousandths - tint) < 100, "\(kelvin) K, \(tint)")
                #expect(back.limits.isEmpty)
            }
        }
    }

    @Test func `gains are those at the points, and straight between in their reciprocals`() throws {
        for (before, after) in zip(Self.wide.points, Self.wide.points.dropFirst()) {
            let middle = (before.kelvin + after.kelvin) / 2
            let gains = try #require(Self.wide.gains(kelvin: middle, tintThousandths: 0)).value
            let red = Double(before.redMillionths + after.redMillionths) / 2e6
            #expect(abs(1e6 / Double(gains.redMillionths) - red) < 1e-6)
            let atPoint = try #require(
                Self.wide.gains(kelvin: before.kelvin, tintThousandths: 0))
            #expect(
                abs(1e12 / Double(atPoint.value.redMillionths) - Double(before.redMillionths)) < 1)
        }
    }

    @Test func `a greener illuminant gives less red and blue, so it takes more of both`() throws {
        for kelvin: Int64 in [3_000, 5_000, 7_000] {
            let grey = try #require(Self.imx477.gains(kelvin: kelvin, tintThousandths: 0)).value
            let green = try #require(
                Self.imx477.gains(kelvin: kelvin, tintThousandths: 10_000)
            ).value
            #expect(green.redMillionths > grey.redMillionths)
            #expect(green.blueMillionths > grey.blueMillionths)
        }
    }

    @Test func `outside the curve it says so, and does not clamp`() throws {
        let inside = try #require(Self.imx477.gains(kelvin: 7_600, tintThousandths: 0))
        let outside = try #require(Self.imx477.gains(kelvin: 8_000, tintThousandths: 0))
        #expect(inside.limits.isEmpty)
        #expect(outside.limits == [.temperature(8_000, 2_850...7_600, of: .curve)])
        #expect(outside.value.redMillionths > inside.value.redMillionths)
        let back = try #require(Self.imx477.temperature(of: outside.value))
        #expect(abs(back.value.kelvin - 8_000) < 1)
        #expect(back.limits == [.temperature(8_000, 2_850...7_600, of: .curve)])
        let cold = try #require(Self.imx477.gains(kelvin: 2_700, tintThousandths: 160_000 / 2))
        #expect(cold.limits == [.temperature(2_700, 2_850...7_600, of: .curve)])
        let found = try #require(Self.imx477.temperature(of: cold.value))
        #expect(abs(found.value.kelvin - 2_700) < 1)
    }

    @Test func `a tint beyond 150 is told`() throws {
        let far = try #require(Self.wide.gains(kelvin: 5_000, tintThousandths: -160_000))
        #expect(far.limits == [.tint(-160_000)])
    }

    @Test func `no gains are a trap`() {
        for red: Int64 in [.min, -1, 0, 1, 1_000_000, .max] {
            for blue: Int64 in [.min, 0, 1, 333_333, .max] {
                _ = Self.imx477.temperature(
                    of: ChannelGains(redMillionths: red, blueMillionths: blue))
            }
        }
        for kelvin: Int64 in [.min / 4, 0, 1, 1_000_000, .max / 4] {
            _ = Self.imx477.gains(kelvin: kelvin, tintThousandths: .max / 2)
        }
        #expect(
            Self.imx477.temperature(of: ChannelGains(redMillionths: 0, blueMillionths: 1)) == nil)
    }

    @Test func `what is no curve is refused`() {
        func point(_ kelvin: Int64, _ red: Int64, _ blue: Int64) -> ColourCurve.Point {
            ColourCurve.Point(kelvin: kelvin, redMillionths: red, blueMillionths: blue)
        }
        let one = point(3_000, 900_000, 400_000)
        #expect(ColourCurve(points: []) == nil)
        #expect(ColourCurve(points: [one]) == nil)
        #expect(ColourCurve(points: [one, one]) == nil)
        #expect(ColourCurve(points: [one, point(3_100, 900_000, 400_000)]) == nil)
        #expect(ColourCurve(points: [one, point(2_900, 950_000, 300_000)]) == nil)
        #expect(ColourCurve(points: [one, point(3_100, 0, 400_000)]) == nil)
        #expect(ColourCurve(points: [point(999, 1, 1), one]) == nil)
        #expect(ColourCurve(points: [one, point(3_001, 900_000, 400_001)]) != nil)
    }

    // MARK: Gains

    @Test func `normalised gains start at 1, and say what was cut off`() throws {
        let gains = ChannelGains(
            redMillionths: 900_000, greenMillionths: 500_000, blueMillionths: 2_000_000)
        let whole = try #require(gains.normalised(maximumMillionths: 8_000_000))
        #expect(
            whole.gains == ChannelGains(redMillionths: 1_800_000, blueMillionths: 4_000_000))
        #expect(whole.clamped.isEmpty)
        let cut = try #require(gains.normalised(maximumMillionths: 3_000_000))
        #expect(cut.gains == ChannelGains(redMillionths: 1_800_000, blueMillionths: 3_000_000))
        #expect(cut.clamped == [.blue])
        #expect(
            ChannelGains(redMillionths: 0, blueMillionths: 1).normalised(
                maximumMillionths: 1_000_000) == nil)
        #expect(
            gains.limits(in: 1_000_000...1_500_000) == [
                .gain(.red, 900_000, 1_000_000...1_500_000),
                .gain(.green, 500_000, 1_000_000...1_500_000),
                .gain(.blue, 2_000_000, 1_000_000...1_500_000),
            ])
    }
}
