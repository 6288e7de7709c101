import Devices
import Foundation
import TestSupport
import Testing
import Tracking

struct LagCheckTests {
    /// Frames of a camera that is late, in a scene that changes from frame to frame by up to so much.
    private static func late(
        _ settings: [(exposure: Int64, gain: Int64)], exposure: Int, gain: Int,
        restlessness: Double = 0, lost: Int? = nil, lostOnce: Int? = nil, isCurved: Bool = false
    ) -> PerGroup<Int64> {
        var check = LagCheck()
        var random = SeededGenerator(seed: 0x1A6)
        for place in settings.indices {
            let claimed = settings[place]
            let isLost = place == lostOnce || lost.map { place % $0 == 0 } ?? false
            let written = isLost ? max(0, place - 1) : place
            var level =
                log(
                    Double(settings[max(0, written - exposure)].exposure)
                        * Double(settings[max(0, written - gain)].gain)) - 40
            if isCurved { level *= 0.45 }
            level += restlessness * Double.random(in: -1...1, using: &random)
            check.take(
                BrightnessFrame(
                    name: Int64(place),
                    claimed: PerGroup {
                        $0 == .exposure ? claimed.exposure : $0 == .gain ? claimed.gain : 0
                    },
                    certainty: PerGroup(repeating: .reported), level: level))
        }
        return check.late
    }

    private static func brackets(_ rounds: Int) -> [(exposure: Int64, gain: Int64)] {
        (0..<rounds).flatMap { _ in
            [(2, 1), (4, 1), (16, 1), (2, 3), (4, 3), (16, 3)].map {
                (Int64($0) * 1_000_000, Int64($1) * 1_000_000)
            }
        }
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 2), (4, 4), (5, 5), (2, 0)], [0, 0.3])
    func `the lag of a late camera is found, for exposure and gain apart`(
        lag: (exposure: Int, gain: Int), restlessness: Double
    ) {
        let late = Self.late(
            Self.brackets(8), exposure: lag.exposure, gain: lag.gain, restlessness: restlessness)
        #expect(late[.exposure] == Int64(lag.exposure))
        #expect(late[.gain] == Int64(lag.gain))
    }

    @Test(arguments: [2, 4])
    func `a response that is not linear is as late`(lag: Int) {
        let late = Self.late(Self.brackets(8), exposure: lag, gain: lag, isCurved: true)
        #expect(late[.exposure] == Int64(lag))
    }

    @Test(arguments: [3, 5, 11], [0, 0.5])
    func `writes that are lost make no camera late`(every: Int, restlessness: Double) {
        let late = Self.late(
            Self.brackets(8), exposure: 0, gain: 0, restlessness: restlessness, lost: every)
        #expect(late == PerGroup(repeating: 0))
    }

    /// A camera that is two frames late would explain that one write too.
    @Test func `settings that alternate make no camera late whose first write was lost`() {
        let settings = (0..<60).map {
            (exposure: Int64($0 % 2 == 0 ? 2_000_000 : 16_000_000), gain: Int64(1_000_000))
        }
        let late = Self.late(settings, exposure: 0, gain: 0, lostOnce: 1)
        #expect(late == PerGroup(repeating: 0))
    }

    @Test func `a camera that does nothing, and a scene that does all, show no lag`() {
        let still = [(exposure: Int64, gain: Int64)](
            repeating: (8_000_000, 1_000_000), count: 60)
        #expect(Self.late(still, exposure: 2, gain: 2) == PerGroup(repeating: 0))
        #expect(
            Self.late(Self.brackets(8), exposure: 100, gain: 100) == PerGroup(repeating: 0))
        #expect(
            Self.late(Self.brackets(8), exposure: 0, gain: 0, restlessness: 4)
                == PerGroup(repeating: 0))
    }

    /// As a gain that is a frame late would have it, a tenth as much.
    @Test func `changes that are far smaller than those of late settings make no camera late`() {
        let round: [(exposure: Int64, gain: Int64, level: Double)] = [
            (7_215_000, 4_000_000, -5.80), (27_486_000, 1_000_000, -5.65),
            (6_189_000, 4_000_000, -5.96),
        ]
        var check = LagCheck()
        for place in 0..<60 {
            let (exposure, gain, level) = round[place % 3]
            check.take(
                BrightnessFrame(
                    name: Int64(place),
                    claimed: PerGroup { $0 == .exposure ? exposure : $0 == .gain ? gain : 0 },
                    certainty: PerGroup(repeating: .reported), level: level))
        }
        #expect(check.late == PerGroup(repeating: 0))
    }

    @Test func `a few changes say nothing`() {
        #expect(Self.late(Self.brackets(1), exposure: 2, gain: 2) == PerGroup(repeating: 0))
    }

    @Test func `a gain that is late alone is found where the exposure stays`() {
        let gains = Self.brackets(8).map { (exposure: Int64(8_000_000), gain: $0.exposure) }
        let late = Self.late(gains, exposure: 0, gain: 2)
        #expect(late[.exposure] == 0 && late[.gain] == 2)
    }

    @Test func `a gain that never changes is not late`() {
        let exposures = Self.brackets(6).map { (exposure: $0.exposure, gain: Int64(1_000_000)) }
        let late = Self.late(exposures, exposure: 2, gain: 2)
        #expect(late[.exposure] == 2 && late[.gain] == 0)
    }
}
