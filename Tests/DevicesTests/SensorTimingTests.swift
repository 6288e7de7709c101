import Devices
import Imaging
import TestSupport
import Testing
import Timebase

/// Lines, frames and exposures of raw sensors.
struct SensorTimingTests {
    private static func control(_ id: UInt32) -> CameraControl { CameraControl(rawValue: id) }
    private static let pixels = PixelFormat.named("SRGGB12P")
    private static let size = FrameSize(width: 2028, height: 1520)

    /// An imx477 in its binned mode: 12,740 pixels a line at 840 MHz.
    private static func imx477() throws -> CameraProfile {
        let mode = SensorMode(
            size: try #require(size), pixelFormats: [try #require(pixels)],
            pixelRateHertz: 840_000_000, linePixels: 12_740,
            blankingLines: CodeRange(4, 8_382_480), binning: 2)
        var profile = CameraProfile(
            name: "imx477",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .microseconds(300), readout: nil))
        profile.sensor = SensorModel(
            modes: [mode],
            exposure: .init(
                control: control(0x0098_0911), codes: CodeRange(4, 8_383_978), latencyFrames: 2,
                latencyOrigin: .libcamera),
            vertical: .init(control: .verticalBlanking, latencyFrames: 3), marginLines: 22,
            embeddedLines: 1)
        return profile
    }

    private static func configuration(_ rate: FrameRate?) throws -> CaptureConfiguration {
        CaptureConfiguration(
            pixelFormat: try #require(pixels), size: try #require(size), rate: rate)
    }

    private static func adapted(_ fps: Int64?) throws -> CameraProfile {
        try imx477().adapted(to: configuration(fps.flatMap { FrameRate(frames: $0) }))
    }

    @Test func `the published example of an imx477 at 30 fps comes out to the digit`() throws {
        let profile = try Self.adapted(30)
        let timing = try #require(profile.timing)
        #expect(timing.line == CodeDuration(picoseconds: 45_500_000, dividedBy: 3))
        #expect(timing.frameLines == 2_198)
        #expect(timing.blanking == ControlValue(.verticalBlanking, 678))
        #expect(timing.rateText == "29.997 fps")
        #expect(timing.rate == FrameRate(frames: 3_000_000, seconds: 100_009))
        let (settings, problems) = profile.quantise(
            FrameSettings(exposure: .value(.milliseconds(10))))
        #expect(problems == [])
        #expect(settings.codes == [ControlValue(Self.control(0x0098_0911), 659)])
        #expect(settings.settings.exposure == .value(.nanoseconds(9_994_833)))
    }

    @Test func `the rate limits the exposure, and the message says so`() throws {
        let profile = try Self.adapted(30)
        // 2,198 lines less the margin of 22.
        #expect(profile.exposure?.codes == CodeRange(4, 2_176))
        let (_, problems) = profile.quantise(
            FrameSettings(exposure: .value(.milliseconds(40))))
        #expect(
            problems == [
                SettingProblem(
                    .exposure, id: "exposure-out-of-range",
                    "exposure 40 ms is outside 60.667 us to 33.002667 ms (exposure of camera profile"
                        + " `imx477`, 2028x1520 at 30 fps)",
                    hint: "use a shorter exposure, or a lower frame rate")
            ])
        #expect(
            try Self.adapted(20).quantise(FrameSettings(exposure: .value(.milliseconds(40))))
                .problems == [])
    }

    @Test func `a rate that no blanking makes is refused with the rates that there are`() throws {
        for fps: Int64 in [44, 1_000_000] {
            let problem = try #require(throws: SettingProblem.self) { try Self.adapted(fps) }
            #expect(problem.group == nil)
            #expect(
                problem.message
                    == "\(fps) fps is outside 0.008 fps to 43.264 fps at 2028x1520"
                    + " (vertical_blanking 4 to 8382480 of camera profile `imx477`)")
        }
        #expect(try Self.adapted(43).timing?.frameLines == 1_533)
    }

    @Test func `without a rate frames are as long as the longest exposure needs`() throws {
        let profile = try Self.adapted(nil)
        #expect(profile.timing == nil)
        let configuration = try Self.configuration(nil)
        let long = profile.sensorTiming(of: configuration, fitting: 65_934)
        #expect(long?.frameLines == 65_956)
        // The shortest frame of the mode, where the exposure is shorter.
        #expect(profile.sensorTiming(of: configuration, fitting: 10)?.frameLines == 1_524)
        #expect(profile.sensorTiming(of: configuration, fitting: nil)?.frameLines == 1_524)
    }

    @Test func `rows are read out one after the other, after the lines before them`() throws {
        // 1,520 lines and one before them, less one.
        #expect(try Self.adapted(30).timestamps.readout == .nanoseconds(23_053_333))
        var global = try Self.imx477()
        global.shutter = .global
        global.timestamps.readout = .zero
        let adapted = try global.adapted(to: Self.configuration(nil))
        #expect(adapted.timestamps.readout == .zero)
    }

    @Test func `a mode that is not there is a problem, not another mode`() throws {
        var configuration = try Self.configuration(nil)
        configuration.size = try #require(FrameSize(width: 640, height: 480))
        let problem = try #require(throws: SettingProblem.self) {
            try Self.imx477().adapted(to: configuration)
        }
        #expect(
            problem.message == "camera profile `imx477` has no mode for SRGGB12P 640x480")
    }

    @Test func `a camera that keeps its own time stays as it is`() throws {
        var profile = try Self.imx477()
        profile.sensor = nil
        #expect(try profile.adapted(to: Self.configuration(FrameRate(frames: 30))) == profile)
    }

    @Test func `for any sensor and rate the frame is the nearest, and what fits it is taken`()
        throws
    {
        var random = SeededGenerator(seed: 32)
        for _ in 0..<500 {
            var profile = try Self.imx477()
            let line = random.number(2_100...40_000)
            let pixelRate = random.number(10_000_000...1_000_000_000)
            profile.sensor?.modes[0].linePixels = line
            profile.sensor?.modes[0].pixelRateHertz = pixelRate
            let rate = try #require(FrameRate(frames: random.number(1...200), seconds: 7))
            let configuration = try Self.configuration(rate)
            guard let adapted = try? profile.adapted(to: configuration),
                let timing = adapted.timing, let exposure = adapted.exposure
            else { continue }
            // Nearest in lines: half a line off at most, in whole numbers.
            let wanted = Int128(pixelRate) * 7
            let had =
                Int128(timing.frameLines) * Int128(rate.frames * 7 / rate.seconds) * Int128(line)
            #expect((had - wanted).magnitude * 2 <= UInt128(rate.frames * 7 / rate.seconds * line))
            #expect(exposure.codes.maximum <= timing.frameLines - 22)
            let code = try exposure.code(for: exposure.range.upperBound, profile: "p")
            #expect(code == exposure.codes.maximum)
            #expect(exposure.range.upperBound < timing.period)
        }
    }
}

struct CodeDurationTests {
    @Test func `a line is exact: millions of lines are not off by a nanosecond`() throws {
        let line = try #require(CodeDuration(linePixels: 12_740, pixelRateHertz: 840_000_000))
        #expect(line.duration(ofCodes: 1) == .nanoseconds(15_167))
        #expect(line.duration(ofCodes: 3) == .nanoseconds(45_500))
        #expect(line.duration(ofCodes: 6_000_000) == .seconds(91))
        #expect(
            CodeDuration(picoseconds: 100_000_000).duration(ofCodes: 83) == .microseconds(8_300))
    }

    @Test func `figures of a device that make no line are no line`() {
        for (pixels, rate) in [(0, 1), (-1, 1), (9_000_001, 1), (1, 0), (1, -5), (.max, .max)]
            as [(Int64, Int64)]
        {
            #expect(CodeDuration(linePixels: pixels, pixelRateHertz: rate) == nil)
        }
        #expect(
            CodeDuration(linePixels: 9_000_000, pixelRateHertz: 1)?.duration(ofCodes: .max)
                == .nanoseconds(.max))
    }
}
