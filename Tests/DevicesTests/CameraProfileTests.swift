import Devices
import Testing
import Timebase

struct CameraProfileTests {
    private static let exposure = CameraControl(rawValue: 0x009a_0902)
    private static let gain = CameraControl(rawValue: 0x0098_0913)
    private static let focus = CameraControl(rawValue: 0x009a_090a)
    private static let red = CameraControl(rawValue: 0x0098_090e)
    private static let blue = CameraControl(rawValue: 0x0098_090f)

    private static let bare = CameraProfile(
        name: "bare",
        timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))

    private static let full: CameraProfile = {
        var profile = bare
        profile.name = "full"
        profile.exposure = ExposureModel(
            control: exposure, unitPicoseconds: 100_000_000, codes: CodeRange(1, 5_000),
            latencyFrames: 3)
        profile.gain = GainModel(
            control: gain, law: .linear(unity: 16), codes: CodeRange(16, 255), isoAtUnity: 100,
            latencyFrames: 1)
        profile.focus = FocusModel(
            control: focus, nearCode: 250, farCode: 0, latencyFrames: 5,
            settle: .milliseconds(80))
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(red: red, blue: blue, unity: 1024, codes: CodeRange(256, 4095)),
            temperature: nil, latencyFrames: 2)
        return profile
    }()

    private static let everything = FrameSettings(
        exposure: .value(.microseconds(8_333)), gain: .value(Gain(millionths: 1_990_000)),
        lens: LensPosition(millionths: 420_000).map { .value($0) } ?? .free,
        whiteBalance: .value(
            .gains(red: Gain(millionths: 1_920_000), green: .unity, blue: .unity)))

    @Test func `codes are written as exposure, gain, focus, red, blue`() {
        let (result, problems) = Self.full.quantise(Self.everything)
        #expect(problems == [])
        #expect(
            result.codes == [
                ControlValue(Self.exposure, 83), ControlValue(Self.gain, 32),
                ControlValue(Self.focus, 145), ControlValue(Self.red, 1_966),
                ControlValue(Self.blue, 1_024),
            ])
        #expect(result.settings.exposure == .value(.microseconds(8_300)))
        #expect(result.settings.gain == .value(Gain(millionths: 2_000_000)))
        #expect(result.settings.lens.asked?.description == "0.42")
    }

    @Test func `the slowest control decides when all of them are in force`() {
        #expect(Self.full.quantise(Self.everything).settings.latencyFrames == 5)
        #expect(Self.full.quantise(Self.everything).settings.settle == .milliseconds(80))
        let two = FrameSettings(gain: .value(.unity), whiteBalance: Self.everything.whiteBalance)
        #expect(Self.full.quantise(two).settings.latencyFrames == 2)
        #expect(Self.full.quantise(two).settings.settle == .zero)
    }

    @Test func `what is quantised once stays what it is`() {
        let once = Self.full.quantise(Self.everything).settings
        let twice = Self.full.quantise(once.settings).settings
        #expect(twice == once)
    }

    @Test func `what is free or stays as found is not written`() {
        let current = FrameSettings(exposure: .current, gain: .current, lens: .current)
        let (result, problems) = Self.full.quantise(current)
        #expect(problems == [])
        #expect(result.codes == [])
        #expect(result.latencyFrames == 0)
        #expect(result.settings == current)
        #expect(Self.bare.quantise(FrameSettings()).problems == [])
    }

    @Test func `a camera without a control refuses to lock it, at a value or as found`() {
        let found = FrameSettings(
            exposure: .current, gain: .current, lens: .current, whiteBalance: .current)
        for asked in [Self.everything, found] {
            let (result, problems) = Self.bare.quantise(asked)
            #expect(result.codes == [])
            #expect(
                problems.map(\.message)
                    == ["exposure", "gain", "lens", "white balance"].map {
                        "camera profile `bare` has no \($0) that can be set"
                    })
            #expect(problems.allSatisfy { $0.id == "setting-unsupported" })
            #expect(
                problems.first?.hint
                    == "leave exposure out of the recipe, or use another camera")
        }
    }

    @Test func `every problem is found at once, and the rest is quantised`() {
        var asked = Self.everything
        asked.exposure = .value(.seconds(2))
        asked.gain = .value(Gain(millionths: 100_000_000))
        let (result, problems) = Self.full.quantise(asked)
        #expect(problems.map(\.group) == [.exposure, .gain])
        #expect(result.codes.map(\.control) == [Self.focus, Self.red, Self.blue])
    }
}

struct CameraControlTests {
    @Test func `controls go by the names of v4l2-ctl, and by number`() {
        for name in CameraControl.knownNames { #expect(CameraControl(name: name)?.name == name) }
        #expect(Set(CameraControl.knownNames).count == CameraControl.knownNames.count)
        #expect(CameraControl(name: "exposure_time_absolute")?.rawValue == 0x009a_0902)
        #expect(CameraControl(name: "0x009a0999")?.name == "0x9a0999")
        #expect(CameraControl(name: "0x009a0999") == CameraControl(name: "0x9a0999"))
        for name in ["", "0x", "0xgg", "0x1ffffffff", "brightnes"] {
            #expect(CameraControl(name: name) == nil)
        }
    }
}
