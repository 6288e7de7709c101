import Devices
import Foundation
import Testing
import Tracking

/// Frames that are too bright or too dark to be measured, or hardly bright enough.
extension BrightnessFilterTests {
    /// Codes whose black level is off by 0.3; what a frame has is told from what another one makes it by its own
    /// frames, however little the law between them is worth.
    @Test(
        "A black level that is off refutes no setting, and hides no lost write",
        arguments: [-0.3, 0.3])
    func knowsTheBlackLevelSoWell(black: Double) {
        var filter = BrightnessFilter(isLinear: true)
        var verdicts: [PixelVerdict] = []
        func take(_ exposure: Double, had: Double) {
            let codes = 1.2 * had + black
            let frame = BrightnessFrame(
                name: Int64(verdicts.count),
                claimed: PerGroup { $0 == .exposure ? Int64(exposure * 1e6) : 1_000_000 },
                certainty: PerGroup { $0 == .exposure ? .reported : .proven },
                level: log(codes / 4096), variance: 4e-4, bias: 0.09 / (codes * codes))
            filter.take(frame) { verdicts.append($0.verdicts[.exposure]) }
        }
        for _ in 0..<20 {
            take(1, had: 1)
            take(4, had: 4)
        }
        take(1, had: 4)
        for _ in 0..<10 {
            take(4, had: 4)
            take(1, had: 1)
        }
        filter.finish { verdicts.append($0.verdicts[.exposure]) }
        #expect(verdicts[40] == .contradicted(shown: 4_000_000))
        #expect(verdicts.indices.allSatisfy { $0 == 40 || verdicts[$0] == .confirmed || $0 < 3 })
    }

    /// The law between settings that are nearly the same does not depend on black: otherwise a camera that does nothing
    /// would predict them better.
    @Test("Small steps are not doubted for a black level that is not known well")
    func believesSmallSteps() {
        var filter = BrightnessFilter(isLinear: true)
        var verdicts: [PixelVerdict] = []
        for frame in 0..<120 {
            let exposure = 4 * (1 + 0.01 * Double(frame / 5 % 6))
            let codes = 1.2 * exposure
            filter.take(
                BrightnessFrame(
                    name: Int64(frame),
                    claimed: PerGroup { $0 == .exposure ? Int64(exposure * 1e6) : 1_000_000 },
                    certainty: PerGroup { $0 == .exposure ? .reported : .proven },
                    level: log(codes / 256), variance: 3e-5, bias: 0.09 / (codes * codes))
            ) { verdicts.append($0.verdicts[.exposure]) }
        }
        filter.finish { verdicts.append($0.verdicts[.exposure]) }
        #expect(verdicts.allSatisfy { $0 != .doubted && !$0.isContradicted })
    }

    @Test("Frames at full scale refute nothing that would saturate them")
    func believesSaturation() {
        var stage = Stage()
        for _ in 0..<8 { for exposure in [1.0, 10, 400] { stage.take(exposure) } }
        let verdicts = stage.finish()
        #expect(
            verdicts.allSatisfy {
                if case .contradicted = $0 { false } else { $0 != .doubted }
            })
    }

    @Test("What was at full scale before the scene was measured had no setting that makes it dark")
    func weighsWhatCameBefore() {
        var stage = Stage()
        stage.take(200, count: 3)
        stage.take(10, had: 200, count: 3)
        for _ in 0..<3 {
            for exposure in [12.0, 14, 10] { stage.take(exposure, count: 2) }
        }
        let verdicts = stage.finish()
        #expect(verdicts[3..<6].allSatisfy { $0 == .doubted || $0.isContradicted })
        #expect(verdicts[6..<8].allSatisfy { !$0.isContradicted })
        #expect(verdicts[8...].allSatisfy { $0 == .confirmed })
    }

    @Test(
        "A scene is at full scale with no setting that it is darker with than where it was measured"
    )
    func knowsTheBrightestLevel() {
        var stage = Stage()
        for _ in 0..<4 {
            for exposure in [80.0, 90, 200] { stage.take(exposure, count: 2) }
        }
        stage.take(80, had: 200, count: 2)
        for exposure in [90.0, 80, 90] { stage.take(exposure, count: 2) }
        let verdicts = stage.finish()
        #expect(verdicts[24..<26].allSatisfy { $0 == .doubted || $0.isContradicted })
        #expect(
            verdicts.indices.allSatisfy { (24..<26).contains($0) || !verdicts[$0].isContradicted })
    }

    @Test("A frame darker than full scale is found where its exposure always reached that")
    func knowsFullScale() {
        var stage = Stage(isLinear: false)
        for round in 0..<8 {
            for exposure in [1.0, 10, 400] {
                stage.take(exposure, had: round == 5 && exposure == 400 ? 10 : nil)
            }
        }
        let verdicts = stage.finish()
        #expect(verdicts[17] == .contradicted(shown: 10_000_000))
        #expect(!verdicts[18...].contains(.doubted))
    }

    @Test("A frame that is too dark to be measured refutes a setting that would make it bright")
    func refutesByDarkness() {
        var stage = Stage()
        for round in 0..<8 {
            stage.take(8, had: round == 5 ? 0.001 : nil, light: 0.1)
            stage.take(0.001, light: 0.1)
        }
        let verdicts = stage.finish()
        #expect(verdicts[10].isContradicted)
        #expect(
            verdicts.enumerated().allSatisfy { $0 == 10 || !$1.isContradicted && $1 != .doubted })
    }

    /// The write for the light is lost each time, so that its frames look alike; or never, which looks no better.
    @Test(
        "A light that always comes with the same setting confirms it no more than refutes it",
        arguments: [1.0, 4])
    func needsAMeasure(had: Double) {
        var stage = Stage()
        for _ in 0..<10 {
            for exposure in [1.0, 2, 1] { stage.take(exposure, count: 2) }
            stage.take(4, had: had, light: 1.7, scene: 1, count: 3)
        }
        let verdicts = stage.finish()
        #expect(verdicts.indices.allSatisfy { $0 % 9 < 6 || verdicts[$0] != .confirmed })
        #expect(verdicts.indices.contains { $0 % 9 < 6 && verdicts[$0] == .confirmed })
    }

    /// What is written again has nothing of the frames before: these had what was lost, and the next ones have it.
    @Test("A value that is written anew says nothing of the frames before")
    func knowsWhatIsWrittenAnew() {
        func verdicts(_ written: ControlGroups) -> [PixelVerdict] {
            var stage = Stage()
            for _ in 0..<6 {
                for exposure in [1.0, 2, 4] { stage.take(exposure, count: 2) }
                stage.take(1, count: 2)
                stage.take(4, had: 1, scene: 1, count: 3)
                stage.take(4, written: written)
                stage.take(4)
            }
            return stage.finish()
        }
        let written = verdicts(ControlGroups(.exposure))
        #expect(
            written.indices.allSatisfy { !(8..<11).contains($0 % 13) || written[$0] != .confirmed })
        #expect(written.allSatisfy { !$0.isContradicted })
        let kept = verdicts([])
        #expect(kept.indices.contains { (8..<11).contains($0 % 13) && kept[$0] == .confirmed })
    }

    /// A slot waits for another frame, and meanwhile what was written ahead for the next one has come: if the write
    /// behind that is lost, it has the next one's setting.
    @Test(
        "A setting that looks like one to come is not confirmed, since that may be written ahead",
        arguments: [1.5, 2.5])
    func doubtsWhatIsWrittenAhead(next: Double) {
        func verdict(had: Double?) -> PixelVerdict {
            var stage = Stage(isLinear: false)
            stage.take(1)
            stage.take(4, had: had)
            stage.take(next)
            stage.take(1)
            stage.take(next, count: 5)
            return stage.finish()[1]
        }
        #expect(verdict(had: next) != .confirmed)
        #expect(verdict(had: nil) == .confirmed)
    }
}
