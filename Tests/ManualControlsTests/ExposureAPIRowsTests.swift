import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Exposure as an API")
struct ExposureAPIRowsTests {
    @Test("E6 read with each frame, nothing that the camera changes is seen after its light")
    func readings() async throws {
        var simulation = SimulatedSession.quiet
        simulation.hasWorkingAutomatics = true
        simulation.scene.luminanceMillionths = 200_000
        var options = CameraSession.Options()
        options.observeEveryFrames = 1
        let camera = try SimulatedSession(
            pixels: "GREY", simulation: simulation, options: options)
        try await camera.session.advance(frames: 12)
        let last = SyncTime(
            sequence: try #require(camera.session.state.sequence), deviceTime: .distantPast)
        let reports = try await camera.reports(upTo: last)
        let durations = try reports.map { try #require($0.state.duration) }
        let offsets = try reports.map { try #require($0.state.offsetThousandths) }
        var changes = 0
        for index in reports.indices.dropFirst()
        where (offsets[index] - offsets[index - 1]).magnitude >= 30 {
            changes += 1
            #expect(durations[index] != durations[index - 1], "frame \(index)")
        }
        #expect(changes >= 4)
    }

    @Test("E2 duration and gain come together, in one frame, and never one without the other")
    func together() async throws {
        let camera = try SimulatedSession()
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(4)), iso: 100))
        try await camera.session.advance(frames: 5)
        let done = try await camera.session.setExposure(
            .custom(duration: .value(.milliseconds(8)), iso: 200))
        let means = try await camera.frames(upTo: done.sync).map(\.mean)
        let last = try #require(means.last)
        let before = means[means.count - 6]
        // Four times the light; the two controls have different latencies, so a frame in between may have only one.
        #expect(abs(last / before - 4) < 0.01)
        #expect(abs(means[means.count - 3] / before - 1) < 0.01, "not before the write")
        #expect(done.state?.duration == .milliseconds(8))
        #expect(done.state?.gain == Gain(millionths: 2_000_000))
        #expect(done.state?.exposure.mode == .custom)
    }

    @Test("E2 `current` keeps either of the two where it is")
    func current() async throws {
        let camera = try SimulatedSession()
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(4)), iso: 400))
        var done = try await camera.session.setExposure(
            .custom(duration: .value(.milliseconds(2)), sensitivity: .current))
        #expect(done.state?.gain == Gain(millionths: 4_000_000))
        done = try await camera.session.setExposure(.custom(duration: .current, iso: 100))
        #expect(done.state?.duration == .milliseconds(2))
        #expect(done.state?.gain == .unity)
    }

    @Test(
        "E2 what is out of range is an error that names the range and its origin, and nothing moves",
        arguments: [
            (Interval.seconds(3), Int64(100), "20 us to 2 s"),
            (.microseconds(10), 100, "exposure_time_absolute of camera profile `simulated`"),
            (.milliseconds(40), 100, "30 fps, the rate of camera simulated's active format"),
            (.milliseconds(4), 50, "outside 1x to 16x"),
            (.milliseconds(4), 3_200, "gain of camera profile `simulated`; ISO 100 is 1x"),
            (.milliseconds(4), 0, "ISO 1 to ISO 10000000"),
        ])
    func outOfRange(duration: Interval, iso: Int64, words: String) async throws {
        let camera = try SimulatedSession()
        let before = camera.session.state
        let problem = await #expect(throws: SettingProblem.self) {
            try await camera.session.setExposure(.custom(duration: .value(duration), iso: iso))
        }
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "no error")")
        let after = camera.session.state
        #expect(after.exposure == before.exposure)
        #expect(after.duration == before.duration && after.gain == before.gain)
        // It is supported, only not there: no request may leave it out in silence.
        let again = await #expect(throws: SettingProblem.self) {
            try await camera.session.setExposure(
                .custom(duration: .value(duration), iso: iso), ifSupported: true)
        }
        #expect(again == problem)
    }

    @Test("E4 an exposure completes with the first frame that shows it, and no earlier one does")
    func completion() async throws {
        for pause in 0..<4 {
            let camera = try SimulatedSession()
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(2)), iso: 100))
            try await camera.session.advance(frames: 3 + pause)
            let done = try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(10)), sensitivity: .current))
            let frames = try await camera.frames(upTo: done.sync)
            let (shown, before) = (frames[frames.count - 1], frames[frames.count - 2])
            #expect(abs(shown.mean / before.mean - 5) < 0.02)
            #expect(done.sync?.deviceTime == shown.deviceTime)
            let session = done.sync?.sessionTime(camera.session.sessionClock).instant
            #expect(
                session?.nanoseconds == shown.deviceTime.nanoseconds - 1_000_000_000_000)
        }
    }

    @Test("E4 requests end in order of issue, each with its own frame")
    func order() async throws {
        let camera = try SimulatedSession()
        let exposure = camera.session.issue(
            .exposure(.custom(duration: .value(.milliseconds(3)), iso: 100)))
        let lens = camera.session.issue(.focus(.locked(.value(try lens(200_000)))))
        let balance = camera.session.issue(
            .whiteBalance(.locked(.value(.temperature(kelvin: 4_000, tintThousandths: 0)))))
        #expect(exposure.id < lens.id && lens.id < balance.id)
        let last = try await balance.completion()
        // Nobody waited for the others; they ended before, although exposure shows a frame later than the lens does.
        let first = try await exposure.completion()
        let second = try await lens.completion()
        let sequences = try [first, second, last].map { try #require($0.sync).sequence }
        #expect(sequences[1] == sequences[2])
        #expect(sequences[0] == sequences[1] + 1)
    }

    @Test("E4 a request that is overtaken ends with the frame that shows the later one")
    func overtaken() async throws {
        let camera = try SimulatedSession()
        let tickets = [2, 4, 6].map {
            camera.session.issue(
                .exposure(.custom(duration: .value(.milliseconds($0)), iso: 100)))
        }
        let last = try await tickets[2].completion()
        for ticket in tickets[..<2] {
            let done = try await ticket.completion()
            #expect(done.supersededBy == tickets[2].id)
            #expect(done.sync == last.sync)
        }
        #expect(last.state?.duration == .milliseconds(6))
    }

    @Test(
        "E1 locked keeps what the camera's own automatic had reached, read before it is switched off"
    )
    func locked() async throws {
        var simulation = SimulatedSession.quiet
        simulation.hasWorkingAutomatics = true
        let camera = try SimulatedSession(simulation: simulation)
        try await camera.session.advance(frames: 10)
        #expect(camera.session.state.exposure.mode == .free)
        #expect(camera.session.state.exposure.isAdjusting, "the camera's automatic is at work")
        let done = try await camera.session.setExposure(.locked)
        let kept = try #require(done.state?.duration)
        #expect(kept > .milliseconds(5) && kept < .milliseconds(10))
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.duration == kept)
        #expect(camera.session.state.exposure.mode == .locked)
        #expect(camera.session.state.exposure.routine == .locked)
        #expect(!camera.session.state.exposure.isAdjusting)
    }

    @Test("E1 a camera without exposure control says so, and passes it over where it may")
    func unsupported() async throws {
        var profile = CameraProfile.simulated
        profile.exposure = nil
        let camera = try SimulatedSession(profile: profile)
        await #expect(throws: SettingProblem.self) {
            try await camera.session.setExposure(.locked)
        }
        let done = try await camera.session.setExposure(.locked, ifSupported: true)
        #expect(done.skipped?.id == "setting-unsupported")
    }

    @Test("E3 a control that the device clamps in silence is an error, not another exposure")
    func clamped() async throws {
        var profile = CameraProfile.simulated
        profile.gain?.codes = CodeRange(64, 4096)
        profile.exposure?.codes = CodeRange(1, 2_000_000)
        let camera = try SimulatedSession(profile: profile)
        // The device describes the range that it has, so that nothing has to be tried.
        let problem = await #expect(throws: SettingProblem.self) {
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(4)), iso: 3_200))
        }
        #expect(
            problem?.message.contains("outside 1x to 16x (gain of camera simulated itself") == true)
    }

    @Test("E1 auto meters once and locks; continuous follows the light")
    func routines() async throws {
        let camera = try SimulatedSession(pixels: "SRGGB12")
        let done = try await camera.session.setExposure(.auto)
        #expect(done.metered == [.exposure: .ended(.converged)])
        #expect(try #require(done.state?.offsetThousandths).magnitude <= 100)
        #expect(done.state?.exposure.mode == .locked)
        try await camera.session.setExposure(
            .custom(duration: .value(.microseconds(200)), iso: 100))
        #expect(try #require(camera.session.state.offsetThousandths) < -2_000)
        try await camera.session.setExposure(.continuous)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.exposure.mode == .continuous)
        #expect(try #require(camera.session.state.offsetThousandths).magnitude <= 100)
    }
}
