import Devices
import Imaging
import Notation
import Recipes
import Testing
import Timebase

/// What profiles say of formats, lenses and apertures.
@Suite("Profiles")
struct ProfileRowsTests {
    // MARK: Formats

    private static func limits(_ name: String, _ pixels: String, _ size: String) throws
        -> FormatLimits
    {
        let profile = try ProjectProfiles.named(name)
        let format = try #require(
            profile.formats.first {
                $0.pixelFormat?.name == pixels && $0.size.description == size
            })
        return profile.limits(of: format)
    }

    @Test("D2 each mode of a raw sensor has its own exposure, rate, binning and crop")
    func sensorLimits() throws {
        let full = try Self.limits("imx477", "SRGGB12P", "4056x3040")
        let binned = try Self.limits("imx477", "SRGGB12P", "2028x1520")
        // Four lines of 28.571 µs, and of 15.167 µs.
        #expect(full.exposure?.lowerBound == .nanoseconds(114_286))
        #expect(binned.exposure?.lowerBound == .nanoseconds(60_667))
        #expect(full.iso == 100...2_226)
        #expect(full.mode?.binning == 1 && binned.mode?.binning == 2)
        #expect(binned.mode?.crop?.description == "4056x3040+8+16")
        // 840 MHz / (24,000 · 3,500) and / (12,740 · 1,648): 460 and 128 lines at the least follow the image.
        #expect(full.rates?.upperBound == FrameRate(frames: 840_000_000, seconds: 24_000 * 3_500))
        #expect(binned.rates?.upperBound == FrameRate(frames: 840_000_000, seconds: 12_740 * 1_648))
    }

    @Test("D2 a USB camera's exposure ends at its slowest rate, which takes precedence")
    func usbLimits() throws {
        let limits = try Self.limits("bench-usb", "GREY", "640x480")
        #expect(limits.exposure == .microseconds(100)...Interval.nanoseconds(33_333_333))
        #expect(limits.gain == .unity...Gain(millionths: 15_937_500))
        let simulated = try Self.limits("simulated", "GREY", "640x480")
        #expect(simulated.exposure == .microseconds(20)...Interval.seconds(1))
        let none = try Self.limits("vivid", "YUYV", "640x480")
        #expect(none.exposure == nil && none.gain == nil)
        #expect(none.rates?.upperBound == FrameRate(frames: 25))
    }

    @Test("D2 every profile of the project has limits for every format that framelock records")
    func allLimits() throws {
        for name in try ProjectProfiles.all() {
            let profile = try ProjectProfiles.named(name)
            for format in profile.formats where format.pixelFormat != nil {
                let limits = profile.limits(of: format)
                #expect((limits.gain == nil) == (profile.gain == nil), "\(name)")
                if profile.sensor != nil {
                    #expect(limits.exposure != nil && limits.mode != nil, "\(name)")
                    let fastest = try #require(limits.rates?.upperBound, "\(name)")
                    #expect(fastest < FrameRate(frames: 1_000) ?? fastest, "\(name)")
                }
            }
        }
    }

    // MARK: Presets

    /// A preset, and the format that it must choose.
    struct Choice: Sendable, CustomTestStringConvertible {
        let camera: String
        let preset: String
        let chooses: String
        var testDescription: String { "\(camera) \(preset)" }

        init(_ camera: String, _ preset: String, _ chooses: String) {
            self.camera = camera
            self.preset = preset
            self.chooses = chooses
        }
    }

    @Test(
        "D3 a preset chooses one format and its rate",
        arguments: [
            Choice("simulated", "preset: photo, pixels: SRGGB12", "SRGGB12 1920x1080"),
            Choice("simulated", "preset: high, pixels: GREY", "GREY 1920x1080 120 fps"),
            Choice("simulated", "preset: medium, pixels: GREY", "GREY 640x480 120 fps"),
            Choice("simulated", "preset: fastest, pixels: Y12", "Y12 1920x1080 120 fps"),
            Choice(
                "simulated", "preset: high, pixels: GREY, rate: 25 fps", "GREY 1920x1080 25 fps"),
            Choice("vivid", "preset: photo", "YUYV 1920x1080"),
            Choice("vivid", "preset: medium", "YUYV 1280x720 60 fps"),
            Choice("vivid", "preset: low", "YUYV 640x480 25 fps"),
            Choice("vivid", "preset: fastest", "YUYV 1920x1080 60 fps"),
            Choice("vivid", "preset: fastest, rate: 40 fps", "YUYV 640x360 40 fps"),
            Choice("imx477", "preset: photo, pixels: SRGGB12P", "SRGGB12P 4056x3040"),
            Choice(
                "imx477", "preset: high, pixels: SRGGB12P", "SRGGB12P 2028x1520 375000/9373 fps"),
            Choice("imx477", "preset: low, pixels: GREY", ""),
        ])
    func preset(choice: Choice) throws {
        let text = ProjectProfiles.recipe(format: choice.preset, lock: "")
        let profile = try ProjectProfiles.named(choice.camera)
        guard !choice.chooses.isEmpty else {
            #expect(
                ProjectProfiles.refusals(text, for: profile).map(\.id) == ["preset-impossible"])
            return
        }
        let configuration = try ProjectProfiles.compile(text, for: profile).plan.camera
            .configuration
        let rate = configuration.rate.map { " \($0)" } ?? ""
        #expect(
            "\(configuration.pixelFormat.name) \(configuration.size)\(rate)" == choice.chooses)
    }

    @Test("D3 an ambiguous or impossible preset is an error that lists what exists")
    func presetRefusals() throws {
        func refusal(_ camera: String, _ format: String) throws -> Diagnostic {
            let refusals = ProjectProfiles.refusals(
                ProjectProfiles.recipe(format: format, lock: ""),
                for: try ProjectProfiles.named(camera))
            #expect(refusals.count == 1)
            return try #require(refusals.first)
        }
        let ambiguous = try refusal("simulated", "preset: photo")
        #expect(ambiguous.id == "preset-ambiguous")
        #expect(
            ambiguous.message
                == "preset `photo` fits several formats of camera `simulated`: SRGGB12 1920x1080 up to"
                + " 120 fps, Y12 1920x1080 up to 120 fps, GREY 1920x1080 up to 120 fps, YUYV"
                + " 1920x1080 up to 120 fps")
        #expect(ambiguous.range.start.line == 5)
        let tooFast = try refusal("vivid", "preset: high, rate: 90 fps")
        #expect(tooFast.id == "preset-impossible")
        #expect(tooFast.message == "no format of camera `vivid` is offered at 90 fps")
        #expect(tooFast.hint?.contains("YUYV 1280x720 up to 60 fps") == true)
        let noRates = try refusal("vimc", "preset: fastest")
        #expect(noRates.message == "no format of camera `vimc` is offered with a rate")
        let unknown = try refusal("generic-uvc", "preset: photo")
        #expect(
            unknown.hint == "give `pixels` and `size`, or ask the attached camera with --camera")
    }

    // MARK: Lens

    @Test("F2 lens position 0 is near and 1 is far, whatever the device counts")
    func lens() throws {
        for (camera, format, near, far) in [
            ("bench-usb", "pixels: GREY, size: 640x480", 250, 0),
            ("imx708", "pixels: SRGGB10, size: 2304x1296, rate: 30 fps", 925, 445),
            ("simulated", "pixels: GREY, size: 640x480", 1_000, 0),
        ] as [(String, String, Int64, Int64)] {
            let profile = try ProjectProfiles.named(camera)
            for (position, code) in [("0", near), ("1", far)] {
                let text = ProjectProfiles.recipe(
                    format: format, lock: "focus: {lens: \(position)}")
                let settings = try ProjectProfiles.compile(text, for: profile).plan.settings[0]
                #expect(settings.codes.last?.code == code, "\(camera) \(position)")
                #expect(settings.codes.last?.control == profile.focus?.control)
            }
        }
    }

    @Test(
        "F6 the plan says from which side a lens comes, how far beyond it goes, and how long it settles"
    )
    func approach() throws {
        let profile = try ProjectProfiles.named("imx708")
        let text = ProjectProfiles.recipe(
            format: "pixels: SRGGB10, size: 2304x1296, rate: 30 fps", lock: "focus: {lens: 0.5}",
            sequence: "- bracket: {lens: [0.25, 0.5, 1]}")
        let plan = try ProjectProfiles.compile(text, for: profile).plan
        let codes = plan.settings.map { $0.codes.last?.code }
        #expect(codes == [805, 685, 445])
        // From the far side: 24 codes further, or the far end itself, beyond which there is nothing.
        #expect(plan.settings.map { $0.lensApproach?.code } == [781, 661, nil])
        #expect(plan.settings.allSatisfy { $0.settle == .milliseconds(100) })
        let focus = plan.json["camera"]?["profile"]?["focus"]
        #expect(focus?["approach"]?["from"]?.stringValue == "far")
        #expect(focus?["approach"]?["over_travel_codes"]?.integerValue == 24)
        let settings = plan.json["settings"]?.arrayValue
        #expect(settings?.first?["lens_approach"]?["code"]?.integerValue == 781)
        // The detour costs time: the lens settles twice. Before the first frame the stream's start hides some of it.
        var direct = profile
        direct.focus?.approach = nil
        let straight = try ProjectProfiles.compile(text, for: direct).plan
        let spans = [plan, straight].map { plan in
            var timeline = PlanTimeline(plan)
            let starts = [timeline.next(), timeline.next()].compactMap { $0?.at }
            return starts[1] - starts[0]
        }
        #expect(spans[0] - spans[1] == .milliseconds(100))
    }

    // MARK: Aperture

    @Test(
        "E7 the aperture comes from the profile and is part of the plan that every exposure points to"
    )
    func aperture() throws {
        let text = """
            framelock_camera: 1
            name: lens
            shutter: rolling
            timestamps: {point: start_of_readout, max_delay: 5 ms, readout: unknown}
            aperture: f/2.8
            exposure: {control: exposure_time_absolute, unit: 100 us, codes: 1..5000, latency: 2}

            """
        let profile = try CameraProfileDecoder.decode(SourceFile(name: "lens.yaml", text: text))
        #expect(profile.aperture?.description == "f/2.8")
        let recipe = ProjectProfiles.recipe(
            format: "pixels: GREY, size: 640x480", lock: "exposure: {duration: 1 ms}")
        let plan = try ProjectProfiles.compile(recipe, for: profile).plan
        #expect(
            plan.json["camera"]?["profile"]?["aperture_thousandths"]?.integerValue == 2_800)
    }

    @Test("E3 every delay of the shipped profiles says where it comes from")
    func provenance() throws {
        for name in try ProjectProfiles.all() {
            let profile = try ProjectProfiles.named(name)
            #expect(!profile.provenance.isEmpty, "\(name)")
            let raw = profile.sensor.map { [$0.exposure.latencyOrigin, $0.vertical.latencyOrigin] }
            let origins =
                [
                    profile.exposure?.latencyOrigin, profile.gain?.latencyOrigin,
                    profile.focus?.latencyOrigin, profile.whiteBalance?.latencyOrigin,
                ].compactMap { $0 } + (raw ?? [])
            #expect(!origins.isEmpty || ["vivid", "vimc"].contains(name), "\(name)")
            // Nobody has measured any of these cameras here.
            for origin in origins {
                #expect([.exact, .libcamera, .assumed].contains(origin), "\(name)")
            }
        }
    }
}
