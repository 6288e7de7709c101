import Calibration
import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

@Suite struct `Measured figures in profile files` {
    static let measurement = MeasurementSource(
        by: "framelock calibrate test",
        at: UTCTime(Instant<Realtime>(nanoseconds: 1_795_284_000_000_000_000)))

    static func edited(
        _ text: String, _ figures: [ProfileFigure], notes: [String] = []
    ) throws -> String {
        var edit = try ProfileEdit(SourceFile(name: "camera.yaml", text: text))
        try edit.set(figures.map { MeasuredFigure($0, notes: notes) }, by: measurement)
        return String(decoding: edit.source.bytes, as: UTF8.self)
    }

    static let head = """
        framelock_camera: 1
        name: one
        shutter: rolling   # as the sheet says
        timestamps: {point: start_of_readout, max_delay: 5 ms, readout: unknown}

        """

    @Test func `a latency is replaced within braces, and its comment stands above the line`() throws
    {
        let text =
            Self.head
            + "gain: {control: gain, law: linear, unity: 16, codes: 16..255, iso_at_unity: 100, latency: {frames: 10, from: assumed}} # note\n"
        let once = try Self.edited(
            text, [.latency(.gain, frames: 3)], notes: ["up 3:50, down 3:50"])
        #expect(
            once == Self.head + """
                # measured gain.latency: 2026-11-21T18:00:00Z by framelock calibrate test
                # measured gain.latency: up 3:50, down 3:50
                gain: {control: gain, law: linear, unity: 16, codes: 16..255, iso_at_unity: 100, latency: {frames: 3, measured: 2026-11-21}} # note

                """)
        let twice = try Self.edited(once, [.latency(.gain, frames: 2)], notes: ["up 2:50"])
        #expect(
            twice == Self.head + """
                # measured gain.latency: 2026-11-21T18:00:00Z by framelock calibrate test
                # measured gain.latency: up 2:50
                gain: {control: gain, law: linear, unity: 16, codes: 16..255, iso_at_unity: 100, latency: {frames: 2, measured: 2026-11-21}} # note

                """)
    }

    @Test func `keys on lines of their own keep their comments and line ends`() throws {
        let text =
            (Self.head + """
                # The lens.
                focus:
                  control: focus_absolute   # the usual one
                  near: 250
                  far: 0
                  latency:
                    # nobody knows
                    frames: 10
                    from: assumed
                # the end
                """).split(separator: "\n", omittingEmptySubsequences: false).joined(
                separator: "\r\n")
        let edited = try Self.edited(
            text,
            [
                .latency(.focus, frames: 4), .settle(.milliseconds(80)),
                .approach(.init(side: .near, overTravelCodes: 12)),
            ])
        let time = "2026-11-21T18:00:00Z by framelock calibrate test"
        let expected =
            (Self.head + """
                # The lens.
                focus:
                  control: focus_absolute   # the usual one
                  near: 250
                  far: 0
                  # measured focus.latency: \(time)
                  latency:
                    # nobody knows
                    frames: 4
                    measured: 2026-11-21
                  # measured focus.settle: \(time)
                  settle: 80 ms
                  # measured focus.approach: \(time)
                  approach: {from: near, over_travel: 12}
                # the end
                """).split(separator: "\n", omittingEmptySubsequences: false).joined(
                separator: "\r\n")
        #expect(edited == expected)
    }

    @Test func `a curve takes a point between others, whose comments stay with them`() throws {
        let text =
            Self.head + """
                white_balance:
                  metadata: true
                  curve:
                    # halogen
                    - {temperature: 2850 K, red: 0.43, blue: 0.39}   # sheet
                    # window
                    - {temperature: 5881 K, red: 0.28, blue: 0.69}
                # end

                """
        let points = [
            ColourCurve.Point(kelvin: 2_850, redMillionths: 430_000, blueMillionths: 390_000),
            .init(kelvin: 4_000, redMillionths: 330_001, blueMillionths: 550_000),
            .init(kelvin: 5_881, redMillionths: 270_000, blueMillionths: 690_000),
        ]
        let curve = try #require(ColourCurve(points: points))
        let edited = try Self.edited(text, [.curve(curve)])
        #expect(
            edited == Self.head + """
                white_balance:
                  metadata: true
                  # measured white_balance.curve: 2026-11-21T18:00:00Z by framelock calibrate test
                  curve:
                    # halogen
                    - {temperature: 2850 K, red: 0.43, blue: 0.39}   # sheet
                    - {temperature: 4000 K, red: 0.330001, blue: 0.55}
                    - {temperature: 5881 K, red: 0.27, blue: 0.69}
                    # window
                # end

                """)
    }

    @Test func `a figure without a place is refused, and the text stays`() throws {
        var edit = try ProfileEdit(SourceFile(name: "camera.yaml", text: Self.head))
        let before = edit.source.bytes
        let error = #expect(throws: CalibrationError.self) {
            try edit.set(
                [.init(.readout(.zero), notes: []), .init(.settle(.zero), notes: [])],
                by: Self.measurement)
        }
        #expect(error?.message.contains("camera.yaml has no place for focus.settle") == true)
        #expect(edit.source.bytes == before)
    }

    @Test func `comments in the way are never lost`() throws {
        let text =
            Self.head + """
                gain: {control: gain, law: linear, unity: 16, codes: 16..255, iso_at_unity: 100, latency: {
                  frames: 3,
                  from: assumed   # by nobody
                  }}

                """
        var edit = try ProfileEdit(SourceFile(name: "camera.yaml", text: text))
        try edit.set([.init(.latency(.gain, frames: 7), notes: [])], by: Self.measurement)
        let edited = String(decoding: edit.source.bytes, as: UTF8.self)
        #expect(edited.contains("# by nobody"))
        #expect(edit.profile.gain?.latencyFrames == 7)
    }

    @Test func `what would break the profile is refused`() throws {
        var edit = try ProfileEdit(SourceFile(name: "camera.yaml", text: Self.head))
        let error = #expect(throws: CalibrationError.self) {
            try edit.set(
                [
                    .init(.shutter(.global), notes: []),
                    .init(.readout(.milliseconds(3)), notes: []),
                ], by: Self.measurement)
        }
        #expect(error?.message.contains("was left as it is") == true)
    }
}
