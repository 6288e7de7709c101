import Devices
import Imaging
import TestSupport
import Testing
import Timebase

/// Frames that a sensor's registers count in several lines, and the exposures in them.
struct CountedFrameTests {
    private static let exposure = CameraControl(rawValue: 0x0098_0911)

    /// A line of 10 us; the register holds 1,000 of what it counts.
    private static func profile(linesPerCount: Int64 = 1) throws -> CameraProfile {
        var profile = CameraProfile(
            name: "counting",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .microseconds(300), readout: nil))
        let mode = SensorMode(
            size: try #require(FrameSize(width: 100, height: 100)),
            pixelFormats: [try #require(PixelFormat.named("SRGGB10P"))],
            pixelRateHertz: 20_000_000, linePixels: 200, blankingLines: CodeRange(20, 7_900),
            linesPerCount: linesPerCount)
        profile.sensor = SensorModel(
            modes: [mode],
            exposure: .init(control: exposure, codes: CodeRange(3, 7_990), latencyFrames: 1),
            vertical: .init(control: .verticalBlanking, latencyFrames: 1), marginLines: 10)
        profile.sensor?.frameRegisterMaximum = 1_000
        return profile
    }

    private static func configuration(_ rate: FrameRate? = nil) throws -> CaptureConfiguration {
        CaptureConfiguration(
            pixelFormat: try #require(PixelFormat.named("SRGGB10P")),
            size: try #require(FrameSize(width: 100, height: 100)), rate: rate)
    }

    /// Lines of the shortest frame with room for an exposure, and what it counts in.
    private static func frame(
        fitting code: Int64, linesPerCount: Int64 = 1
    ) throws -> [Int64] {
        let profile = try profile(linesPerCount: linesPerCount).adapted(to: configuration())
        let timing = try #require(profile.sensorTiming(of: configuration(), fitting: code))
        return [timing.frameLines, timing.linesPerCount]
    }

    @Test func `a frame that the register holds is counted in lines`() throws {
        #expect(try Self.frame(fitting: 3) == [120, 1])
        #expect(try Self.frame(fitting: 990) == [1_000, 1])
    }

    @Test func `a longer frame is counted in twos, fours and eights, with the margin`() throws {
        // 991 becomes 992, and the margin 20.
        #expect(try Self.frame(fitting: 991) == [1_012, 2])
        #expect(try Self.frame(fitting: 1_978) == [2_000, 2])
        // 1,980 and 20 would fit in 2,000, but an exposure between 1,980 and 1,981 would not.
        #expect(try Self.frame(fitting: 1_980) == [2_024, 4])
        #expect(try Self.frame(fitting: 7_900) == [7_984, 8])
        #expect(try Self.frame(fitting: 7_990) == [8_000, 8])
    }

    @Test func `a mode whose rows the driver counts twice has even frames and exposures`() throws {
        #expect(try Self.frame(fitting: 101, linesPerCount: 2) == [122, 2])
        let profile = try Self.profile(linesPerCount: 2).adapted(to: Self.configuration())
        #expect(profile.exposure?.codes.minimum == 4)
        #expect(profile.exposure?.codes.step == 2)
        #expect(profile.exposure?.codesPerCount == 2)
    }

    @Test func `a rate is the nearest that can be counted, and leaves exposures their steps`()
        throws
    {
        // 3,333.3 lines: 3,332 of 3,332 and 3,336.
        let rate = try #require(FrameRate(frames: 30))
        let adapted = try Self.profile().adapted(to: Self.configuration(rate))
        #expect(adapted.timing?.frameLines == 3_332)
        #expect(adapted.timing?.linesPerCount == 4)
        #expect(adapted.exposure?.codes == CodeRange(4, 3_292, step: 4))
    }

    @Test func `exposures in a long frame are counted as it is, and short ones refused`() throws {
        let adapted = try Self.profile().adapted(to: Self.configuration())
        let timing = try #require(
            adapted.sensorTiming(of: Self.configuration(), fitting: 3_500))
        let fixed = adapted.fixed(to: timing)
        #expect(fixed.exposure?.codes == CodeRange(4, timing.frameLines - 40, step: 4))
        let (settings, problems) = fixed.quantise(
            FrameSettings(exposure: .value(.microseconds(1_019))))
        #expect(problems == [])
        #expect(settings.settings.exposure == .value(.microseconds(1_000)))
        let refused = fixed.quantise(FrameSettings(exposure: .value(.microseconds(30)))).problems
        #expect(refused.map(\.id) == ["exposure-out-of-range"])
        #expect(refused.first?.message.contains("in steps of 4 lines") == true)
    }

    @Test func `every exposure has room in its frame, and what is asked is within half a count`()
        throws
    {
        let adapted = try Self.profile().adapted(to: Self.configuration())
        for code in stride(from: Int64(3), through: 7_900, by: 7) {
            let asked = Interval(nanoseconds: code * 10_000 + 4_000)
            let timing = try #require(
                adapted.sensorTiming(of: Self.configuration(), fitting: code))
            let fixed = adapted.fixed(to: timing)
            let (settings, problems) = fixed.quantise(FrameSettings(exposure: .value(asked)))
            try #require(problems == [], "\(code)")
            let got = try #require(settings.codes.first).code
            #expect(timing.frameLines % timing.linesPerCount == 0)
            #expect(timing.frameLines / timing.linesPerCount <= 1_000)
            #expect(got % timing.linesPerCount == 0)
            #expect(got + 10 * timing.linesPerCount <= timing.frameLines)
            #expect(abs(got * 10_000 - asked.nanoseconds) <= timing.linesPerCount * 5_000)
        }
    }

    @Test func `a driver that tells the registers' own rate counts as they do`() throws {
        func count(pixelRate: Int64) throws -> Int64? {
            func control(_ control: CameraControl, _ maximum: Int64, _ code: Int64)
                -> ControlDescription
            {
                ControlDescription(
                    control: control, label: "", minimum: 1, maximum: maximum, step: 1,
                    defaultCode: code, code: code)
            }
            let controls = [
                control(.pixelRate, pixelRate, pixelRate), control(.horizontalBlanking, 100, 100),
                control(.verticalBlanking, 900, 20),
            ]
            let timed = try Self.profile(linesPerCount: 2).timed(
                by: controls, at: Self.configuration().size, Self.configuration().pixelFormat,
                of: "test")
            return timed.sensor?.modes.first?.linesPerCount
        }
        #expect(try count(pixelRate: 20_000_000) == 2)
        #expect(try count(pixelRate: 10_000_000) == 1)
        #expect(try count(pixelRate: 30_000_000) == 2)
    }

    @Test func `a mode that its driver misstates is refused with the reason`() throws {
        var profile = try Self.profile()
        profile.sensor?.modes[0].refusesOtherRates = true
        let controls = [
            (CameraControl.pixelRate, Int64(10_000_000)), (.horizontalBlanking, 100),
            (.verticalBlanking, 20),
        ].map {
            ControlDescription(
                control: $0, label: "", minimum: 1, maximum: max($1, 900), step: 1, defaultCode: $1,
                code: $1)
        }
        let configuration = try Self.configuration()
        let timed = profile.timed(
            by: controls, at: configuration.size, configuration.pixelFormat, of: "csi:test")
        let problem = #expect(throws: SettingProblem.self) {
            try timed.adapted(to: configuration)
        }
        #expect(problem?.id == "mode-misstated")
        #expect(problem?.message.contains("csi:test") == true)
    }
}
