package import Devices
internal import Imaging
package import Recipes
package import Timebase

/// Plans for stories about the machine: 100 frames a second, exposures of 4 ms, 5 ms, … that show at once.
package struct SamplePlan {
    package static let period = Interval.milliseconds(10)
    package static let control = CameraControl(rawValue: 0x009a_0902)
    private static let gain = CameraControl(rawValue: 0x0098_0913)
    package static let focus = CameraControl(rawValue: 0x009a_090a)

    package var program: [Instruction]
    package var timestamps = TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero)
    package var startupFrames = 0
    package var latencyFrames = 0
    /// Whether latencies are known, and not only assumed to be no longer.
    package var isMeasured = true
    /// The latency of a gain that every set of settings has another value of; nil for a camera without.
    package var gainLatency: Int?
    package var settle = Interval.zero
    /// Whether every lens position is approached from beyond it.
    package var hasApproach = false
    package var lensFollowsSettings = true
    package var settingsCount = 4
    package var output = OutputOptions()
    package var onLost = LostFramePolicy.hole
    package var rate = FrameRate(frames: 100)
    package var lines = [
        LineRequest(name: "part", chip: "chip", position: .offset(0), direction: .input),
        LineRequest(name: "strobe", chip: "chip", position: .offset(1), direction: .output),
        LineRequest(name: "door", chip: "chip", position: .offset(2), direction: .input),
    ]

    package init(_ program: [Instruction]) { self.program = program }

    /// The exposure of a set of settings.
    package static func exposure(_ settings: Int32) -> Interval {
        .milliseconds(4 + Int64(settings))
    }

    package func plan() throws -> Plan {
        var profile = CameraProfile(name: "story", timestamps: timestamps)
        profile.startupFrames = startupFrames
        profile.exposure = ExposureModel(
            control: Self.control, unitPicoseconds: 1_000_000, codes: CodeRange(1, 1_000_000),
            latencyFrames: latencyFrames)
        profile.gain = gainLatency.map {
            GainModel(
                control: Self.gain, law: .linear(unity: 1), codes: CodeRange(1, 100),
                isoAtUnity: 100, latencyFrames: $0)
        }
        if settle > .zero {
            profile.focus = FocusModel(
                control: Self.focus, nearCode: 0, farCode: 1_000, latencyFrames: latencyFrames,
                settle: settle)
        }
        profile.exposure?.latencyOrigin = isMeasured ? .exact : .assumed
        profile.gain?.latencyOrigin = isMeasured ? .exact : .assumed
        profile.focus?.latencyOrigin = .exact
        guard let pixels = PixelFormat.named("GREY"), let size = FrameSize(width: 8, height: 4)
        else { preconditionFailure("GREY has frames of 8x4") }
        let settings = (0..<Int32(settingsCount)).map { index in
            let duration = Self.exposure(index)
            let frame = FrameSettings(
                exposure: .value(duration),
                gain: gainLatency == nil
                    ? .free : .value(Gain(millionths: Int64(index + 1) * 1_000_000)),
                lens: settle == .zero
                    ? .free
                    : LensPosition(millionths: lensFollowsSettings ? Int64(index) * 1_000 : 0).map {
                        .value($0)
                    } ?? .free)
            return PlannedSettings(
                requested: frame, quantised: frame,
                codes: [ControlValue(Self.control, duration.nanoseconds / 1_000)],
                latencyFrames: latencyFrames, settle: settle,
                lensApproach: hasApproach ? ControlValue(Self.focus, 500) : nil)
        }
        var plan = Plan(
            name: "story",
            camera: PlannedCamera(
                id: "story", profile: profile,
                configuration: CaptureConfiguration(pixelFormat: pixels, size: size, rate: rate)),
            settings: settings, lines: lines, steps: ["sequence[0]", "sequence[1]"],
            program: program, output: output, require: Requirements())
        plan.onLost = onLost
        return plan
    }
}

extension Instruction {
    /// Frames of step 0.
    package static func capture(_ count: Int64, settings: Int32 = 0, lights: UInt32 = 0)
        -> Instruction
    {
        .capture(count: count, settings: settings, lights: lights, step: 0)
    }
}
