import Devices
import TestSupport
import Testing
import Timebase
import Tracking

/// Frames of 1, 2, 4… ms under light that may change, and what a check makes of them.
struct BrightnessCheckTests {
    /// A frame: what the camera says that it has, what it really has, in ms, and how bright the scene is.
    private struct Shot {
        var said: Int64
        var had: Int64
        var scene = 20_000.0
        var gain: Int64 = 1
        var gainHad: Int64?
    }

    private static func frame(
        _ number: Int, _ shot: Shot,
        level: (Shot) -> Double = {
            $0.scene * Double($0.had) * Double($0.gainHad ?? $0.gain)
        }
    ) -> BrightnessCheck.Frame {
        BrightnessCheck.Frame(
            sequence: UInt32(number), settings: Int32(shot.said * 100 + shot.gain),
            light: BrightnessAgreement.Frame(
                levelMillionths: Int64(level(shot).rounded()),
                saturatedMillionths: level(shot) > 900_000 ? 500_000 : 0,
                exposure: .milliseconds(shot.said), gainMillionths: shot.gain * 1_000_000))
    }

    private static func contradicted(_ shots: [Shot]) -> [UInt32] {
        var check = BrightnessCheck()
        return shots.enumerated().flatMap { number, shot in
            check.take(frame(number, shot)).contradictions.map(\.frame.sequence)
        }
    }

    private static func bracket(_ rounds: Int, _ change: (Int, inout Shot) -> Void = { _, _ in })
        -> [Shot]
    {
        (0..<rounds * 4).map { number in
            let exposure: Int64 = 1 << Int64(number % 4)
            var shot = Shot(said: exposure, had: exposure)
            change(number, &shot)
            return shot
        }
    }

    @Test func `a frame that shows the exposure of the one before is found out`() {
        let shots = Self.bracket(5) { if $0 == 10 { $1.had = 2 } }
        #expect(Self.contradicted(shots) == [10])
    }

    @Test func `all frames after a write that stays lost are named when the next one shows`() {
        var shots = Self.bracket(3)
        shots += Array(repeating: Shot(said: 2, had: 8), count: 50) + [Shot(said: 4, had: 4)]
        #expect(Self.contradicted(shots) == Array(12..<62))
        #expect(Self.contradicted(shots.dropLast()) == [])
    }

    @Test func `of exposure and gain the one is named that was lost`() throws {
        var check = BrightnessCheck()
        let said: [Int64] = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]
        var had = said
        // The second change after it shows once more what this one missed.
        had[9] = 1
        var found: [BrightnessCheck.Contradiction] = []
        for (number, gain) in zip(said, had).enumerated() {
            let shot = Shot(said: 4, had: 4, gain: gain.0, gainHad: gain.1)
            found += check.take(Self.frame(number, shot)).contradictions
        }
        let only = try #require(found.first)
        #expect(found.count == 1 && only.groups == ControlGroups(.gain))
        #expect(only.frame.sequence == 9 && only.frame.value(.gain) == 2_000_000)
        #expect(only.shown.value(.gain) == 1_000_000)
    }

    @Test func `what the frame's own metadata say is not contradicted`() {
        var check = BrightnessCheck()
        for (number, shot) in Self.bracket(5, { if $0 == 10 { $1.had = 2 } }).enumerated() {
            var frame = Self.frame(number, shot)
            frame.unproven = ControlGroups(.gain)
            #expect(check.take(frame).contradictions == [])
        }
    }

    @Test func `before light was seen to go by a setting, it says nothing of it`() {
        // The very first change is lost; then one after a single change that showed.
        #expect(
            Self.contradicted([
                Shot(said: 1, had: 1), Shot(said: 2, had: 1), Shot(said: 1, had: 1),
                Shot(said: 2, had: 2), Shot(said: 4, had: 2), Shot(said: 1, had: 1),
            ]) == [])
        // A flash: exposure makes no difference, gain does.
        var check = BrightnessCheck()
        for number in 0..<400 {
            let shot = Shot(
                said: number % 3 == 0 ? 1 : 4, had: 4, gain: number % 2 == 0 ? 1 : 2)
            #expect(check.take(Self.frame(number, shot)).contradictions == [])
        }
    }

    @Test func `a light that makes up for the exposure contradicts nothing`() {
        let shots = Self.bracket(200) { _, shot in shot.scene = 80_000 / Double(shot.said) }
        #expect(Self.contradicted(shots) == [])
        // Also where it does so from some frame on.
        let later = Self.bracket(200) { if $0 > 50 { $1.scene = 80_000 / Double($1.said) } }
        #expect(Self.contradicted(later) == [])
    }

    @Test func `one change of the scene at the wrong moment contradicts nothing`() {
        let shots = Self.bracket(20) { if $0 >= 42 { $1.scene = 10_000 } }
        #expect(Self.contradicted(shots) == [])
    }

    @Test func `a tone curve contradicts nothing`() {
        var check = BrightnessCheck()
        for number in 0..<2_000 {
            let exposure: Int64 = [20, 24, 30, 45, 40, 10, 15, 30][number % 8]
            let frame = Self.frame(number, Shot(said: exposure, had: exposure)) {
                // A gamma of 2.2, flattened towards full scale.
                let linear = $0.scene * Double($0.had) / 1_000_000
                return 1_000_000 * linear.squareRoot() / (0.6 + linear.squareRoot())
            }
            #expect(check.take(frame).contradictions == [])
        }
    }

    /// Scenes that drift, flicker, jump and blink, none of which knows of the settings.
    @Test(arguments: 0..<4) func `no scene is taken for a lost write`(kind: Int) {
        var random = SeededGenerator(seed: UInt64(kind) + 1)
        var check = BrightnessCheck()
        var (scene, exposure) = (20_000.0, Int64(1))
        var found = 0
        for number in 0..<200_000 {
            switch kind {
            case 0: scene *= Double.random(in: 0.97...1.03, using: &random)
            case 1: scene = 20_000 * Double.random(in: 0.5...2, using: &random)
            case 2:
                if Int.random(in: 0..<20, using: &random) == 0 {
                    scene = 20_000 * Double.random(in: 0.5...2, using: &random)
                }
            default: scene = 20_000 * (number / 3 % 2 == 0 ? 1 : 0.5)
            }
            scene = min(max(scene, 5_000), 60_000)
            if Bool.random(using: &random) {
                exposure = 1 << Int64.random(in: 0...3, using: &random)
            }
            let shot = Shot(said: exposure, had: exposure, scene: scene)
            found += check.take(Self.frame(number, shot)).contradictions.count
        }
        // A scene that jumps by just the factor of a change when the settings do, and back when they do again: once in
        // several hundred thousand frames, where it jumps at every twentieth.
        #expect(found <= (kind == 2 ? 2 : 0), "\(found) of 200,000 frames")
    }

    @Test func `lost writes under a steady light are found`() {
        var random = SeededGenerator(seed: 9)
        var (had, said) = (Int64(1), Int64(1))
        var wrong: Set<UInt32> = []
        let shots = (0..<20_000).map { number in
            let next: Int64 = 1 << Int64.random(in: 0...3, using: &random)
            if next != said {
                said = next
                if Int.random(in: 0..<50, using: &random) != 0 { had = next }
            }
            if had != said { wrong.insert(UInt32(number)) }
            return Shot(
                said: said, had: had, scene: Double.random(in: 19_700...20_300, using: &random))
        }
        let found = Self.contradicted(shots)
        #expect(Set(found).isSubset(of: wrong))
        #expect(found.count * 10 > wrong.count * 4, "\(found.count) of \(wrong.count)")
    }

    @Test func `what nothing else is known of is shown by light that goes with it`() {
        var check = BrightnessCheck()
        let shown = Self.bracket(2).enumerated().map { check.take(Self.frame($0, $1)).shown }
        // Of the first frame nothing is known yet.
        #expect(shown == [[]] + Array(repeating: ControlGroups(.exposure), count: 7))
        let steady = Shot(said: 8, had: 8)
        #expect(check.take(Self.frame(8, steady)).shown == ControlGroups(.exposure))
        #expect(check.take(Self.frame(9, Shot(said: 8, had: 8, scene: 50_000))).shown == [])
    }
}
