import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Focus as an API")
struct FocusAPIRowsTests {
    @Test("F2 0 is nearest and 1 farthest, whichever way the device counts")
    func sense() async throws {
        // The simulated lens counts from 1000 (near) to 0 (far), as UVC cameras do.
        for (position, code) in [(Int64(0), Int64(1_000)), (1_000_000, 0), (420_000, 580)] {
            let focus = try #require(CameraProfile.simulated.focus)
            #expect(focus.code(for: try lens(position)) == code)
            let camera = try SimulatedSession()
            let done = try await camera.session.setFocus(.locked(.value(try lens(position))))
            #expect(done.state?.lens?.millionths == position)
        }
    }

    @Test("F2 `current` locks the lens where the camera's automatic had it, without a race")
    func current() async throws {
        var simulation = SimulatedSession.quiet
        simulation.hasWorkingAutomatics = true
        simulation.scene.bestFocus = try lens(900_000)
        let camera = try SimulatedSession(simulation: simulation)
        try await camera.session.advance(frames: 3)
        let done = try await camera.session.setFocus(.locked(.current))
        let kept = try #require(done.state?.lens)
        let (start, best) = (try lens(400_000), try lens(900_000))
        #expect(kept > start && kept < best, "on its way")
        // What is reported is what the frames have: their sharpness does not change any more.
        let reports = try await camera.reports(upTo: done.sync)
        try await camera.session.advance(frames: 12)
        let after = try await camera.session.setFocus(.locked(.value(kept)))
        let scores = try await camera.reports(upTo: after.sync)
            .compactMap(\.reading.focus?.millionths)
        let first = try #require(reports.last?.reading.focus).millionths
        // Exposure is still the camera's own, so that codes are rounded a little differently.
        #expect(scores.allSatisfy { $0.distance(to: first).magnitude * 500 < first })
    }

    @Test("F3 a lens position completes with the timestamp of the first frame that shows it")
    func completion() async throws {
        let camera = try SimulatedSession()
        try await camera.session.setFocus(.locked(.value(try lens(400_000))))
        for (index, position) in [Int64(100_000), 600_000, 0].enumerated() {
            try await camera.session.advance(frames: 2 + index)
            let done = try await camera.session.setFocus(.locked(.value(try lens(position))))
            let reports = try await camera.reports(upTo: done.sync)
            let scores = reports.compactMap(\.reading.focus?.millionths)
            let last = try #require(reports.last)
            #expect(scores[scores.count - 1] != scores[scores.count - 2])
            #expect(done.sync?.deviceTime == last.deviceTime)
            let session = done.sync?.sessionTime(camera.session.sessionClock)
            #expect(
                session?.instant.nanoseconds == last.deviceTime.nanoseconds - 1_000_000_000_000)
        }
    }

    @Test("F3 a lens that settles is waited for: the frame of the sync time has it at rest")
    func settling() async throws {
        var simulation = SimulatedSession.quiet
        simulation.lens.settleTime = .milliseconds(60)
        var profile = CameraProfile.simulated
        profile.focus?.settle = .milliseconds(400)
        let camera = try SimulatedSession(simulation: simulation, profile: profile)
        let done = try await camera.session.setFocus(.locked(.value(try lens(100_000))))
        let reports = try await camera.reports(upTo: done.sync)
        let moving = reports.compactMap(\.reading.focus?.millionths)
        try await camera.session.advance(frames: 10)
        let later = try await camera.session.setFocus(.locked(.current))
        let rest = try #require(
            try await camera.reports(upTo: later.sync).last?.reading.focus?.millionths)
        #expect(try #require(moving.last).distance(to: rest).magnitude * 50 < rest.magnitude)
        let early = moving[moving.count - 10]
        #expect(early.distance(to: rest).magnitude * 10 > rest.magnitude, "it was moving before")
    }

    @Test(
        "F4 the lens and whether it moves can be seen in every mode, also under the camera's automatic"
    )
    func observed() async throws {
        var simulation = SimulatedSession.quiet
        simulation.hasWorkingAutomatics = true
        simulation.scene.bestFocus = try lens(900_000)
        let camera = try SimulatedSession(simulation: simulation)
        let states = camera.session.states()
        let start = try #require(camera.session.state.lens)
        #expect(camera.session.state.focus.mode == .free)
        try await camera.session.advance(frames: 10)
        #expect(camera.session.state.focus.isAdjusting)
        #expect(try #require(camera.session.state.lens) > start)
        try await camera.session.advance(frames: 60)
        #expect(!camera.session.state.focus.isAdjusting)
        #expect(try camera.session.state.lens == lens(900_000))
        try await camera.session.setFocus(.locked(.value(try lens(100_000))))
        camera.session.close()
        var seen: [ManualState] = []
        for await state in states { seen.append(state) }
        #expect(seen.contains { $0.focus.mode == .free && $0.focus.isAdjusting })
        #expect(seen.contains { $0.focus.mode == .locked && $0.focus.isAdjusting })
        #expect(try seen.last?.lens == lens(100_000))
        #expect(seen.last?.focus.isAdjusting == false)
    }

    @Test("F6 a lens with play comes to rest at the same place from wherever it is sent there")
    func repeatable() async throws {
        func score(
            _ approach: FocusModel.Approach?, from start: Int64
        ) async throws -> (Int64, [LensPosition]) {
            var profile = CameraProfile.simulated
            profile.focus?.approach = approach
            profile.focus?.settle = .milliseconds(60)
            var simulation = SimulatedSession.quiet
            simulation.lens.hysteresisCodes = 15
            simulation.scene.bestFocus = try lens(550_000)
            let camera = try SimulatedSession(simulation: simulation, profile: profile)
            try await camera.session.setFocus(.locked(.value(try lens(start))))
            let done = try await camera.session.setFocus(.locked(.value(try lens(500_000))))
            let report = try #require(try await camera.reports(upTo: done.sync).last)
            let score = try #require(report.reading.focus).millionths
            return (score, try #require(done.state).approach)
        }
        let fromNear = try await score(nil, from: 0)
        let fromFar = try await score(nil, from: 1_000_000)
        #expect(fromNear.0 != fromFar.0, "the play shows when nothing is done about it")
        #expect(fromNear.1.isEmpty && fromFar.1.isEmpty)
        let declared = FocusModel.Approach(side: .far, overTravelCodes: 50)
        let near = try await score(declared, from: 0)
        let far = try await score(declared, from: 1_000_000)
        #expect(near.0 == far.0)
        // The approach is part of what is known: beyond the position first.
        #expect(try near.1 == [lens(550_000)])
        #expect(try far.1 == [lens(550_000)])
    }

    @Test("F6 beyond an end there is nothing to travel over: the lens goes as far as it can")
    func ends() async throws {
        var profile = CameraProfile.simulated
        profile.focus?.approach = FocusModel.Approach(side: .far, overTravelCodes: 50)
        let camera = try SimulatedSession(profile: profile)
        try await camera.session.setFocus(.locked(.value(try lens(100_000))))
        var done = try await camera.session.setFocus(.locked(.value(try lens(980_000))))
        #expect(try done.state?.approach == [lens(1_000_000)])
        done = try await camera.session.setFocus(.locked(.value(try lens(1_000_000))))
        #expect(try done.state?.lens == lens(1_000_000))
    }

    @Test("F1 a lens that does not move is an error that says so, or is passed over")
    func unsupported() async throws {
        var profile = CameraProfile.simulated
        profile.focus = nil
        let camera = try SimulatedSession(profile: profile)
        for request in [
            FocusRequest.locked(.current), .locked(.value(try lens(0))), .auto(FocusSearch()),
            .continuous(FocusSearch()),
        ] {
            let problem = await #expect(throws: SettingProblem.self) {
                try await camera.session.setFocus(request)
            }
            #expect(
                problem?.message == "camera profile `simulated` has no lens that can be set")
            let done = try await camera.session.setFocus(request, ifSupported: true)
            #expect(done.skipped == problem)
        }
    }

    @Test(
        "F1 auto looks once and stays there, locked; a flat scene is a failure that restores the lens"
    )
    func auto() async throws {
        for best in [150_000, 500_000, 910_000] as [Int64] {
            var simulation = SimulatedSession.quiet
            simulation.scene.bestFocus = try lens(best)
            let camera = try SimulatedSession(simulation: simulation)
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(8)), iso: 100))
            let done = try await camera.session.setFocus(.auto(FocusSearch()))
            #expect(done.metered == [.focus: .ended(.converged)])
            let found = try #require(done.state?.lens).millionths
            #expect((found - best).magnitude < 21_000)
            #expect(done.state?.focus.mode == .locked)
        }
        // Without any light there is nothing to go by: the lens goes back to where it was.
        var dark = SimulatedSession.quiet
        dark.scene.luminanceMillionths = 0
        let camera = try SimulatedSession(simulation: dark)
        try await camera.session.setFocus(.locked(.value(try lens(250_000))))
        let done = try await camera.session.setFocus(.auto(FocusSearch()))
        guard case .ended(.diverged)? = done.metered[.focus] else {
            Issue.record("nothing could be found: \(done.metered)")
            return
        }
        #expect(try done.state?.lens == lens(250_000))
        #expect(done.state?.focus.routine == .diverged)
    }

    @Test("F1 continuous looks again when the picture gets less sharp")
    func continuous() async throws {
        let camera = try SimulatedSession()
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(8)), iso: 100))
        try await camera.session.setFocus(.continuous(FocusSearch()))
        #expect(camera.session.state.focus.isAdjusting)
        try await camera.session.advance(frames: 120)
        #expect(camera.session.state.focus.routine == .converged)
        #expect(!camera.session.state.focus.isAdjusting)
        let found = try #require(camera.session.state.lens).millionths
        #expect((found - 400_000).magnitude < 21_000)
    }

    @Test("F5 the search keeps to its range, and smooth steps are smaller")
    func range() async throws {
        func search(_ search: FocusSearch) async throws -> (
            places: [Int64], result: MeteringResult?
        ) {
            let camera = try SimulatedSession()
            try await camera.session.setExposure(
                .custom(duration: .value(.milliseconds(8)), iso: 100))
            let start = try await camera.session.setFocus(.locked(.value(try lens(600_000))))
            _ = try await camera.reports(upTo: start.sync)
            let done = try await camera.session.setFocus(.auto(search))
            let reports = try await camera.reports(upTo: done.sync)
            return (reports.compactMap { $0.state.lens?.millionths }, done.metered[.focus])
        }
        let far = try await search(FocusSearch(range: .far))
        #expect(far.places.allSatisfy { $0 >= 500_000 })
        #expect(far.result == .ended(.limited(.endOfRange)), "it is sharper beyond, at 0.4")
        let near = try await search(FocusSearch(range: .near))
        #expect(near.result == .ended(.converged))
        #expect(near.places.drop { $0 > 550_000 }.allSatisfy { $0 <= 550_000 })
        let coarse = try await search(FocusSearch())
        let smooth = try await search(FocusSearch(isSmooth: true))
        #expect(smooth.places.count > coarse.places.count)
    }

    @Test("F5 sharpness is looked for at the point of interest")
    func pointOfInterest() async throws {
        let camera = try SimulatedSession()
        try await camera.session.setExposure(.custom(duration: .value(.milliseconds(8)), iso: 100))
        // The texture fills the middle half of the scene; the corner is smooth.
        let centre = try #require(camera.session.state.focusScore)
        let corner = try #require(FramePoint(xMillionths: 0, yMillionths: 0))
        try await camera.session.setFocusPoint(MeteringRegion(point: corner))
        try await camera.session.advance(frames: 1)
        #expect(try #require(camera.session.state.focusScore) < centre)
    }
}
