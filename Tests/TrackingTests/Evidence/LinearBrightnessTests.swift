import TestSupport
import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// A linear sensor whose writes are lost one or several in a row, and scenes that know nothing of that.
struct LinearBrightnessTests {
    /// A frame: what the camera says that it has, what it really has, in ms, and how bright the scene is.
    private struct Shot {
        var said: Int64
        var had: Int64
        var scene = 20_000.0
    }

    private static func frame(_ number: Int, _ shot: Shot) -> BrightnessCheck.Frame {
        BrightnessCheck.Frame(
            sequence: UInt32(number), settings: Int32(shot.said),
            light: BrightnessAgreement.Frame(
                levelMillionths: Int64((shot.scene * Double(shot.had)).rounded()),
                exposure: .milliseconds(shot.said), gainMillionths: 1_000_000))
    }

    private static func found(_ shots: [Shot]) -> Set<UInt32> {
        var check = LinearBrightness()
        var found: Set<UInt32> = []
        for (number, shot) in shots.enumerated() {
            check.take(frame(number, shot)) { found.insert($0.frame.sequence) }
        }
        return found
    }

    /// A bracket of 1, 2, 4 and 8 ms, two frames each, in which so many writes in a row are lost from one on.
    private static func bracket(_ changes: Int, losing run: Int, from first: Int) -> [Shot] {
        var had: Int64 = 1
        return (0..<changes).flatMap { change -> [Shot] in
            let said: Int64 = 1 << Int64(change % 4)
            if change < first || change >= first + run { had = said }
            return Array(repeating: Shot(said: said, had: had), count: 2)
        }
    }

    @Test(arguments: 1...5, [3, 4, 6, 9, 13])
    func `every frame after lost writes is named, however many in a row`(
        run: Int, first: Int
    ) {
        let shots = Self.bracket(40, losing: run, from: first)
        let wrong = shots.indices.filter { shots[$0].had != shots[$0].said }.map { UInt32($0) }
        #expect(Self.found(shots) == Set(wrong))
    }

    @Test func `a black level that is some codes off accuses no dark frame`() {
        var check = LinearBrightness()
        var accused: [UInt32] = []
        for number in 0..<90 {
            // A third more gain with the first of three exposures: with it the second would be as bright as it looks.
            let steps: [(said: Int64, gain: Double)] = [(90, 4.0 / 3.0), (6, 1.0), (200, 1.0)]
            let (said, gain) = steps[number % 3]
            var frame = Self.frame(number, Shot(said: said, had: said, scene: 1_200 * gain))
            frame.light.gainMillionths = Int64(gain * 1_000_000)
            // At the edge of what is too dark to look at.
            frame.light.levelMillionths += number % 15 == 13 ? 2_900 : 2_700
            check.take(frame) { accused.append($0.frame.sequence) }
        }
        #expect(accused.isEmpty && check.suspects.isEmpty)
    }

    @Test func `what the old way does not see: three lost writes early in a run`() {
        let shots = Self.bracket(40, losing: 3, from: 3)
        var check = BrightnessCheck()
        let old = shots.enumerated().flatMap { number, shot in
            check.take(Self.frame(number, shot)).contradictions
        }
        #expect(old.isEmpty)
        #expect(Self.found(shots).count == 6)
    }

    @Test func `lost writes before the scene is known are found when it is`() {
        let shots = Self.bracket(20, losing: 3, from: 1)
        let wrong = shots.indices.filter { shots[$0].had != shots[$0].said }.map { UInt32($0) }
        #expect(Self.found(shots) == Set(wrong))
    }

    @Test(arguments: 1...20) func `what stays lost until the end is suspect, and not yet refuted`(
        run: Int
    ) {
        let shots = Self.bracket(10 + run, losing: run, from: 10)
        var check = LinearBrightness()
        for (number, shot) in shots.enumerated() {
            check.take(Self.frame(number, shot)) { Issue.record("\($0.frame.sequence)") }
        }
        let wrong = shots.indices.filter { shots[$0].had != shots[$0].said }.map { UInt32($0) }
        #expect(check.suspects.map(\.frame.sequence) == wrong)
        wrong.forEach { check.giveUp($0) }
        #expect(check.suspects.isEmpty)
    }

    @Test func `a scene that changes with the settings by chance is cleared by the next change`() {
        var shots = Self.bracket(24, losing: 0, from: 0)
        // Twice as long, half as bright.
        for number in 18..<shots.count { shots[number].scene = 10_000 }
        #expect(shots[18].said == 2 * shots[17].said)
        var (check, suspects) = (LinearBrightness(), [Int]())
        for (number, shot) in shots.enumerated() {
            check.take(Self.frame(number, shot)) { Issue.record("\($0.frame.sequence)") }
            suspects.append(check.suspects.count)
        }
        #expect(suspects[17...20] == [0, 1, 2, 0])
        #expect(suspects.last == 0)
    }

    @Test func `a slow drift of the scene hides nothing`() {
        var shots = Self.bracket(60, losing: 3, from: 20)
        for number in shots.indices { shots[number].scene *= 1 + Double(number) / 2_000 }
        let wrong = shots.indices.filter { shots[$0].had != shots[$0].said }.map { UInt32($0) }
        #expect(Self.found(shots) == Set(wrong))
    }

    @Test(arguments: 0..<5) func `no scene is taken for a lost write`(kind: Int) {
        var random = SeededGenerator(seed: UInt64(kind) + 1)
        var check = LinearBrightness()
        var (scene, exposure, found) = (20_000.0, Int64(1), 0)
        for number in 0..<100_000 {
            switch kind {
            case 0: scene *= Double.random(in: 0.97...1.03, using: &random)
            case 1: scene = 20_000 * Double.random(in: 0.5...2, using: &random)
            case 2:
                if Int.random(in: 0..<20, using: &random) == 0 {
                    scene = 20_000 * Double.random(in: 0.5...2, using: &random)
                }
            case 3: scene = 20_000 * (number / 3 % 2 == 0 ? 1 : 0.5)
            default:
                scene = 20_000 * (1 + 0.3 * Double([0, 7, 10, 7, 0, -7, -10, -7][number % 8]) / 10)
            }
            scene = min(max(scene, 5_000), 60_000)
            if Bool.random(using: &random) {
                exposure = 1 << Int64.random(in: 0...3, using: &random)
            }
            let shot = Shot(said: exposure, had: exposure, scene: scene)
            check.take(Self.frame(number, shot)) { _ in found += 1 }
        }
        #expect(found == 0, "\(found) of 100,000 frames")
    }

    @Test func `an exposure that is lost while the gain is taken is named alone`() {
        let bracket: [(exposure: Int64, gain: Int64)] = [(1, 8), (2, 5), (4, 4), (8, 3), (16, 2)]
        var check = LinearBrightness()
        var named: [UInt32: ControlGroups] = [:]
        for number in 0..<60 {
            let (exposure, gain) = bracket[number % 5]
            // The writes of 2, 4 and 8 ms are lost.
            let had = (31...33).contains(number) ? 1 : exposure
            let frame = BrightnessCheck.Frame(
                sequence: UInt32(number), settings: Int32(number % 5),
                light: BrightnessAgreement.Frame(
                    levelMillionths: 20_000 * had * gain, exposure: .milliseconds(exposure),
                    gainMillionths: gain * 1_000_000))
            check.take(frame) { named[$0.frame.sequence] = $0.groups }
        }
        #expect(
            named == [
                31: ControlGroups(.exposure), 32: ControlGroups(.exposure),
                33: ControlGroups(.exposure),
            ])
    }

    @Test func `what metadata prove is not contradicted`() {
        var check = LinearBrightness()
        var found = 0
        for (number, shot) in Self.bracket(40, losing: 3, from: 9).enumerated() {
            var frame = Self.frame(number, shot)
            frame.unproven = ControlGroups(.gain)
            check.take(frame) { _ in found += 1 }
        }
        #expect(found == 0)
    }
}
