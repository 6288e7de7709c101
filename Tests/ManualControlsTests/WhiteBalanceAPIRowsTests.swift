import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("White balance as an API")
struct WhiteBalanceAPIRowsTests {
    /// The gains that make the usual scene grey: the channels' responses are 0.8, 1 and 0.7.
    private static let grey = WhiteBalance.gains(
        red: Gain(millionths: 1_250_000), green: .unity, blue: Gain(millionths: 1_428_571))

    @Test("W2 red, green and blue come as one value, in one frame")
    func gains() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(5)), iso: 100))
        let done = try await camera.session.setWhiteBalance(.locked(.value(Self.grey)))
        let reports = try await camera.reports(upTo: done.sync)
        let shown = try #require(reports.last?.reading.balance)
        #expect(shown.red.distance(to: shown.green).magnitude * 200 < shown.green.magnitude)
        #expect(shown.blue.distance(to: shown.green).magnitude * 200 < shown.green.magnitude)
        let before = try #require(reports[reports.count - 2].reading.balance)
        #expect(before.red * 100 < before.green * 85 && before.blue * 100 < before.green * 75)
        // What the device really has, to the millionth: 1280 and 1463 of 1024.
        let quantised = WhiteBalance.gains(
            red: Gain(millionths: 1_250_000), green: .unity, blue: Gain(millionths: 1_428_711))
        #expect(done.state?.balance == quantised)
    }

    @Test("W1 locked keeps what the camera's own automatic had reached")
    func locked() async throws {
        var simulation = SimulatedSession.quiet
        simulation.hasWorkingAutomatics = true
        simulation.scene.redMillionths = 1_600_000
        simulation.scene.blueMillionths = 500_000
        let camera = try SimulatedSession(pixels: "SRGGB12", simulation: simulation)
        try await camera.session.advance(frames: 4)
        let done = try await camera.session.setWhiteBalance(.locked(.current))
        let kept = try #require(done.state?.balance)
        guard case .gains(let red, let green, let blue) = kept else {
            Issue.record("the simulated camera has gains")
            return
        }
        #expect(red == .unity && green > red)
        #expect(
            2 * blue.millionths > 3 * green.millionths, "on its way to 0.78 and 2.86 over green")
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.balance == kept)
        #expect(camera.session.state.whiteBalance.mode == .locked)
    }

    @Test(
        "W2 a gain or an illuminant out of range is an error that names the range and its origin",
        arguments: [
            (
                WhiteBalance.gains(red: Gain(millionths: 9_000_000), green: .unity, blue: .unity),
                "red gain, 9x over green 1x, is outside 0.25x to 4x (camera profile `simulated`)"
            ),
            (
                .gains(red: .unity, green: .unity, blue: Gain(millionths: 999_999)),
                "the blue gain 0.999999x is below 1x"
            ),
            (
                .chromaticity(xMillionths: 312_700, yMillionths: 329_000),
                "camera profile `simulated` has a control for temperature but none for tint"
            ),
            (
                .temperature(kelvin: 2_000, tintThousandths: 0),
                "2000 K is outside 2800 K to 6500 K (white_balance_temperature of camera profile"
            ),
        ])
    func outOfRange(balance: WhiteBalance, words: String) async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        let before = camera.session.state
        let problem = await #expect(throws: SettingProblem.self) {
            try await camera.session.setWhiteBalance(.locked(.value(balance)))
        }
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
        let after = camera.session.state
        #expect(after.whiteBalance == before.whiteBalance && after.balance == before.balance)
    }

    @Test("W6 a white balance completes with the timestamp of the first frame that shows it")
    func completion() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        for pause in 1..<4 {
            try await camera.session.setWhiteBalance(
                .locked(.value(.gains(red: .unity, green: .unity, blue: .unity))))
            try await camera.session.advance(frames: pause)
            let done = try await camera.session.setWhiteBalance(.locked(.value(Self.grey)))
            let reports = try await camera.reports(upTo: done.sync)
            let reds = try reports.map { try #require($0.reading.balance).red }
            #expect(reds[reds.count - 1] * 100 > reds[reds.count - 2] * 120)
            #expect(done.sync?.deviceTime == reports.last?.deviceTime)
        }
    }

    @Test(
        "W1 auto meters once and locks, recording the frames that it used; continuous follows the light"
    )
    func routines() async throws {
        var simulation = SimulatedSession.quiet
        simulation.scene.redMillionths = 1_600_000
        simulation.scene.blueMillionths = 500_000
        let camera = try SimulatedSession(pixels: "SRGGB12", simulation: simulation)
        try await camera.session.setExposure(.auto)
        let done = try await camera.session.setWhiteBalance(.auto)
        #expect(done.metered == [.whiteBalance: .ended(.converged)])
        let state = try #require(done.state)
        #expect(state.whiteBalance.mode == .locked)
        // 1, 0.8 × 1.6 and 0.8 × 1.6 / (0.7 × 0.5), within a hundredth: no channel is below 1.
        guard case .gains(let red, let green, let blue) = state.balance else {
            Issue.record("gains were found")
            return
        }
        #expect(red == .unity)
        #expect((green.millionths - 1_280_000).magnitude < 12_800)
        #expect((blue.millionths - 3_657_143).magnitude < 36_571)
        #expect(state.grayFrames.count == 3)
        #expect(state.grayFrames.last == done.sync.map { Int64($0.sequence) })
        try await camera.session.setWhiteBalance(
            .locked(.value(.gains(red: .unity, green: .unity, blue: .unity))))
        try await camera.session.setWhiteBalance(.continuous)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.whiteBalance.routine == .converged)
        #expect(camera.session.state.whiteBalance.mode == .continuous)
    }

    @Test(
        "W1 a camera that takes temperatures alone is metered in light that is not neutral",
        arguments: [(1_000_000, 1_000_000), (1_200_000, 950_000), (850_000, 1_150_000)])
    func temperatureAlone(red: Int64, blue: Int64) async throws {
        var simulation = SimulatedSession.quiet
        simulation.scene.redMillionths = red
        simulation.scene.blueMillionths = blue
        var profile = CameraProfile.simulated
        profile.whiteBalance?.components = nil
        let camera = try SimulatedSession(
            pixels: "SRGGB12", simulation: simulation, profile: profile)
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(4)), iso: 100))
        let done = try await camera.session.setWhiteBalance(.auto)
        #expect(done.metered == [.whiteBalance: .ended(.converged)])
        let reports = try await camera.reports(upTo: done.sync)
        let shown = try #require(reports.last?.reading.balance)
        #expect((shown.red - shown.blue).magnitude * 80 < shown.blue.magnitude)
        #expect(done.state?.whiteBalance.mode == .locked)
    }

    @Test(
        "W5 the gains of a grey centre are there at any time, whatever the mode, and the same in each"
    )
    func grayWorld() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(5)), iso: 100))
        var seen: [ChannelGains] = []
        for balance in [
            WhiteBalance.gains(red: .unity, green: .unity, blue: .unity),
            .gains(red: Gain(millionths: 2_000_000), green: .unity, blue: .unity), Self.grey,
        ] {
            try await camera.session.setWhiteBalance(.locked(.value(balance)))
            seen.append(try #require(camera.session.state.grayWorld))
        }
        for gains in seen {
            #expect((gains.redMillionths - 1_250_000).magnitude < 12_500)
            #expect((gains.blueMillionths - 1_428_571).magnitude < 14_286)
            #expect(gains.greenMillionths == 1_000_000)
        }
    }
}
