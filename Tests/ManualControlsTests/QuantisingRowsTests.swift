import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

/// Exposure, gain and white balance as the device will really have them, known before the run.
@Suite("Quantising")
struct QuantisingRowsTests {
    /// A value asked of a project profile, and what the plan must say of it.
    struct Vector: Sendable, CustomTestStringConvertible {
        let profile: String
        let format: String
        let lock: String
        let codes: [String]
        let exposureNanoseconds: Int64?
        let gainMillionths: Int64?
        var testDescription: String { "\(profile) \(lock)" }

        init(
            _ profile: String, _ format: String, _ lock: String, codes: [String],
            exposure: Int64? = nil, gain: Int64? = nil
        ) {
            self.profile = profile
            self.format = format
            self.lock = lock
            self.codes = codes
            exposureNanoseconds = exposure
            gainMillionths = gain
        }
    }

    private static let vectors = [
        Vector(
            "imx477", "pixels: SRGGB12P, size: 2028x1520, rate: 30 fps",
            "exposure: {duration: 10 ms, gain: 4x}",
            codes: ["vertical_blanking 678", "exposure 659", "analogue_gain 768"],
            exposure: 9_994_833, gain: 4_000_000),
        Vector(
            "imx477", "pixels: SRGGB12P, size: 4056x3040, rate: 10 fps",
            "exposure: {duration: 20 ms, iso: 200}",
            // 840 MHz / (10 · 24,000) = 3,500 lines; 28.571 µs a line.
            codes: ["vertical_blanking 460", "exposure 700", "analogue_gain 512"],
            exposure: 20_000_000, gain: 2_000_000),
        Vector(
            "imx219", "pixels: SRGGB10, size: 3280x2464, rate: 15 fps",
            "exposure: {duration: 10 ms, gain: 8x}",
            // 18.904 µs a line: 528.99 lines; 182.4 MHz / (15 · 3,448) = 3,526.7 lines.
            codes: ["vertical_blanking 1063", "exposure 529", "analogue_gain 224"],
            exposure: 9_999_956, gain: 8_000_000),
        Vector(
            "imx296", "pixels: Y10, size: 1456x1088, rate: 60 fps",
            "exposure: {duration: 10 ms, gain: 2x}",
            // (10 ms − 14.26 µs) / 14.8148 µs = 674.04 lines.
            codes: ["vertical_blanking 37", "exposure 674", "analogue_gain 60"],
            exposure: 9_999_445, gain: 1_995_262),
        Vector(
            "imx290", "pixels: SRGGB12, size: 1920x1080, rate: 60 fps",
            "exposure: {duration: 10 ms, gain: 2x}",
            codes: ["vertical_blanking 45", "exposure 675", "analogue_gain 20"],
            exposure: 10_000_000, gain: 1_995_262),
        Vector(
            "ov9281", "pixels: Y10, size: 1280x800, rate: 100 fps",
            "exposure: {duration: 1 ms, gain: 4x}",
            // 9.1 µs a line: 109.9 lines.
            codes: ["vertical_blanking 299", "exposure 110", "analogue_gain 64"],
            exposure: 1_001_000, gain: 4_000_000),
        Vector(
            "ov9281", "pixels: GREY, size: 1280x800, rate: 100 fps",
            "exposure: {duration: 1 ms, gain: 4x}",
            // At 8 bits the same line takes 7.28 µs.
            codes: ["vertical_blanking 574", "exposure 137", "analogue_gain 64"],
            exposure: 997_360, gain: 4_000_000),
        Vector(
            "imx708", "pixels: SRGGB10, size: 2304x1296, rate: 30 fps",
            "exposure: {duration: 10 ms, gain: 1.13x}",
            // 13.36 µs a line; lines of exposure come in twos from 4.
            codes: ["vertical_blanking 1199", "exposure 748", "analogue_gain 118"],
            exposure: 9_993_770, gain: 1_130_243),
        Vector(
            "bench-usb", "pixels: GREY, size: 640x480, rate: 30 fps",
            "exposure: {duration: 8.333 ms, iso: 200}",
            codes: ["exposure_time_absolute 83", "gain 32"],
            exposure: 8_300_000, gain: 2_000_000),
        Vector(
            "simulated", "pixels: GREY, size: 640x480, rate: 30 fps",
            "exposure: {duration: 1/120 s, gain: 1.01x}",
            codes: ["exposure_time_absolute 8333", "gain 65"], exposure: 8_333_000,
            gain: 1_015_625),
    ]

    @Test(
        "E3 a plan holds the codes, the exposure and the gain that the device will really use",
        arguments: vectors)
    func quantised(vector: Vector) throws {
        let profile = try ProjectProfiles.named(vector.profile)
        let text = ProjectProfiles.recipe(format: vector.format, lock: vector.lock)
        let settings = try #require(
            try ProjectProfiles.compile(text, for: profile).plan.settings.first)
        #expect(settings.codes.map { "\($0.control.name) \($0.code)" } == vector.codes)
        #expect(settings.quantised.exposure.asked?.nanoseconds == vector.exposureNanoseconds)
        #expect(settings.quantised.gain.asked?.millionths == vector.gainMillionths)
    }

    @Test("E3 no profile of a raw sensor leaves room for a digital gain")
    func noDigitalGain() throws {
        for name in ["imx219", "imx477", "imx708"] {
            let profile = try ProjectProfiles.named(name)
            #expect(
                profile.pinned.contains { $0.control.name == "digital_gain" && $0.code == 256 })
            #expect(profile.gain?.control.name == "analogue_gain")
        }
    }

    @Test("E3 quantising again what was quantised changes nothing, on every profile")
    func stable() throws {
        for name in try ProjectProfiles.all() + ["simulated"] {
            let profile = try ProjectProfiles.named(name)
            guard let format = profile.formats.first, let pixels = format.pixelFormat else {
                continue
            }
            let adapted = try profile.adapted(
                to: CaptureConfiguration(pixelFormat: pixels, size: format.size))
            var asked = FrameSettings()
            if let range = adapted.exposure?.range {
                asked.exposure = .value(range.lowerBound + .microseconds(777))
            }
            if let range = adapted.gain?.range {
                asked.gain = .value(Gain(millionths: range.lowerBound.millionths + 123_456))
            }
            let once = adapted.quantise(asked)
            #expect(once.problems == [], "\(name)")
            #expect(adapted.quantise(once.settings.settings).settings == once.settings, "\(name)")
        }
    }

    @Test("E2 duration and ISO are set together, and `current` is left for either")
    func together() throws {
        let profile = try ProjectProfiles.named("imx477")
        let format = "pixels: SRGGB12P, size: 2028x1520, rate: 30 fps"
        let both = ProjectProfiles.recipe(
            format: format, lock: "exposure: {duration: 5 ms, iso: 400}")
        let codes = try ProjectProfiles.compile(both, for: profile).plan.settings[0].codes
        #expect(codes.map(\.control.name) == ["vertical_blanking", "exposure", "analogue_gain"])
        let half = ProjectProfiles.recipe(
            format: format, lock: "exposure: {duration: current, iso: 400}")
        let settings = try ProjectProfiles.compile(half, for: profile).plan.settings[0]
        #expect(settings.quantised.exposure == .current)
        #expect(settings.codes.map(\.control.name) == ["vertical_blanking", "analogue_gain"])
    }

    @Test("E2 the longest exposure follows from the rate of the active format")
    func rangeOfTheFormat() throws {
        let profile = try ProjectProfiles.named("imx477")
        func refusals(_ size: String, _ rate: String) -> [String] {
            let text = ProjectProfiles.recipe(
                format: "pixels: SRGGB12P, size: \(size), rate: \(rate)",
                lock: "exposure: {duration: 30 ms, gain: 1x}")
            return ProjectProfiles.refusals(text, for: profile).map(\.message)
        }
        #expect(refusals("2028x1520", "30 fps") == [])
        #expect(
            refusals("2028x1520", "40 fps") == [
                "exposure 30 ms is outside 60.667 us to 24.661 ms (exposure of camera profile"
                    + " `imx477` (hardware/cameras/imx477.yaml), 2028x1520 at 40 fps)"
            ])
        // Without a rate the frame is as long as the exposure needs.
        let slow = ProjectProfiles.recipe(
            format: "pixels: SRGGB12P, size: 2028x1520",
            lock: "exposure: {duration: 2 s, gain: 1x}")
        let plan = try ProjectProfiles.compile(slow, for: profile).plan
        let timing = try #require(plan.camera.profile.timing)
        let exposure = try #require(plan.settings[0].codes.first { $0.control.name == "exposure" })
        // So long a frame is counted in fours, and so are the exposure and the margin of 22 after the next full count.
        #expect(exposure.code % 4 == 0)
        #expect(timing.frameLines == exposure.code + 4 * (1 + 22))
        #expect(plan.settings[0].codes[0] == timing.blanking)
    }

    @Test("E3 one frame length holds for the whole plan, so that a bracket never changes the rate")
    func oneFrameLength() throws {
        let profile = try ProjectProfiles.named("imx477")
        let text = ProjectProfiles.recipe(
            format: "pixels: SRGGB12P, size: 2028x1520",
            lock: "exposure: {gain: 1x, duration: 1 ms}",
            sequence: "- bracket: {exposure: [1 ms, 100 ms, 10 ms]}")
        let plan = try ProjectProfiles.compile(text, for: profile).plan
        let blanking = plan.settings.map { $0.codes.first }
        #expect(plan.settings.count == 3)
        #expect(Set(blanking).count == 1)
        // 100 ms are 6,593 lines of 15.1667 µs, and the margin is 22: 6,615 less the height.
        #expect(blanking[0]?.code == 5_095)
    }

    @Test("W2 raw sensors keep white balance as metadata: gains without codes")
    func metadata() throws {
        let profile = try ProjectProfiles.named("imx477")
        let format = "pixels: SRGGB12P, size: 2028x1520, rate: 30 fps"
        for (lock, gains) in [
            ("white_balance: {temperature: 5000 K}", [3_381_870, 1_000_000, 1_493_408]),
            ("white_balance: {red: 2.5, blue: 1.5}", [2_500_000, 1_000_000, 1_500_000]),
        ] as [(String, [Int64])] {
            let text = ProjectProfiles.recipe(format: format, lock: lock)
            let settings = try ProjectProfiles.compile(text, for: profile).plan.settings[0]
            #expect(settings.codes.map(\.control.name) == ["vertical_blanking"])
            guard case .gains(let red, let green, let blue)? = settings.quantised.whiteBalance.asked
            else {
                Issue.record("\(settings.quantised.whiteBalance)")
                continue
            }
            #expect([red, green, blue].map(\.millionths) == gains)
        }
    }

    @Test("W2 a USB camera maps gains to its components, or a temperature, or refuses and says so")
    func usb() throws {
        let format = "pixels: GREY, size: 640x480"
        let gains = ProjectProfiles.recipe(
            format: format, lock: "white_balance: {red: 1.5, blue: 2}")
        let bench = try ProjectProfiles.named("bench-usb")
        let codes = try ProjectProfiles.compile(gains, for: bench).plan.settings[0].codes
        #expect(
            codes.map { "\($0.control.name) \($0.code)" } == [
                "red_balance 1536", "blue_balance 2048",
            ])
        let generic = try ProjectProfiles.named("generic-uvc")
        let refusal = ProjectProfiles.refusals(gains, for: generic)
        #expect(
            refusal.map(\.message) == [
                "camera profile `generic-uvc` (hardware/cameras/generic-uvc.yaml) has no control"
                    + " that takes gains"
            ])
        #expect(refusal.first?.hint == "give a temperature, or leave white balance out")
    }
}
