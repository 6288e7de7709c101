import Devices
import Notation
import Recipes
import Testing
import Timebase
import Tracking

/// Latencies of raw sensors: libcamera's figures count from another frame than ours.
struct SensorLatencyTests {
    /// What libcamera publishes (cam_helper_*.cpp, camera_sensor_properties.cpp): exposure, gain, vertical blanking.
    private static let published: [(name: String, exposure: Int, gain: Int, vertical: Int)] = [
        ("imx219", 2, 1, 2), ("imx290", 2, 2, 2), ("imx296", 2, 2, 2), ("imx462", 2, 2, 2),
        ("imx477", 2, 2, 3), ("imx708", 2, 2, 3), ("ov5647", 2, 2, 2), ("ov7251", 2, 2, 2),
        ("ov9281", 2, 2, 2),
    ]

    @Test func `profiles count one frame less than libcamera, from the frame being exposed`() throws
    {
        for (name, exposure, gain, vertical) in Self.published {
            let profile = try ProjectProfiles.named(name)
            let sensor = try #require(profile.sensor)
            #expect(sensor.exposure.latencyFrames == exposure - 1, "\(name)")
            #expect(profile.gain?.latencyFrames == gain - 1, "\(name)")
            #expect(sensor.vertical.latencyFrames == vertical - 1, "\(name)")
            let origins = [
                sensor.exposure.latencyOrigin, profile.gain?.latencyOrigin,
                sensor.vertical.latencyOrigin,
            ]
            #expect(origins.allSatisfy { $0 == .libcamera }, "\(name)")
        }
    }

    /// libcamera: what is written after the start of frame n, and before that of n + 1, is in force in n + delay.
    @Test(arguments: [1, 2, 3])
    func `a published delay names the same frame here`(delay: Int) throws {
        let profile = try Self.profile(latency: "{libcamera: \(delay)}")
        let model = try #require(profile.exposure)
        let shown = Self.shown(by: profile, writtenAfterStartOf: 5)
        // An upper bound: the frames up to it may show the write already, and are given to nobody.
        // The first frames are counted from a write before them, with doubt.
        let expected = (3..<12).map { frame -> SettingsTimeline.Shown in
            if frame <= 5 { return .exactly(value: 1, reading: nil) }
            return frame < 5 + delay ? .uncertain : .exactly(value: 2, reading: nil)
        }
        #expect(shown.dropFirst(3) == ArraySlice(expected))
        #expect(model.latencyFrames == delay - 1 && model.latencyOrigin == .libcamera)
    }

    @Test func `only what was measured, or the device is built to, is exact`() throws {
        let exact = ["{frames: 1, from: exact}", "{frames: 1, measured: 2026-11-20}"]
        let bounds = ["{frames: 1, from: assumed}", "{libcamera: 2}", "1"]
        for text in exact {
            #expect(try Self.profile(latency: text).delay(of: .exposure).isExact, "\(text)")
        }
        for text in bounds {
            let delay = try Self.profile(latency: text).delay(of: .exposure)
            #expect(delay.latencyFrames == 1 && delay.leastFrames == 0, "\(text)")
        }
    }

    @Test(
        arguments: [
            "{frames: 2, from: libcamera}", "{frames: 1, libcamera: 2}", "{libcamera: 0}",
            "{libcamera: 2, from: assumed}", "{frames: 1}", "{}",
        ])
    func `a latency is given one way`(text: String) {
        #expect(throws: DiagnosticList.self) { try Self.profile(latency: text) }
    }

    private static func profile(latency: String) throws(DiagnosticList) -> CameraProfile {
        try CameraProfileDecoder.decode(
            SourceFile(
                name: "latency.yaml",
                text: """
                    framelock_camera: 1
                    name: latency
                    shutter: rolling
                    timestamps: {point: start_of_readout, max_delay: 0 us, readout: unknown}
                    exposure: {control: exposure, unit: 10 us, codes: 1..5000, latency: \(latency)}

                    """))
    }

    /// What twelve frames show, of which the readout of frame k starts at (k + 1) periods.
    private static func shown(
        by profile: CameraProfile, writtenAfterStartOf written: Int
    ) -> [SettingsTimeline.Shown] {
        let period = Interval.milliseconds(10)
        func start(_ frame: Int) -> Instant<Monotonic> {
            Instant(nanoseconds: 1_000_000_000) + period * Int64(frame)
        }
        var timeline = SettingsTimeline(profile: profile, promisedPeriod: period)
        func write(_ value: Int32, at time: Instant<Monotonic>) {
            timeline.beginWrite(value, to: .exposure, ticket: Int64(value), at: time)
            timeline.endWrite(
                Int64(value), of: ControlGroups(.exposure), begun: time, ended: time,
                succeeded: true)
        }
        write(1, at: start(-8))
        return (0..<12).map { frame in
            timeline.observe(
                ObservedFrame(
                    step: 1, timestamp: start(frame),
                    readout: .init(earliest: start(frame), latest: start(frame))))
            let shown = timeline.shown(.exposure)
            if frame == written { write(2, at: start(frame) + .milliseconds(3)) }
            return shown
        }
    }
}
