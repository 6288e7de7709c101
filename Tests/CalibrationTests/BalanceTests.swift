import Calibration
import Devices
import Imaging
import Simulation
import TestSupport
import Testing
import Timebase

@Suite struct `Grey cards under known light` {
    static func measure(
        _ kelvin: Int64, red: Int64, blue: Int64, _ profile: CameraProfile = .simulated,
        luminance: Int64 = 1_000_000, pixels: String = "SRGGB12"
    ) throws -> BalanceReport {
        var options = SimulationOptions(seed: UInt64(kelvin))
        options.scene = SimulatedScene(
            luminanceMillionths: luminance, redMillionths: red, blueMillionths: blue)
        return try BalanceCalibration(kelvin: kelvin).measure(
            in: SimulatedWorld(options), profile: profile,
            configuration: CaptureConfiguration(
                pixelFormat: try #require(PixelFormat.named(pixels)),
                size: try #require(FrameSize(width: 320, height: 240)),
                rate: FrameRate(frames: 30)))
    }

    @Test func `points from several lights make the curve that the sensor has`() throws {
        var profile = CameraProfile.simulated
        // The sensor sees 0.8 of red light and 0.7 of blue, relative to green.
        let lights: [(kelvin: Int64, red: Int64, blue: Int64)] = [
            (2_856, 1_300_000, 600_000), (4_100, 1_100_000, 800_000), (6_504, 850_000, 1_200_000),
        ]
        var points: [ColourCurve.Point] = []
        for light in lights {
            let report = try Self.measure(light.kelvin, red: light.red, blue: light.blue, profile)
            #expect(abs(report.point.redMillionths - light.red * 8 / 10) < 8_000)
            #expect(abs(report.point.blueMillionths - light.blue * 7 / 10) < 8_000)
            let residual = try #require(report.residual)
            #expect(abs(residual.red) < 8_000 && abs(residual.blue) < 8_000)
            points.append(report.point)
            if let curve = ColourCurve(points: points) { profile.whiteBalance?.curve = curve }
        }
        #expect(profile.whiteBalance?.curve?.points == points)
        let again = try Self.measure(4_100, red: 1_100_000, blue: 800_000, profile)
        let expected = try #require(again.expected)
        #expect(abs(expected.redMillionths - again.point.redMillionths) < 8_000)
        #expect(again.points.count == 3)
    }

    @Test func `one point is no curve, and the way on is said`() throws {
        let report = try Self.measure(2_856, red: 1_000_000, blue: 1_000_000)
        let error = #expect(throws: CalibrationError.self) {
            try report.figures(conditions: "")
        }
        #expect(error?.message.contains("--point \(BalanceReport.text(report.point))") == true)
    }

    @Test(arguments: [2_000, 100_000_000])
    func `too dark and too bright are refused`(luminance: Int64) {
        let error = #expect(throws: CalibrationError.self) {
            try Self.measure(5_000, red: 1_000_000, blue: 1_000_000, luminance: luminance)
        }
        #expect(error?.message.contains("too dark or saturated") == true)
    }

    @Test func `a format without colour is refused`() {
        let error = #expect(throws: CalibrationError.self) {
            try Self.measure(5_000, red: 1_000_000, blue: 1_000_000, pixels: "Y12")
        }
        #expect(error?.message.hasPrefix("this format has no colour") == true)
    }
}
