import Foundation
import Imaging
import ProvingGround
import TestSupport
import Testing
import Timebase

@testable import Devices
@testable import LiveControl

/// A thousand scenes each: at the aim, or truthfully not; and the same decisions again from what was measured.
@Suite("Seeded scenes")
struct SeededSceneTests {
    private static let seeds = UInt64(0)..<1_000

    @Test func `exposure comes within 0.1 EV on a thousand scenes, or says what keeps it`() throws {
        let meter = try #require(testMeter("SRGGB12", .light))
        var (converged, dark, bright) = (0, 0, 0)
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed &+ 7_000)
            let programme = ExposureProgramme(
                longestExposure: random.chance(30) ? .milliseconds(8) : nil,
                largestGain: random.chance(30) ? Gain(millionths: 4_000_000) : nil,
                mains: random.chance(30) ? .hertz50 : nil)
            let bias = random.number(-1...1) * 700
            let start = ScriptedCamera.settings(&random)
            var camera = ScriptedCamera(TestScene(seed: seed), settings: start, seed: seed)
            var routine = ExposureRoutine(
                profile: testProfile(), programme: programme, biasThousandths: bias)
            let fresh = routine
            let decisions = camera.run(&routine, with: meter, frames: 80)
            let offset = camera.trueOffset - Double(bias) / 1_000
            switch routine.outcome {
            case .converged:
                converged += 1
                #expect(abs(offset) <= 0.1, "seed \(seed)")
                #expect(routine.state == .locked)
            case .limited(.tooDark):
                dark += 1
                #expect(offset < -0.085, "seed \(seed)")
                #expect(camera.amount * exp2(-offset) > camera.most(programme), "seed \(seed)")
            case .limited(.tooBright):
                bright += 1
                #expect(offset > 0.085, "seed \(seed)")
                #expect(camera.amount * exp2(-offset) < 4 * 15_166.667, "seed \(seed)")
            default:
                Issue.record("seed \(seed): \(String(describing: routine.outcome))")
            }
            camera.checkReplay(of: decisions, by: fresh, "seed \(seed)")
        }
        #expect(converged > 800, "\(converged) converged, \(dark) too dark, \(bright) too bright")
        #expect(dark > 10)
    }

    @Test func `focus comes within one fine step on a thousand scenes, or says what keeps it`()
        throws
    {
        let meter = try #require(testMeter("Y12", .focus))
        var (converged, limited, flat) = (0, 0, 0)
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed &+ 8_000)
            let search = FocusSearch(approach: random.chance(50) ? .fromFar : .fromNear)
            let lens = LensPosition(millionths: random.number(0...1_000_000))
            let start = FrameSettings(lens: lens.map { .value($0) } ?? .free)
            var camera = ScriptedCamera(TestScene(seed: seed), settings: start, seed: seed)
            var routine = try #require(FocusRoutine(profile: testProfile(), search: search))
            let fresh = routine
            let decisions = camera.run(&routine, with: meter, frames: 400)
            let miss = abs(camera.lens - camera.scene.focus)
            let step = Double(search.fineStepMillionths) / 1e6
            switch routine.outcome {
            case .converged:
                converged += 1
                #expect(miss <= step, "seed \(seed): \(camera.lens), not \(camera.scene.focus)")
            case .limited(.endOfRange):
                limited += 1
                #expect(camera.scene.focus < 0.03 || camera.scene.focus > 0.97, "seed \(seed)")
            case .diverged(.flat):
                flat += 1
                #expect(camera.settings.lens == .value(try #require(lens)), "back where it was")
            default:
                Issue.record("seed \(seed): \(String(describing: routine.outcome))")
            }
            camera.checkReplay(of: decisions, by: fresh, "seed \(seed)")
        }
        #expect(converged > 900, "\(converged) converged, \(limited) at an end, \(flat) flat")
    }

    @Test func `white balance comes within 1 % on a thousand scenes`() throws {
        let meter = try #require(testMeter("SRGGB12", .balance))
        // Through all lamps and beyond them.
        let known =
            [TestScene.Lamp(kelvin: 2_400, red: 1.1, blue: 0.32)] + TestScene.lamps
            + [TestScene.Lamp(kelvin: 8_000, red: 0.47, blue: 0.87)]
        let curve = try #require(
            ColourCurve(
                points: known.map {
                    .init(
                        kelvin: $0.kelvin, redMillionths: Int64($0.red * 1e6),
                        blueMillionths: Int64($0.blue * 1e6))
                }))
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed &+ 9_000)
            let balances = random.chance(50)
            let byCurve = random.chance(30)
            var start = ScriptedCamera.settings(&random)
            let scene = TestScene(seed: seed)
            // As exposure leaves it, one stop darker or brighter.
            let best = ScriptedCamera.settings(
                for: scene, stops: Double(random.number(-10...10)) / 10)
            (start.exposure, start.gain) = (best.exposure, best.gain)
            if random.chance(50) { start.whiteBalance = .free }
            var camera = ScriptedCamera(scene, settings: start, balances: balances, seed: seed)
            var routine = WhiteBalanceRoutine(
                profile: testProfile(balances: balances),
                method: byCurve ? .curve(curve) : .grayWorld)
            let fresh = routine
            let decisions = camera.run(&routine, with: meter, frames: 60)
            #expect(routine.outcome == .converged, "seed \(seed)")
            let gains = try #require(routine.gains)
            let red = Double(gains.redMillionths) / Double(gains.greenMillionths)
            let blue = Double(gains.blueMillionths) / Double(gains.greenMillionths)
            #expect(abs(red * scene.lamp.red - 1) < 0.01, "seed \(seed)")
            #expect(abs(blue * scene.lamp.blue - 1) < 0.01, "seed \(seed)")
            #expect(routine.framesUsed.count == 3)
            if byCurve {
                let kelvin = try #require(routine.illuminant).kelvin
                #expect(abs(kelvin / Double(scene.lamp.kelvin) - 1) < 0.03, "seed \(seed)")
            }
            camera.checkReplay(of: decisions, by: fresh, "seed \(seed)")
        }
    }
}

extension ScriptedCamera {
    /// Any settings that the camera can have, red and blue at 1.
    static func settings(_ random: inout SeededGenerator) -> FrameSettings {
        let profile = testProfile()
        let exposure = profile.exposure?.duration(ofCode: random.number(4...2_200))
        let gain = profile.gain?.gain(ofCode: random.number(0...978))
        return FrameSettings(
            exposure: exposure.map { .value($0) } ?? .free, gain: gain.map { .value($0) } ?? .free,
            whiteBalance: .value(.gains(red: .unity, green: .unity, blue: .unity)))
    }

    /// Settings for a scene, so many stops from its target; not quantised, as long as it takes.
    static func settings(for scene: TestScene, stops: Double) -> FrameSettings {
        let second = scene.offset(exposure: .seconds(1), gain: 1)
        let nanoseconds = Int64(1e9 * exp2(stops - second))
        return FrameSettings(
            exposure: .value(.nanoseconds(nanoseconds)), gain: .value(.unity))
    }

    /// How far the current settings are from the usual target, in EV.
    var trueOffset: Double {
        scene.offset(
            exposure: settings.exposure.asked ?? .zero,
            gain: Double(settings.gain.asked?.millionths ?? 0) / 1e6)
    }

    /// Exposure times gain, in nanoseconds.
    var amount: Double {
        Double(settings.exposure.asked?.nanoseconds ?? 0)
            * Double(settings.gain.asked?.millionths ?? 0) / 1e6
    }

    /// The most that a programme allows, less what steps take.
    func most(_ programme: ExposureProgramme) -> Double {
        let longest = programme.longestExposure.map { Double($0.nanoseconds) } ?? 33_366_667
        let whole = programme.mains == nil ? longest : max((longest / 1e7).rounded(.down) * 1e7, 0)
        let gain = programme.largestGain.map { Double($0.millionths) / 1e6 } ?? 22.26
        return (whole == 0 ? longest : whole) * gain * 0.97
    }

    /// The recorded measurements give the same decisions again.
    func checkReplay<Routine: MeteringRoutine>(
        of decisions: [MeteringDecision], by routine: Routine, _ comment: Comment
    ) {
        var routine = routine
        #expect(measurements.map { routine.handle($0) } == decisions, comment)
    }
}
