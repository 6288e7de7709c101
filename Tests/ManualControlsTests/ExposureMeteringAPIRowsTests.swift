import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Exposure and its metering as an API")
struct ExposureMeteringAPIRowsTests {
    @Test("E5 a bias moves continuous and locked exposure, and only the metering of a custom one")
    func bias() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        try await camera.session.setExposure(.auto)
        let metered = try #require(camera.session.state.duration)
        // Locked: only the bias moves it, by exactly as much.
        let done = try await camera.session.setBias(thousandths: 1_000)
        let moved = try #require(done.state?.duration)
        #expect((moved.nanoseconds - 2 * metered.nanoseconds).magnitude <= 2_000)
        #expect(try #require(done.state?.offsetThousandths).magnitude <= 100)
        let frames = try await camera.reports(upTo: done.sync)
        let levels = try frames.suffix(2).map {
            try #require($0.reading.light?.level(MeteringRegion().weights)).billionths
        }
        #expect((levels[1] * 1_000 / levels[0] - 2_000).magnitude < 20)
        // Custom: the same exposure, metered against another target.
        try await camera.session.setExposure(.custom(duration: .value(metered), iso: 100))
        let offset = try #require(camera.session.state.offsetThousandths)
        try await camera.session.setBias(thousandths: -500)
        #expect(camera.session.state.duration == metered)
        #expect(camera.session.state.offsetThousandths == offset + 1_500)
        // Continuous: aims at it.
        try await camera.session.setExposure(.continuous)
        try await camera.session.advance(frames: 20)
        let aimed = try #require(camera.session.state.duration)
        #expect(try #require(camera.session.state.offsetThousandths).magnitude <= 100)
        #expect(aimed * 10 < metered * 8 && aimed * 10 > metered * 6)
    }

    @Test("E5 biases of a locked exposure count from where it was: 0 leads back, also from a limit")
    func biasBack() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        try await camera.session.setExposure(
            .custom(
                duration: .value(.milliseconds(1)), sensitivity: .gain(Gain(millionths: 4_000_000)))
        )
        try await camera.session.setExposure(.locked)
        let (duration, gain) = (camera.session.state.duration, camera.session.state.gain)
        for thousandths in [8_000, -3_000, 1_500, 0] as [Int64] {
            try await camera.session.setBias(thousandths: thousandths)
        }
        #expect(camera.session.state.duration == duration)
        #expect(camera.session.state.gain == gain)
    }

    @Test(
        "E5 a bias beyond -8 to +8 EV is an error that says so",
        arguments: [-8_001, 8_001, 100_000])
    func biasRange(thousandths: Int64) async throws {
        let camera = try SimulatedSession()
        let problem = await #expect(throws: SettingProblem.self) {
            try await camera.session.setBias(thousandths: thousandths)
        }
        #expect(problem?.id == "bias-out-of-range")
        #expect(problem?.message.contains("-8") == true)
        #expect(camera.session.state.biasThousandths == 0)
    }

    @Test("E6 the offset from the target is live in every mode, custom included: a light meter")
    func offset() async throws {
        for evThousandths in [-2_000, 0, 1_000] as [Int64] {
            var simulation = SimulatedSession.quiet
            simulation.scene = scene(evThousandths: evThousandths)
            let camera = try SimulatedSession(pixels: "GREY", simulation: simulation)
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(8)), iso: 100))
            let custom = try #require(camera.session.state.offsetThousandths)
            // 0.8 mean radiance, 0.4 electrons a microsecond, 4 electrons a code, 4095 codes: 0.156 of full scale.
            #expect((custom - (evThousandths - 204)).magnitude <= 15)
            try await camera.session.setExposure(.locked)
            #expect(camera.session.state.offsetThousandths == custom)
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(4)), iso: 100))
            let halved = try #require(camera.session.state.offsetThousandths)
            #expect((halved - (custom - 1_000)).magnitude <= 15)
        }
    }

    @Test("E8 exposure follows its point of interest, through the picture's orientation")
    func pointOfInterest() async throws {
        // The scene gets brighter from the top left to the bottom right corner of the sensor.
        func duration(_ region: MeteringRegion) async throws -> Interval {
            let camera = try SimulatedSession(pixels: "GREY")
            try await camera.session.setMetering(region)
            let done = try await camera.session.setExposure(.auto)
            return try #require(done.state?.duration)
        }
        let dark = try #require(FramePoint(xMillionths: 50_000, yMillionths: 50_000))
        let bright = try #require(FramePoint(xMillionths: 950_000, yMillionths: 950_000))
        let turned = try #require(Orientation(degrees: 180))
        let forDark = try await duration(MeteringRegion(.spot, point: dark))
        let forBright = try await duration(MeteringRegion(.spot, point: bright))
        #expect(forDark * 10 > forBright * 13)
        #expect(
            try await duration(MeteringRegion(.spot, point: bright, orientation: turned)) == forDark
        )
    }
}
