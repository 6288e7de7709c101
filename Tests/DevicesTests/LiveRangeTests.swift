import Devices
import Imaging
import Testing
import Timebase

/// What an attached camera says of its controls goes before the profile's ranges.
struct LiveRangeTests {
    private static func control(_ name: String) -> CameraControl {
        CameraControl(name: name) ?? CameraControl(rawValue: 0)
    }

    private static func describe(
        _ name: String, _ minimum: Int64, _ maximum: Int64, step: Int64 = 1, code: Int64? = nil,
        isReadOnly: Bool = false
    ) -> ControlDescription {
        ControlDescription(
            control: control(name), label: name, minimum: minimum, maximum: maximum, step: step,
            defaultCode: minimum, code: code, isReadOnly: isReadOnly)
    }

    private static func device(_ controls: [ControlDescription]) -> CameraDescription {
        CameraDescription(
            identity: CameraIdentity(
                id: "usb:42", name: "a camera", driver: "uvcvideo", bus: "", backend: "v4l2",
                path: ""),
            formats: [], controls: controls)
    }

    private static let profile: CameraProfile = {
        var profile = CameraProfile(
            name: "web",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))
        profile.exposure = ExposureModel(
            control: control("exposure_time_absolute"), unitPicoseconds: 100_000_000,
            codes: CodeRange(1, 10_000), latencyFrames: 10)
        profile.focus = FocusModel(
            control: control("focus_absolute"), nearCode: 250, farCode: 0, latencyFrames: 1,
            settle: .zero)
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(
                red: control("red_balance"), blue: control("blue_balance"), unity: 1024,
                codes: CodeRange(256, 4095)),
            temperature: .init(
                control: control("white_balance_temperature"),
                codes: CodeRange(2_800, 6_500, step: 10)), latencyFrames: 1)
        return profile
    }()

    private static let everything = [
        describe("exposure_time_absolute", 3, 2_047), describe("focus_absolute", 0, 250, step: 5),
        describe("white_balance_temperature", 2_000, 6_000, step: 1),
    ]

    @Test func `a narrower device narrows, and the message names it`() {
        let profile = Self.profile.narrowed(to: Self.device(Self.everything))
        #expect(profile.exposure?.codes == CodeRange(3, 2_047))
        let (_, problems) = profile.quantise(
            FrameSettings(exposure: .value(.milliseconds(500))))
        #expect(
            problems.map(\.message) == [
                "exposure 500 ms is outside 300 us to 204.7 ms (exposure_time_absolute of camera"
                    + " usb:42 itself)"
            ])
    }

    @Test func `a wider device leaves the profile's range and its name`() {
        let wide = Self.device([Self.describe("exposure_time_absolute", 0, 1_000_000)])
        let profile = Self.profile.narrowed(to: wide)
        #expect(profile.exposure == Self.profile.exposure)
    }

    @Test func `the larger step counts, on the codes that it counts from`() {
        let profile = Self.profile.narrowed(to: Self.device(Self.everything))
        #expect(
            profile.whiteBalance?.temperature?.codes == CodeRange(2_800, 6_000, step: 10))
        #expect(profile.focus?.liveCodes == CodeRange(0, 250, step: 5))
        // 0.42 of the way from 250 to 0 is code 145; 0.43 is 142.5, for which the device has 145 or 140.
        let (settings, problems) = profile.quantise(
            FrameSettings(lens: LensPosition(millionths: 430_000).map { .value($0) } ?? .free))
        #expect(problems == [])
        #expect(settings.codes.map(\.code) == [145])
        #expect(settings.settings.lens.asked?.description == "0.42")
    }

    @Test func `what the device lacks is not supported, and that is its own word`() {
        let profile = Self.profile.narrowed(to: Self.device([]))
        let (_, problems) = profile.quantise(
            FrameSettings(
                exposure: .current, lens: .current,
                whiteBalance: .value(.temperature(kelvin: 5_000, tintThousandths: 0))))
        #expect(
            problems.map(\.message)
                == ["exposure", "lens", "white balance"].map {
                    "camera usb:42 itself has no \($0) that can be set"
                })
        #expect(problems.allSatisfy { $0.isUnsupported })
    }

    @Test func `of two ways to balance the one that is there is left`() {
        let profile = Self.profile.narrowed(to: Self.device(Self.everything))
        #expect(profile.whiteBalance?.components == nil)
        #expect(profile.whiteBalance?.temperature != nil)
    }

    @Test func `a control that can only be read is none`() {
        let device = Self.device([
            Self.describe("exposure_time_absolute", 1, 5_000, isReadOnly: true)
        ])
        #expect(Self.profile.narrowed(to: device).exposure == nil)
    }

    @Test func `ranges that have nothing in common are the device's, and never a trap`() {
        for (low, high) in [(20_000, 30_000), (0, 0), (.min, .min), (.max, .max), (7, 3)]
            as [(Int64, Int64)]
        {
            let device = Self.device([Self.describe("exposure_time_absolute", low, high)])
            let codes = Self.profile.narrowed(to: device).exposure?.codes
            #expect(codes == (low <= high ? CodeRange(low, high) : CodeRange(1, 10_000)))
        }
        let steep = Self.device([
            Self.describe("exposure_time_absolute", .min, .max, step: .max)
        ])
        #expect(Self.profile.narrowed(to: steep).exposure != nil)
    }

    // MARK: Raw sensors

    private static func sensor() throws -> CameraProfile {
        let pixels = try #require(PixelFormat.named("SRGGB10"))
        let modes = try [(3_280, 2_464), (1_920, 1_080)].map { width, height in
            SensorMode(
                size: try #require(FrameSize(width: width, height: height)),
                pixelFormats: [pixels], pixelRateHertz: 182_400_000, linePixels: 3_448,
                blankingLines: CodeRange(32, 63_071))
        }
        var profile = CameraProfile(
            name: "imx219",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))
        profile.sensor = SensorModel(
            modes: modes,
            exposure: .init(
                control: control("exposure"), codes: CodeRange(4, 65_535), latencyFrames: 2),
            vertical: .init(control: .verticalBlanking, latencyFrames: 2), marginLines: 4)
        return profile
    }

    private static let timing = [
        describe("pixel_rate", 280_000_000, 280_000_000, code: 280_000_000, isReadOnly: true),
        describe("horizontal_blanking", 1_528, 30_844, code: 1_528),
        describe("vertical_blanking", 40, 64_455, code: 683),
    ]

    @Test
    func `a driver's pixel rate and blanking go before the file's, in the mode they hold for`()
        throws
    {
        let size = try #require(FrameSize(width: 1_920, height: 1_080))
        let profile = try Self.sensor().timed(by: Self.timing, at: size, of: "platform:imx219")
        let modes = try #require(profile.sensor?.modes)
        #expect(try modes[0] == Self.sensor().sensor?.modes[0])
        #expect(modes[1].pixelRateHertz == 280_000_000)
        #expect(modes[1].linePixels == 1_920 + 1_528)
        #expect(modes[1].blankingLines == CodeRange(40, 64_455))
        let adapted = try profile.adapted(
            to: CaptureConfiguration(
                pixelFormat: modes[1].pixelFormats[0], size: size, rate: FrameRate(frames: 30)))
        // 280 MHz / (30 · 3,448) is 2,706.9 lines.
        #expect(adapted.timing?.frameLines == 2_707)
    }

    @Test func `figures that no sensor has change nothing`() throws {
        let size = try #require(FrameSize(width: 1_920, height: 1_080))
        let broken: [[ControlDescription]] = [
            [], Array(Self.timing.dropFirst()), Array(Self.timing.dropLast()),
            [Self.describe("pixel_rate", 0, 0, code: 0)] + Self.timing.dropFirst(),
            [
                Self.timing[0], Self.describe("horizontal_blanking", 0, 9, code: .max),
                Self.timing[2],
            ],
            [Self.timing[0], Self.timing[1], Self.describe("vertical_blanking", -5, 9)],
            [Self.timing[0], Self.timing[1], Self.describe("vertical_blanking", 9, 3)],
        ]
        for controls in broken {
            #expect(try Self.sensor().timed(by: controls, at: size, of: "x") == Self.sensor())
        }
    }
}
