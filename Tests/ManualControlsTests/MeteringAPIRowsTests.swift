import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Metering as an API")
struct MeteringAPIRowsTests {
    private static let everything: Set<ManualSubject> = [.exposure, .focus, .whiteBalance]

    private func camera(
        _ change: (inout SimulationOptions) throws -> Void = { _ in },
        profile: CameraProfile = .simulated
    ) throws -> SimulatedSession {
        var simulation = SimulatedSession.quiet
        simulation.scene = SimulatedScene(
            luminanceMillionths: 2_000_000, redMillionths: 1_400_000, blueMillionths: 600_000,
            bestFocus: try lens(730_000))
        try change(&simulation)
        return try SimulatedSession(pixels: "SRGGB12", simulation: simulation, profile: profile)
    }

    @Test("M1 a scan runs the three routines, and returns with what each of them found")
    func scan() async throws {
        let camera = try camera()
        let done = try await camera.session.scan(center: .centre)
        #expect(
            done.metered == [
                .exposure: .ended(.converged), .focus: .ended(.converged),
                .whiteBalance: .ended(.converged),
            ])
        let state = try #require(done.state)
        #expect(try #require(state.offsetThousandths).magnitude <= 100)
        let distance = try #require(state.lens).millionths - 730_000
        #expect(distance.magnitude < 21_000, "within a fine step of the sharpest place")
        // 1, 0.8 × 1.4 and 0.8 × 1.4 / (0.7 × 0.6), within a hundredth.
        guard case .gains(let red, let green, let blue) = state.balance else {
            Issue.record("gains were found")
            return
        }
        #expect(red == .unity)
        #expect((green.millionths - 1_120_000).magnitude < 11_200)
        #expect((blue.millionths - 2_666_667).magnitude < 26_667)
        for subject in ManualSubject.allCases {
            #expect(state[subject].mode == .locked)
            #expect(state[subject].routine == .locked)
            #expect(state[subject].lockedUntil == nil)
        }
        // Locked is locked: nothing moves any more.
        let before = camera.session.state
        try await camera.session.advance(frames: 30)
        #expect(camera.session.state.duration == before.duration)
        #expect(camera.session.state.lens == before.lens)
        #expect(camera.session.state.balance == before.balance)
    }

    @Test(
        "M1 exposure is metered under the white balance that results, whatever the lamp",
        arguments: [
            (1_400_000, 600_000), (1_600_000, 500_000), (500_000, 1_700_000),
            (1_000_000, 1_000_000),
        ])
    func exposureUnderBalance(red: Int64, blue: Int64) async throws {
        let camera = try camera {
            $0.scene.redMillionths = red
            $0.scene.blueMillionths = blue
        }
        let done = try await camera.session.scan(focus: false)
        #expect(
            done.metered == [.exposure: .ended(.converged), .whiteBalance: .ended(.converged)])
        let reports = try await camera.reports(upTo: done.sync)
        let last = try #require(reports.last?.reading.light?.level(MeteringRegion().weights))
        #expect(last.offset().magnitude <= 100, "\(last.offset()) thousandths of an EV off")
        #expect(done.state?.offsetThousandths == last.offset())
    }

    @Test(
        "M3 a scan's point holds for that scan: uniform ignores it, spot has the centre back"
    )
    func scanPoint() async throws {
        // The scene gets brighter from the top left to the bottom right corner.
        let dark = try #require(FramePoint(xMillionths: 100_000, yMillionths: 100_000))
        func durations(_ mode: MeteringMode, _ centers: [FramePoint?]) async throws -> [Interval] {
            let camera = try SimulatedSession(pixels: "GREY")
            try await camera.session.setMetering(MeteringRegion(mode))
            var found: [Interval] = []
            for center in centers {
                let done = try await camera.session.scan(
                    center: center, focus: false, whiteBalance: false)
                found.append(try #require(done.state?.duration))
            }
            return found
        }
        /// Within twice what is good enough for a routine not to look for something better.
        func isSame(_ one: Interval, _ other: Interval) -> Bool {
            one * 100 < other * 108 && other * 100 < one * 108
        }
        let uniform = try await durations(.uniform, [nil, dark, nil])
        #expect(isSame(uniform[1], uniform[0]) && isSame(uniform[2], uniform[0]))
        let spot = try await durations(.spot, [nil, dark, nil, .centre])
        #expect(spot[1] * 100 > spot[0] * 120, "the dark corner needs longer")
        #expect(isSame(spot[2], spot[0]) && isSame(spot[3], spot[0]))
    }

    @Test("M1 the result is kept for the lock's duration; then continuous routines have it again")
    func lockDuration() async throws {
        let camera = try camera()
        let done = try await camera.session.scan(
            lockDuration: .seconds(1), focus: false, whiteBalance: false)
        let state = try #require(done.state)
        let end = try #require(state.exposure.lockedUntil)
        #expect(state.focus.mode == .free, "what was not scanned is not touched")
        while try #require(camera.session.state.sequence) < (try #require(done.sync)).sequence + 27
        {
            try await camera.session.advance(frames: 1)
            #expect(camera.session.state.exposure.mode == .locked)
        }
        try await camera.session.advance(frames: 5)
        #expect(camera.session.state.exposure.mode == .continuous)
        #expect(camera.session.state.exposure.lockedUntil == nil)
        #expect((end - (try #require(done.sync)).deviceTime) > .seconds(1))
    }

    @Test("M1 what a camera has no control for is an error, or is left out and said to be")
    func unsupported() async throws {
        var profile = CameraProfile.simulated
        profile.focus = nil
        let camera = try camera(profile: profile)
        await #expect(throws: SettingProblem.self) { try await camera.session.scan() }
        #expect(camera.session.state.exposure.mode == .free, "nothing was begun")
        let done = try await camera.session.scan(ifUnsupported: .skip)
        #expect(done.metered[.exposure] == .ended(.converged))
        guard case .skipped(let problem)? = done.metered[.focus] else {
            Issue.record("the lens was left out")
            return
        }
        #expect(problem.message == "camera profile `simulated` has no lens that can be set")
    }

    @Test(
        "M2 lock keeps present values per routine, for a duration; unlock lets go of each by itself"
    )
    func lockAndUnlock() async throws {
        let camera = try camera {
            $0.hasWorkingAutomatics = true
            $0.scene.luminanceMillionths = 300_000
        }
        try await camera.session.advance(frames: 4)
        try await camera.session.lock([.exposure, .whiteBalance])
        var state = camera.session.state
        #expect(state.exposure.mode == .locked && state.whiteBalance.mode == .locked)
        #expect(state.focus.mode == .free)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.duration == state.duration)
        #expect(camera.session.state.balance == state.balance)
        try await camera.session.unlock([.exposure])
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.exposure.mode == .continuous)
        #expect(camera.session.state.duration != state.duration)
        #expect(camera.session.state.balance == state.balance)
        try await camera.session.lock([.exposure], for: .milliseconds(500))
        state = camera.session.state
        #expect(state.exposure.lockedUntil != nil)
        #expect(state.whiteBalance.lockedUntil == nil)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.exposure.mode == .continuous)
        #expect(camera.session.state.whiteBalance.mode == .locked)
    }

    @Test(
        "M3 uniform, spot and weighted metering see different levels; without a point it is the centre"
    )
    func modes() async throws {
        let camera = try SimulatedSession(pixels: "GREY")
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(8)), iso: 100))
        // The scene gets brighter from the top left to the bottom right corner.
        let dark = try #require(FramePoint(xMillionths: 100_000, yMillionths: 100_000))
        let bright = try #require(FramePoint(xMillionths: 900_000, yMillionths: 900_000))
        func offset(_ region: MeteringRegion) async throws -> Int64 {
            try await camera.session.setMetering(region)
            return try #require(camera.session.state.offsetThousandths)
        }
        let uniform = try await offset(MeteringRegion())
        let spots = [
            try await offset(MeteringRegion(.spot, point: dark)),
            try await offset(MeteringRegion(.spot)),
            try await offset(MeteringRegion(.spot, point: bright)),
        ]
        #expect(spots[0] < spots[1] - 200 && spots[1] < spots[2] - 200)
        #expect((spots[1] - uniform).magnitude < 50)
        let weighted = try await offset(MeteringRegion(.weighted, point: bright))
        #expect(weighted > uniform + 50 && weighted < spots[2] - 50)
    }

    @Test("M4 each routine's state can be observed: metering, converged, locked, diverged")
    func states() async throws {
        let camera = try camera()
        let states = camera.session.states()
        try await camera.session.setExposure(.continuous)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.exposure.routine == .converged)
        try await camera.session.lock([.exposure])
        #expect(camera.session.state.exposure.routine == .locked)
        camera.session.close()
        var seen: [RoutineState?] = []
        for await state in states where seen.last != state.exposure.routine {
            seen.append(state.exposure.routine)
        }
        #expect(seen == [nil, .metering, .converged, .locked])
    }

    @Test(
        "M4 what can't be reached is said: too dark, with the longest exposure and the largest gain"
    )
    func limits() async throws {
        let camera = try camera { $0.scene.luminanceMillionths = 1_000 }
        let done = try await camera.session.setExposure(.auto)
        #expect(done.metered == [.exposure: .ended(.limited(.tooDark))])
        #expect(try #require(done.state?.offsetThousandths) < -100)
        #expect(try #require(done.state?.duration) <= .nanoseconds(33_333_333))
    }

    @Test("M5 an exposure that is set by hand ends a scan that is under way, and stays")
    func overtaken() async throws {
        let camera = try camera()
        let scan = camera.session.issue(.scan(ScanRequest(Self.everything)))
        try await camera.session.advance(frames: 3)
        let done = try await camera.session.setExposure(
            .custom(duration: .value(.milliseconds(1)), iso: 100))
        let outcome = try await scan.completion()
        #expect(outcome.supersededBy != nil)
        #expect(outcome.metered.isEmpty)
        try await camera.session.advance(frames: 20)
        #expect(camera.session.state.duration == .milliseconds(1))
        #expect(camera.session.state.exposure.mode == .custom)
        #expect(done.sync != nil)
    }

    @Test("M6 before a picture only that is metered which is not locked at a metering's result")
    func ifNeeded() async throws {
        let camera = try camera()
        let subjects: Set<ManualSubject> = [.exposure, .whiteBalance]
        let first = try await camera.session.meterIfNeeded(subjects, lockDuration: .seconds(2))
        #expect(Set(first.metered.keys) == subjects)
        let again = try await camera.session.meterIfNeeded(subjects)
        #expect(again.metered.isEmpty, "what was found is in force")
        #expect(again.sync?.sequence == first.sync.map { $0.sequence + 1 })
        // A value that was set by hand is no metering's result.
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(1)), iso: 100))
        let second = try await camera.session.meterIfNeeded(subjects)
        #expect(Array(second.metered.keys) == [.exposure])
        // Neither is one whose lock has run out.
        try await camera.session.advance(frames: 70)
        #expect(camera.session.state.whiteBalance.mode == .continuous)
        let third = try await camera.session.meterIfNeeded(subjects)
        #expect(Array(third.metered.keys) == [.whiteBalance])
    }
}
