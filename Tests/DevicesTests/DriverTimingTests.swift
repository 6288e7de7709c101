import Devices
import Imaging
import Testing
import Timebase

/// What a driver says of its timing, and what becomes of rates and profiles by it.
struct DriverTimingTests {
    private static func control(
        _ control: CameraControl, _ range: ClosedRange<Int64>, step: Int64 = 1, _ code: Int64
    ) -> ControlDescription {
        ControlDescription(
            control: control, label: "", minimum: range.lowerBound, maximum: range.upperBound,
            step: step, defaultCode: code, code: code)
    }

    private static let exposure = CameraControl(rawValue: 0x0098_0911)

    /// imx219 in its 640x480 mode as Linux 6.12 has it.
    private static let imx219 = [
        control(.pixelRate, 182_400_000...182_400_000, 182_400_000),
        control(.horizontalBlanking, 2_808...2_808, 2_808),
        control(.verticalBlanking, 32...65_054, 1_283),
        control(exposure, 8...1_759, step: 2, 1_600),
    ]

    private static func size(_ width: Int, _ height: Int) throws -> FrameSize {
        try #require(FrameSize(width: width, height: height))
    }

    private static func timing() throws -> DriverTiming {
        try #require(DriverTiming(imx219, size: try size(640, 480)))
    }

    private static func profile() throws -> CameraProfile {
        var profile = CameraProfile(
            name: "imx219",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .microseconds(300), readout: nil))
        profile.sensor = SensorModel(
            modes: [
                SensorMode(
                    size: try size(640, 480),
                    pixelFormats: [try #require(PixelFormat.named("SRGGB10P"))],
                    pixelRateHertz: 364_800_000, linePixels: 3_448,
                    blankingLines: CodeRange(32, 65_055), binning: 2)
            ],
            exposure: .init(control: exposure, codes: CodeRange(4, 65_530), latencyFrames: 1),
            vertical: .init(control: .verticalBlanking, latencyFrames: 1), marginLines: 4)
        return profile
    }

    @Test func `the blanking of a rate is the nearest that the driver has`() throws {
        let timing = try Self.timing()
        // 182.4 MHz / 3,448 pixels are 52,900.2 lines a second: 1,763.3 for 30 fps.
        #expect(timing.blanking(at: try #require(FrameRate(frames: 30))) == 1_283)
        #expect(timing.blanking(at: try #require(FrameRate(frames: 200))) == nil)
        #expect(timing.blanking(at: try #require(FrameRate(frames: 1, seconds: 2))) == nil)
        #expect(
            timing.rate(blanking: 1_283) == FrameRate(frames: 182_400_000, seconds: 3_448 * 1_763))
        #expect(timing.rangeText == "0.807 fps to 103.321 fps")
    }

    @Test func `a frame of minutes has a rate too, to a part in 10^8`() throws {
        var timing = try Self.timing()
        timing.pixelRateHertz = 595_200_001
        timing.linePixels = 15_648
        let rate = try #require(timing.rate(blanking: 8_381_408))
        let exact = 15_648.0 * Double(480 + 8_381_408) / 595_200_001
        #expect(abs(Double(rate.seconds) / Double(rate.frames) / exact - 1) < 1e-8)
    }

    @Test func `a driver that does not say all keeps its own time`() throws {
        for missing in Self.imx219.indices.dropLast() {
            var controls = Self.imx219
            controls.remove(at: missing)
            #expect(DriverTiming(controls, size: try Self.size(640, 480)) == nil)
        }
    }

    @Test(arguments: [(nil, 65_054), (1_000, 520), (70_000, 65_054), (500, 65_054)])
    func `frames in which a driver sets no exposure rightly are left out`(
        longest: Int64?, most: Int64
    ) throws {
        var profile = try Self.profile()
        profile.sensor?.longestFrameLines = longest
        let timed = profile.timed(
            by: Self.imx219, at: try Self.size(640, 480), of: "csi:imx219:0-0010")
        #expect(try #require(timed.sensor?.modes.first).blankingLines == CodeRange(32, most))
    }

    @Test func `the driver's timing goes before the profile's, and so does its exposure's step`()
        throws
    {
        let size = try Self.size(640, 480)
        let pixels = try #require(PixelFormat.named("SRGGB10P"))
        let timed = try Self.profile().timed(by: Self.imx219, at: size, pixels, of: "test")
        let mode = try #require(timed.sensorMode(pixels, size))
        #expect(mode.pixelRateHertz == 182_400_000)
        #expect(mode.blankingLines == CodeRange(32, 65_054))
        #expect(mode.exposureLines == CodeRange(8, 65_530, step: 2))
        #expect(mode.binning == 2)
        #expect(timed.sensor?.modes.count == 1)
    }

    @Test func `a mode that only the driver knows can be planned`() throws {
        let size = try Self.size(1280, 720)
        let pixels = try #require(PixelFormat.named("SRGGB8"))
        let timed = try Self.profile().timed(by: Self.imx219, at: size, pixels, of: "test")
        let adapted = try timed.adapted(
            to: CaptureConfiguration(
                pixelFormat: pixels, size: size, rate: FrameRate(frames: 20)))
        // A line has 1,280 + 2,808 pixels, and 44,618 go into a second.
        #expect(adapted.timing?.frameLines == 2_231)
        #expect(adapted.timing?.blanking.code == 1_511)
    }
}
