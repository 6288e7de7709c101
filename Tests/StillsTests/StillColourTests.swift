import Devices
import Imaging
import Recipes
import Testing
import Timebase

@testable import Stills

/// What a profile leaves to be done to the colours of a still.
struct StillColourTests {
    private static func profile(isMetadata: Bool) throws -> CameraProfile {
        var profile = CameraProfile(
            name: "sensor",
            timestamps: TimestampModel(point: .endOfReadout, delay: .zero, readout: nil))
        let curve = try #require(
            ColourCurve(points: [
                .init(kelvin: 3_000, redMillionths: 500_000, blueMillionths: 400_000),
                .init(kelvin: 6_000, redMillionths: 250_000, blueMillionths: 700_000),
            ]))
        profile.whiteBalance =
            isMetadata
            ? .metadata(curve: curve)
            : WhiteBalanceModel(components: nil, temperature: nil, latencyFrames: 1, curve: curve)
        profile.whiteBalance?.matrices = [
            .init(kelvin: 3_000, millionths: [1_000_000, 0, 0, 0, 1_000_000, 0, 0, 0, 1_000_000]),
            .init(
                kelvin: 6_000,
                millionths: [2_000_000, -1_000_000, 0, 0, 1_000_000, 0, 0, 0, 1_000_000]),
        ]
        profile.levels = [PixelLevels(bits: 12, black: 256)]
        return profile
    }

    private static func settings(_ red: Int64, _ blue: Int64) -> PlannedSettings {
        let frame = FrameSettings(
            whiteBalance: .value(
                .gains(
                    red: Gain(millionths: red), green: .unity, blue: Gain(millionths: blue))))
        return PlannedSettings(
            requested: frame, quantised: frame, codes: [], latencyFrames: 0, settle: .zero)
    }

    @Test func `a raw sensor's gains are left to be done, a balancing camera's are not`() throws {
        let settings = Self.settings(2_000_000, 1_600_000)
        let sensor = StillColour(profile: try Self.profile(isMetadata: true))
        #expect(
            sensor.gains(settings)
                == ChannelGains(redMillionths: 2_000_000, blueMillionths: 1_600_000))
        let camera = StillColour(profile: try Self.profile(isMetadata: false))
        #expect(
            camera.gains(settings)
                == .unity)
    }

    @Test(
        arguments: [
            // 1 / 0.5 and 1 / 0.4 are the gains at 3000 K, and so on; in the middle both matrices count half.
            (2_000_000, 2_500_000, 1_000_000, 0), (4_000_000, 1_428_571, 2_000_000, -1_000_000),
            (2_666_667, 1_818_182, 1_500_000, -500_000),
        ] as [(Int64, Int64, Int64, Int64)])
    func `the matrix is that of the light`(
        red: Int64, blue: Int64, first: Int64, second: Int64
    ) throws {
        let colour = StillColour(profile: try Self.profile(isMetadata: true))
        let matrix = try #require(
            colour.matrix(ChannelGains(redMillionths: red, blueMillionths: blue)))
        // A kelvin of rounding is a part in 3000.
        #expect(abs(matrix[0] - first) <= 700 && abs(matrix[1] - second) <= 700, "\(matrix)")
    }

    @Test func `levels come from the profile by bits, else from the format`() throws {
        let colour = StillColour(profile: try Self.profile(isMetadata: true))
        let size = try #require(FrameSize(width: 8, height: 8))
        for (name, black, white) in [("SRGGB12", 256, 4_095), ("SRGGB10", 0, 1_023)] {
            let format = try #require(PixelFormat.named(name))
            let layout = try #require(FrameLayout(pixelFormat: format, size: size))
            let raw = colour.raw(layout, Self.settings(2_000_000, 2_000_000), serial: "")
            #expect(raw.black == [black] && raw.white == white)
        }
    }
}
