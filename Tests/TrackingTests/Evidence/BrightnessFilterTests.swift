import Devices
import Foundation
import TestSupport
import Testing
import Tracking

@Suite("Brightness shows which settings frames had")
struct BrightnessFilterTests {
    /// A camera whose brightness is what a test says.
    struct Stage {
        /// Less cannot be measured.
        static let darkest = 1e-5

        var filter: BrightnessFilter
        var findings: [BrightnessFilter.Finding] = []
        var frame: Int64 = 0

        init(isLinear: Bool = true) { filter = BrightnessFilter(isLinear: isLinear) }

        /// Takes frames of an exposure in milliseconds that are as bright as another one makes them.
        mutating func take(
            _ claimed: Double, had: Double? = nil, light: Double = 1, scene: Int = 0,
            count: Int = 1,
            certainty: BrightnessFrame.Certainty = .reported, written: ControlGroups = []
        ) {
            for _ in 0..<count {
                let brightness = 0.01 * light * (had ?? claimed)
                filter.take(
                    BrightnessFrame(
                        name: frame,
                        claimed: PerGroup {
                            $0 == .exposure ? Int64(claimed * 1e6) : 1_000_000
                        },
                        certainty: PerGroup {
                            $0 == .exposure ? certainty : .proven
                        },
                        scene: scene,
                        level: brightness < 1 && brightness >= Self.darkest ? log(brightness) : nil,
                        variance: brightness < 1e-3 ? 0.2 * 0.2 : 1e-6,
                        isSaturated: brightness >= 1,
                        atMost: brightness < Self.darkest ? log(Self.darkest) : nil,
                        written: written)
                ) { findings.append($0) }
                frame += 1
            }
        }

        mutating func finish() -> [PixelVerdict] {
            filter.finish { findings.append($0) }
            return findings.map { $0.verdicts[.exposure] }
        }
    }

    @Test("A change that brightness follows is confirmed at once")
    func confirms() {
        var stage = Stage()
        stage.take(2, count: 3)
        stage.take(8)
        #expect(stage.filter.verdict(of: 3)?.verdicts[.exposure] == .confirmed)
        #expect(stage.filter.verdict(of: 3)?.verdicts[.gain] == .unseen)
    }

    @Test("A write that is lost at the third change of a run is refuted, with what the frame had")
    func refutesEarly() {
        var stage = Stage()
        for exposure in [2.0, 8, 2, 4, 2, 8, 2, 4] {
            stage.take(exposure, had: stage.frame == 3 ? 2 : nil)
        }
        #expect(stage.finish()[3] == .contradicted(shown: 2_000_000))
    }

    @Test("Several writes lost in a row are refuted")
    func refutesInARow() {
        var stage = Stage()
        for round in 0..<6 {
            for exposure in [1.0, 2, 4, 8] { stage.take(exposure, had: round == 3 ? 8 : nil) }
        }
        let verdicts = stage.finish()
        #expect(
            verdicts[12...14]
                == [
                    .contradicted(shown: 8_000_000), .contradicted(shown: 8_000_000),
                    .contradicted(shown: 8_000_000),
                ])
        // The fourth had 8 ms, as it should, whatever became of its write.
        #expect(verdicts[15] != .contradicted(shown: 4_000_000))
        #expect(verdicts[16...].allSatisfy { $0 == .confirmed })
    }

    @Test(
        "A value that no write explains is never confirmed as the one that should be there",
        arguments: [true, false])
    func findsWhatNoWriteExplains(isLinear: Bool) {
        var stage = Stage(isLinear: isLinear)
        for round in 0..<8 {
            for exposure in [1.0, 2, 4, 8] {
                // After 2 ms a frame of 4 ms may have these, or 4; 8 ms came from somewhere else.
                stage.take(exposure, had: round == 4 && exposure == 4 ? 8 : nil)
            }
        }
        let verdicts = stage.finish()
        #expect(verdicts[18] == .contradicted(shown: 8_000_000) || verdicts[18] == .doubted)
        #expect(verdicts[..<18].allSatisfy { $0 == .confirmed })
    }

    @Test("In a dark scene, a hundredth as bright, the same is found")
    func findsInTheDark() {
        var stage = Stage(isLinear: false)
        for round in 0..<6 {
            for exposure in [1.0, 4, 16] {
                stage.take(exposure, had: round == 3 && exposure == 4 ? 1 : nil, light: 0.01)
            }
        }
        #expect(stage.finish()[10] == .contradicted(shown: 1_000_000))
    }

    @Test(
        "A scene that becomes as dark as a lost write would make it, and stays so, refutes nothing")
    func believesScenes() {
        var stage = Stage()
        for round in 0..<8 {
            for exposure in [1.0, 2, 4, 8] { stage.take(exposure, light: round < 4 ? 1 : 0.5) }
        }
        let verdicts = stage.finish()
        #expect(verdicts.allSatisfy { $0 == .confirmed || $0 == .unseen || $0 == .doubted })
    }

    @Test("A control without effect is unresponsive, and what its frames had is doubted")
    func findsUnresponsiveControls() {
        var stage = Stage(isLinear: false)
        for _ in 0..<8 { for exposure in [1.0, 2, 4, 8] { stage.take(exposure, had: 2) } }
        #expect(stage.filter.unresponsive == ControlGroups(.exposure))
        #expect(stage.finish()[4...].allSatisfy { $0 != .confirmed && $0 != .unseen })
    }

    @Test("A camera two frames later than its profile says is found out")
    func findsLateCameras() {
        var stage = Stage()
        let exposures = (0..<150).map { [1.0, 3, 9][$0 / 3 % 3] }
        for (frame, exposure) in exposures.enumerated() {
            stage.take(exposure, had: exposures[max(0, frame - 2)])
        }
        let verdicts = stage.finish()
        let wrong = exposures.indices.filter { $0 > 1 && exposures[$0] != exposures[$0 - 2] }
        #expect(wrong.allSatisfy { verdicts[$0] != .confirmed && verdicts[$0] != .unseen })
        #expect(wrong.contains { if case .contradicted = verdicts[$0] { true } else { false } })
    }

    @Test("What metadata prove is never refuted")
    func believesMetadata() {
        var stage = Stage()
        for _ in 0..<8 {
            for exposure in [1.0, 2, 4, 8] { stage.take(exposure, had: 2, certainty: .proven) }
        }
        #expect(stage.finish().allSatisfy { $0 == .unseen })
    }

    @Test("Settings that never change are confirmed by nothing")
    func confirmsNothingWithoutChange() {
        var stage = Stage()
        stage.take(2, count: 80)
        #expect(stage.finish().allSatisfy { $0 == .unseen })
    }

    @Test("A second light tells nothing of the first change, however often it is seen")
    func waitsForTheLight() {
        var stage = Stage(isLinear: false)
        stage.take(9)
        stage.take(2.5, scene: 1, count: 30)
        #expect(
            (1...30).allSatisfy { stage.filter.verdict(of: $0)?.verdicts[.exposure] == .unseen })
        stage.take(9, scene: 1, count: 3)
        stage.take(2.5, scene: 0, count: 3)
        #expect(stage.finish().allSatisfy { $0 == .unseen || $0 == .confirmed })
    }

    @Test("A light that does nothing helps to find writes that were lost before it came on")
    func seesThroughTheLight() {
        var stage = Stage(isLinear: false)
        // Lost: the change to 9 ms twice, and the one to 2.5 ms between.
        stage.take(4)
        stage.take(9, had: 4, scene: 1)
        stage.take(2.5, had: 4, scene: 1)
        stage.take(4, count: 3)
        stage.take(9, had: 4, scene: 1)
        stage.take(2.5, scene: 1)
        stage.take(4, count: 2)
        #expect(stage.finish().allSatisfy { $0 != .contradicted(shown: 9_000_000) })
    }

    /// Pairs of frames at rising exposures, at gain 1 and at a second one, as a photon transfer series has them, in
    /// light that goes up or down by 2 % from frame to frame: brightness rises with exposure and with the light alike.
    private static func gains(
        ofSeriesIn walk: UInt64, second: Double = 4, gainIsLost: Bool = false,
        brightness first: Double = 0.0005, rise: Double = 0
    ) -> [PixelVerdict] {
        var random = SeededGenerator(seed: walk)
        var light = log(first)
        var filter = BrightnessFilter(isLinear: false)
        var findings: [BrightnessFilter.Finding] = []
        for place in 0..<68 {
            let exposure = 0.1 + Double(place % 34 / 2) * 6
            let gain = place < 34 ? 1 : second
            light += rise + (Bool.random(using: &random) ? 0.02 : -0.02)
            let brightness = 0.0001 + exp(light) * exposure * (gainIsLost ? 1 : gain)
            let frame = BrightnessFrame(
                name: Int64(place),
                claimed: PerGroup { Int64(($0 == .exposure ? exposure : gain) * 1e6) },
                certainty: PerGroup(repeating: .reported),
                level: brightness < 1 ? log(brightness) : nil,
                variance: brightness < 2e-4 ? 0.01 : 1e-5, isSaturated: brightness >= 1)
            filter.take(frame) { findings.append($0) }
        }
        filter.finish { findings.append($0) }
        return findings.map { $0.verdicts[.gain] }
    }

    @Test(
        "A change of gain that is lost in drifting light leaves no frame its gain", arguments: 1...8
    )
    func missesAChangeThatDidNotShow(walk: UInt64) {
        let lost = Self.gains(ofSeriesIn: walk, gainIsLost: true)[34...]
        #expect(lost.allSatisfy { $0 == .doubted || $0 == .contradicted(shown: 1_000_000) })
        let taken = Self.gains(ofSeriesIn: walk)[34...]
        #expect(taken.allSatisfy { $0 == .confirmed || $0 == .unseen })
    }

    /// The last frames before the change are saturated, and until it comes the light becomes brighter by half; at the
    /// end it is three times as bright.
    @Test(
        "A change of gain that is lost behind saturated frames is missed all the same",
        arguments: 1...8)
    func missesAChangeBehindSaturation(walk: UInt64) {
        let lost = Self.gains(
            ofSeriesIn: walk, gainIsLost: true, brightness: 0.012, rise: 0.016)
        #expect(lost[34...46].allSatisfy { $0 == .doubted || $0.isContradicted })
    }

    @Test("A gain that never changes is not doubted in drifting light", arguments: 1...8)
    func leavesAloneWhatNeverChanges(walk: UInt64) {
        #expect(Self.gains(ofSeriesIn: walk, second: 1).allSatisfy { $0 == .unseen })
    }

    /// A sweep of which all but two values reach full scale, while the light becomes brighter by a third.
    @Test("First settings are not refuted by a scene that became brighter meanwhile")
    func believesFirstSettingsInDrift() {
        var stage = Stage(isLinear: false)
        func take(_ claimed: Double, _ mean: Double?) {
            stage.take(claimed, had: 1, light: (mean ?? 8_192) / 40.96)
        }
        for mean in [2_190.0, 2_176, 2_229, 2_241, 2_192, 2_177] { take(1, mean) }
        // Of 2 ms, some of which were lost, and of 1 ms, where 3 or 8 ms were left sometimes.
        let means: [(Double, Double?)] = [
            (2_161, nil), (3_896, 2_310), (2_327, 2_351), (3_992, 2_536), (4_009, 2_434),
            (3_981, nil), (4_022, 2_621), (2_649, nil), (4_076, 2_910),
        ]
        for (two, one) in means {
            take(2, two)
            for full in [4.0, 8, 3] { take(full, nil) }
            take(1, one)
        }
        let first = stage.finish()[..<6]
        #expect(!first.contains { if case .contradicted = $0 { true } else { false } })
    }

    @Test("A first frame that is known badly makes no scene jump at the second")
    func believesDarkFrames() {
        var stage = Stage()
        for _ in 0..<4 {
            for exposure in [0.004, 2, 8] { stage.take(exposure, light: exposure < 1 ? 1.4 : 1) }
        }
        #expect(stage.finish().allSatisfy { $0 == .unseen || $0 == .confirmed })
    }

    @Test("Of two settings that noise makes look alike neither is named")
    func namesNoneOfThoseThatLookAlike() {
        var stage = Stage()
        for round in 0..<8 {
            for exposure in [1.5, 8, 13.5, 16] {
                let isLost = round == 4 && exposure == 16 || round == 5 && exposure == 1.5
                stage.take(exposure, had: isLost ? 13.5 : nil, light: 0.005)
            }
        }
        #expect(stage.finish()[20] == .contradicted(shown: nil))
    }

    /// Between two brackets both settings go back for a moment; if all that is lost, the first frame of a bracket has
    /// the last settings of the one before, which are as bright as its own.
    @Test(
        "Settings as bright as those before are not confirmed while all writes between may be lost")
    func doesNotConfirmWhatLooksAlike() {
        func values(_ exposure: Double, _ gain: Double) -> PerGroup<Int64> {
            PerGroup { Int64(($0 == .exposure ? exposure : gain) * 1e6) }
        }
        var filter = BrightnessFilter(isLinear: false)
        var findings: [BrightnessFilter.Finding] = []
        for round in 0..<12 {
            for (place, one) in [(4.0, 2.0), (0.5, 6), (2, 4)].enumerated() {
                let frame = BrightnessFrame(
                    name: Int64(3 * round + place), claimed: values(one.0, one.1),
                    certainty: PerGroup(repeating: .reported), level: log(0.01 * one.0 * one.1))
                filter.take(frame) { findings.append($0) }
            }
            filter.pass(values(0.125, 1))
        }
        filter.finish { findings.append($0) }
        let verdicts = findings.map { $0.verdicts[.exposure] }
        for (place, verdict) in verdicts.enumerated() where place > 0 {
            #expect(verdict == (place % 3 == 0 ? .unseen : .confirmed), "frame \(place)")
        }
    }
}
