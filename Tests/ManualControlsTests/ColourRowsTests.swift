import Devices
import Foundation
import Imaging
import LiveControl
import Notation
import Recipes
import Testing
import Timebase

@Suite("White balance: conversions")
struct ColourRowsTests {
    /// The colour curves of the project's profiles, by the profiles' names.
    private static func shippedCurves() throws -> [(name: String, curve: ColourCurve)] {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "hardware/cameras")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.sorted().filter { $0.hasSuffix(".yaml") }.compactMap { file in
            let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
            let profile = try CameraProfileDecoder.decode(SourceFile(name: file, bytes: bytes))
            return profile.whiteBalance?.curve.map { (profile.name, $0) }
        }
    }

    @Test("W3 temperature and tint survive the way through gains on every shipped curve")
    func roundTrip() throws {
        let curves = try Self.shippedCurves()
        #expect(curves.count >= 5)
        for (name, curve) in curves {
            var count = 0
            let range = curve.kelvinRange.clamped(to: 2_500...8_000)
            for kelvin in stride(from: range.lowerBound, through: range.upperBound, by: 41) {
                for tint: Int64 in [-150_000, -50_000, -10_000, 0, 10_000, 50_000, 150_000] {
                    // A very green light may leave a sensor no red at all.
                    guard let gains = curve.gains(kelvin: kelvin, tintThousandths: tint) else {
                        continue
                    }
                    count += 1
                    #expect(gains.limits.isEmpty)
                    let back = try #require(curve.temperature(of: gains.value)).value
                    #expect(abs(back.kelvin - Double(kelvin)) < 1, "\(name) \(kelvin) \(tint)")
                    #expect(abs(back.tintThousandths - tint) < 100, "\(name) \(kelvin) \(tint)")
                }
            }
            #expect(count > 700)
            for kelvin in [range.lowerBound - 300, curve.kelvinRange.upperBound + 500] {
                let outside = try #require(curve.gains(kelvin: kelvin, tintThousandths: 0))
                #expect(
                    outside.limits == [.temperature(kelvin, curve.kelvinRange, of: .curve)],
                    "\(name) says that \(kelvin) K is outside")
            }
        }
    }

    @Test("W3 a chromaticity, its temperature and its tint are one illuminant, not clamped")
    func chromaticity() throws {
        let published = try #require(
            ColourTemperature(UniformChromaticity(u: 0.1978, v: 0.3122)))
        #expect(abs(published.kelvin - 6507.47) < 0.005)
        #expect(abs(published.duv - 3.2233e-3) < 5e-8)
        let far = ColourTemperature(kelvin: 5_000, tintThousandths: 170_000)
        let light = try #require(Chromaticity(far))
        let back = try #require(ColourTemperature(light))
        #expect(abs(back.tint - 170) < 0.1)
        #expect(back.limits == [.tint(back.tintThousandths)])
    }

    @Test("W3 normalised gains start at 1 and report what was clamped")
    func normalised() throws {
        let gains = ChannelGains(redMillionths: 1_600_000, blueMillionths: 800_000)
        let result = try #require(gains.normalised(maximumMillionths: 1_500_000))
        #expect(
            result.gains
                == ChannelGains(
                    redMillionths: 1_500_000, greenMillionths: 1_250_000, blueMillionths: 1_000_000)
        )
        #expect(result.clamped == [.red])
        #expect(
            gains.limits(in: 1_000_000...1_500_000) == [
                .gain(.red, 1_600_000, 1_000_000...1_500_000),
                .gain(.blue, 800_000, 1_000_000...1_500_000),
            ])
    }

    @Test("W4 a positive tint is a greener illuminant, and its correction takes green away")
    func tintSign() throws {
        let robertson = try #require(
            ColourTemperature(
                robertson: UniformChromaticity(u: 0.193741375998230, v: 0.315221043940594)))
        #expect(abs(robertson.tint - 25) < 0.001)
        for (name, curve) in try Self.shippedCurves() {
            let grey = try #require(curve.gains(kelvin: 5_000, tintThousandths: 0)).value
            let green = try #require(curve.gains(kelvin: 5_000, tintThousandths: 20_000)).value
            #expect(green.redMillionths > grey.redMillionths, "\(name)")
            #expect(green.blueMillionths > grey.blueMillionths, "\(name)")
        }
        #expect(ColourTemperature.meaningfulTints == -150_000...150_000)
    }

    // MARK: Gray world

    /// A card in the middle half, red surroundings.
    private static func card(red: Int, green: Int, blue: Int) throws -> FrameReading {
        let frame = try #require(
            PaintedFrame("SRGGB12") { x, y in
                let isCard = (16..<48).contains(x) && (12..<36).contains(y)
                return isCard
                    ? [[red, green], [green, blue]][y & 1][x & 1]
                    : [[3_000, 200], [200, 200]][y & 1][x & 1]
            })
        return frame.read()
    }

    @Test("W5 gray world takes the middle half for a grey card, whatever the mode")
    func grayWorld() throws {
        let reading = try Self.card(red: 900, green: 1_800, blue: 1_200)
        #expect(
            reading.balance?.gains
                == ChannelGains(redMillionths: 2_000_000, blueMillionths: 1_500_000))
        #expect(try Self.card(red: 4_000, green: 4_000, blue: 4_000).balance?.gains == nil)
    }

    @Test("W5 the gray-card lock waits until the card is stable, and names the frames it used")
    func grayCardLock() throws {
        let profile = CameraProfile(
            name: "raw",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        var routine = WhiteBalanceRoutine(profile: profile)
        // A hand brings the card; from the fourth frame on it is still.
        let reds = [500, 700, 800, 900, 900, 900, 900]
        var finished: Int64?
        for (index, red) in reds.enumerated() {
            let measurement = MeterReading(
                sequence: Int64(100 + index), settings: FrameSettings(),
                reading: try Self.card(red: red, green: 1_800, blue: 1_200))
            if case .finish(.converged) = routine.handle(measurement) {
                finished = finished ?? measurement.sequence
            }
        }
        #expect(finished == 105)
        #expect(routine.state == .locked)
        #expect(routine.framesUsed == [103, 104, 105])
        #expect(
            routine.gains == ChannelGains(redMillionths: 2_000_000, blueMillionths: 1_500_000))
    }
}
