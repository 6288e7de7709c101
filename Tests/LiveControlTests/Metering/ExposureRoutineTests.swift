import Imaging
import Testing
import Timebase

@testable import Devices
@testable import LiveControl

/// Automatic exposure on even frames, one at a time.
@Suite("Exposure routine")
struct ExposureRoutineTests {
    /// An even scene: codes of a 12-bit camera per millisecond at unity gain.
    private struct EvenScene {
        var codesPerMillisecond: Double
        var settings: FrameSettings
        var sequence: Int64 = 0

        mutating func frame(isCertain: Bool = true) throws -> MeterReading {
            let meter = try #require(testMeter("Y12", .light))
            let milliseconds = Double(settings.exposure.asked?.nanoseconds ?? 0) / 1e6
            let gain = Double(settings.gain.asked?.millionths ?? 1_000_000) / 1e6
            let code = Int(min(codesPerMillisecond * milliseconds * gain, 3_839)) + 256
            let pixel = [UInt8(code & 0xff), UInt8(code >> 8)]
            let bytes = Array(repeating: pixel, count: meter.size.width * meter.size.height)
                .flatMap { $0 }
            sequence += 1
            return MeterReading(
                sequence: sequence, settings: isCertain ? settings : FrameSettings(),
                reading: bytes.withUnsafeBytes { meter.read($0) })
        }
    }

    private static func settings(_ codes: Int64, gain: Int64 = 0) -> FrameSettings {
        let profile = testProfile()
        guard let exposure = profile.exposure, let model = profile.gain,
            let gain = model.gain(ofCode: gain)
        else { return FrameSettings() }
        return FrameSettings(
            exposure: .value(exposure.duration(ofCode: codes)), gain: .value(gain))
    }

    /// Takes frames, applies what is written at once, and returns the decisions.
    private static func run(
        _ routine: inout ExposureRoutine, _ scene: inout EvenScene, frames: Int
    ) throws -> [MeteringDecision] {
        try (0..<frames).map { _ in
            let decision = routine.handle(try scene.frame())
            if case .write(let wanted) = decision { scene.settings = wanted }
            return decision
        }
    }

    @Test func `one change lands, three frames confirm it`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        // Middle grey, 691 codes, takes 4 ms.
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(100))
        let decisions = try Self.run(&routine, &scene, frames: 5)
        guard case .write(let written) = decisions[0] else {
            Issue.record("\(decisions)")
            return
        }
        let exposure = try #require(written.exposure.asked)
        #expect(abs(exposure.nanoseconds - 4_000_000) < 20_000)
        #expect(decisions[1...] == [.wait, .wait, .finish(.converged), .wait])
        #expect(routine.state == .locked && routine.outcome == .converged)
        #expect(abs(try #require(routine.offsetThousandths)) < 20)
    }

    @Test func `frames that are not certain, or not those of the last change, are not answered`()
        throws
    {
        var routine = ExposureRoutine(profile: testProfile())
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(100))
        let first = routine.handle(try scene.frame())
        guard case .write(let written) = first else {
            Issue.record("\(first)")
            return
        }
        // The change is under way.
        #expect(routine.handle(try scene.frame()) == .wait)
        #expect(routine.handle(try scene.frame()) == .wait)
        #expect(routine.state == .metering)
        scene.settings = written
        #expect(routine.handle(try scene.frame(isCertain: false)) == .wait)
        for _ in 0..<2 { #expect(routine.handle(try scene.frame()) == .wait) }
        #expect(routine.handle(try scene.frame()) == .finish(.converged))
    }

    @Test func `a frame that is mostly white takes a quarter, as often as needed`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        var scene = EvenScene(codesPerMillisecond: 5_000, settings: Self.settings(2_000))
        let decisions = try Self.run(&routine, &scene, frames: 12)
        let written = decisions.compactMap { decision -> Int64? in
            guard case .write(let settings) = decision else { return nil }
            return settings.exposure.asked?.nanoseconds
        }
        let start = try #require(Self.settings(2_000).exposure.asked).nanoseconds
        #expect(abs(written[0] - start / 4) < 20_000)
        #expect(abs(written[1] - start / 16) < 20_000)
        #expect(routine.outcome == .converged)
    }

    @Test func `too dark and too bright are told`() throws {
        for (light, outcome) in [
            (0.05, RoutineOutcome.limited(.tooDark)), (50_000, .limited(.tooBright)),
        ] {
            var routine = ExposureRoutine(profile: testProfile())
            var scene = EvenScene(codesPerMillisecond: light, settings: Self.settings(500))
            _ = try Self.run(&routine, &scene, frames: 30)
            #expect(routine.outcome == outcome)
            #expect(routine.state == .locked)
        }
    }

    @Test func `a camera whose exposure does not do what it says diverges`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        var settings = Self.settings(100)
        var decisions: [MeteringDecision] = []
        for number in 0..<40 {
            // Bright and dark in turn, whatever is set.
            var scene = EvenScene(
                codesPerMillisecond: number % 2 == 0 ? 3_000 : 10, settings: settings)
            let decision = routine.handle(try scene.frame())
            decisions.append(decision)
            if case .write(let wanted) = decision { settings = wanted }
        }
        #expect(decisions.contains(.finish(.diverged(.unsteady))))
        #expect(routine.state == .diverged)
    }

    @Test func `a camera with coarse steps and no gain says so`() throws {
        var profile = testProfile()
        profile.gain = nil
        profile.exposure?.codes = CodeRange(1, 3)
        profile.exposure?.unit = CodeDuration(picoseconds: 1_000_000_000)
        var routine = ExposureRoutine(profile: profile)
        // 1.41 ms would be right.
        var scene = EvenScene(
            codesPerMillisecond: 490, settings: FrameSettings(exposure: .value(.milliseconds(3))))
        _ = try Self.run(&routine, &scene, frames: 10)
        #expect(routine.outcome == .limited(.coarseSteps))
        #expect(scene.settings.exposure == .value(.milliseconds(1)))
    }

    @Test func `settings that nobody knows are set before anything is metered`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(100))
        let decision = routine.handle(try scene.frame(isCertain: false))
        guard case .write = decision else {
            Issue.record("\(decision)")
            return
        }
    }

    @Test func `an exposure longer than allowed is shortened, though the level is right`() throws {
        var routine = ExposureRoutine(
            profile: testProfile(),
            programme: ExposureProgramme(longestExposure: .milliseconds(2)))
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(264))
        _ = try Self.run(&routine, &scene, frames: 6)
        #expect(routine.outcome == .converged)
        let exposure = try #require(scene.settings.exposure.asked)
        #expect(exposure <= .milliseconds(2) && exposure > .microseconds(1_980))
    }

    @Test func `a bias that met the camera's limit leads back to where it was`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(264))
        _ = try Self.run(&routine, &scene, frames: 4)
        #expect(routine.state == .locked)
        for bias: Int64 in [8_000, -8_000, 3_000] {
            _ = try routine.setBias(thousandths: bias)
        }
        guard case .write(let back) = try routine.setBias(thousandths: 0) else {
            Issue.record("the bias went back without effect")
            return
        }
        #expect(back == Self.settings(264))
    }

    @Test func `settings that somebody else wrote are metered after an unlock`() throws {
        var routine = ExposureRoutine(profile: testProfile())
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(100))
        _ = try Self.run(&routine, &scene, frames: 6)
        #expect(routine.state == .locked)
        scene.settings = Self.settings(1_000)
        routine.unlock()
        _ = try Self.run(&routine, &scene, frames: 6)
        #expect(routine.outcome == .converged)
        #expect(scene.settings != Self.settings(1_000))
    }

    // MARK: Continuous

    @Test func `continuous exposure holds through one odd frame, and follows the light`() throws {
        var routine = ExposureRoutine(profile: testProfile(), mode: .continuous)
        var scene = EvenScene(codesPerMillisecond: 172.8, settings: Self.settings(264))
        #expect(try Self.run(&routine, &scene, frames: 3).allSatisfy { $0 == .wait })
        #expect(routine.state == .converged && routine.outcome == nil)
        // Off by less than twice the tolerance: nothing.
        scene.codesPerMillisecond *= 1.13
        #expect(try Self.run(&routine, &scene, frames: 5).allSatisfy { $0 == .wait })
        #expect(routine.state == .converged)
        // A stop brighter: diverged with the second frame, answered with the third.
        scene.codesPerMillisecond *= 2
        #expect(routine.handle(try scene.frame()) == .wait)
        #expect(routine.state == .converged)
        #expect(routine.handle(try scene.frame()) == .wait)
        #expect(routine.state == .diverged)
        let third = try Self.run(&routine, &scene, frames: 1)
        guard case .write = third[0] else {
            Issue.record("\(third)")
            return
        }
        #expect(routine.state == .metering)
        _ = try Self.run(&routine, &scene, frames: 3)
        #expect(routine.state == .converged)
    }

    // MARK: Programme

    @Test
    func `exposure comes before gain, in whole periods of the mains, never longer than allowed`()
        throws
    {
        let profile = testProfile()
        let programme = ExposureProgramme(longestExposure: .milliseconds(25), mains: .hertz50)
        for stops in stride(from: -4.0, through: 8.5, by: 0.25) {
            let wanted = ExposureAmount(
                product: Int128(1e12 * powerOfTwo(stops)))
            let split = programme.split(wanted, exposure: profile.exposure, gain: profile.gain)
            let exposure = try #require(split.settings.exposure.asked)
            let gain = try #require(split.settings.gain.asked)
            #expect(exposure <= .milliseconds(25))
            // From 10 ms on, 10 or 20 ms to the line below.
            if exposure > .milliseconds(11) { #expect(exposure > .microseconds(19_980)) }
            if exposure < .microseconds(9_980) { #expect(gain.millionths < 1_400_000) }
            #expect(split.limit == nil)
            let miss = BinaryLogarithm.thousandths(split.amount.product, over: wanted.product)
            #expect(abs(miss) < 50, "\(stops): \(exposure), \(gain)")
        }
    }

    private func powerOfTwo(_ stops: Double) -> Double {
        var (power, rest) = (1.0, stops * 4)
        while rest >= 1 { (power, rest) = (power * 1.189207115002721, rest - 1) }
        while rest <= -1 { (power, rest) = (power / 1.189207115002721, rest + 1) }
        return power
    }
}
