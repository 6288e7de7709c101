import Devices
import Foundation
import Simulation
import Testing
import Timebase

/// Scenes that change, as the pixels of the simulated camera show them.
@Suite struct SimulatedSceneTests {
    private func film(
        _ count: Int, rate: Int64 = 30, exposure: Int64 = 4_000, seed: UInt64 = 1,
        _ change: (inout SimulatedScene) -> Void
    ) throws -> FilmedScene {
        try FilmedScene(count, rate: rate, exposure: exposure, seed: seed) { change(&$0.scene) }
    }

    @Test(arguments: [100, 10_000, 250_000, 10_000_000] as [Int64])
    func `a scene is as bright as it was asked for`(millionths: Int64) throws {
        // As long as the usual scene is far from full scale, and the dark one from a single code.
        let exposure: Int64 = millionths > 1_000_000 ? 1_000 : 30_000
        let usual = try film(1, rate: 10, exposure: exposure) { _ in }.means[0]
        let changed = try film(1, rate: 10, exposure: exposure) {
            $0.luminanceMillionths = millionths
        }
        let expected = usual * Double(millionths) / 1_000_000
        #expect(abs(changed.means[0] - expected) < max(0.25, expected / 500))
        #expect(changed.truth.map(\.light) == [millionths])
    }

    /// With 400 steps the spread is known to 3.5 %.
    @Test func `light that drifts is as uncertain after a second as was asked for`() throws {
        var steps: [Double] = []
        for seed in 1...10 as ClosedRange<UInt64> {
            let logs = try film(41, rate: 1, exposure: 8_000, seed: seed) {
                $0.changes.driftMillionths = 100_000
            }.means.map { log($0) }
            steps += zip(logs.dropFirst(), logs).map(-)
        }
        let variance = FilmedScene.mean(steps.map { $0 * $0 })
        #expect(abs(variance.squareRoot() - 0.1) < 0.01)
        #expect(abs(FilmedScene.mean(steps)) < 0.02)
    }

    @Test func `light drifts smoothly, and never further than eight times`() throws {
        let logs = try film(600, rate: 120, exposure: 1_500) {
            $0.changes.driftMillionths = 800_000
        }.means.map { log($0 / 120) }
        // In a sixteenth of a second a step of at most six deviations, eased in: its steepest slope is 1.5 of the mean.
        let slopes = zip(logs.dropFirst(), logs).map { abs($0 - $1) }
        #expect(try #require(slopes.max()) < 6 * 0.2 * 16 / 120 * 1.5)
        #expect(try #require(slopes.max()) > 0.03)
        #expect(logs.allSatisfy { abs($0) < log(8) + 0.15 })
    }

    /// What flickers, by adding up many pieces of the exposure of each row.
    @Test(arguments: [(100_000, 2_500), (120_000, 3_000), (50_500, 7_000)] as [(Int64, Int64)])
    func `rows of a rolling shutter show what a lamp did while each was exposed`(
        millihertz: Int64, exposure: Int64
    ) throws {
        func film(_ flicker: SceneChanges.Flicker?) throws -> [[Double]] {
            try FilmedScene(3, exposure: exposure) {
                $0.shutter.rowTime = .microseconds(700)
                $0.scene.changes.flicker = flicker
                $0.scene.luminanceMillionths = 2_000_000
            }.frames.flatMap(\.pixels)
        }
        let steady = try film(nil).map(FilmedScene.mean)
        let lit = try film(.init(millihertz: millihertz, depthMillionths: 400_000))
            .map(FilmedScene.mean)
        let seen = zip(lit, steady).map { $0 / $1 }
        /// The mean of a wave of straight lines from −1 to 1 over a row's exposure.
        func light(_ row: Int, _ phase: Double) -> Double {
            // 30 frames in a second; the second and third of the three begin a period later each.
            let end = Double(row / 24) / 30 + Double(row % 24) * 0.000_7
            let start = end - Double(exposure) / 1e6
            let waves = (0..<64).map { piece in
                let time = start + (end - start) * (Double(piece) + 0.5) / 64
                let place = (time * Double(millihertz) / 1_000 + phase + 100)
                    .truncatingRemainder(dividingBy: 1)
                return abs(place * 4 - 2) - 1
            }
            return 1 + 0.4 * FilmedScene.mean(waves)
        }
        // The phase is the seed's business: the best of 256.
        let worst = (0..<256).map { phase in
            seen.indices.map { abs(seen[$0] - light($0, Double(phase) / 256)) }.max() ?? 1
        }.min()
        #expect(try #require(worst) < 0.01)
        #expect(try #require(seen.max()) - (seen.min() ?? 0) > 0.2)
    }

    @Test func `an exposure of whole periods does not see a lamp flicker`() throws {
        func spread(_ exposure: Int64) throws -> Double {
            let means = try film(40, rate: 25, exposure: exposure) {
                $0.changes.flicker = .init(millihertz: 101_000, depthMillionths: 200_000)
                $0.luminanceMillionths = 1_000_000
            }.means
            return ((means.max() ?? 0) - (means.min() ?? 0)) / FilmedScene.mean(means)
        }
        // 9901 µs is a period to 10⁻⁵, and 990 µs a tenth.
        #expect(try spread(9_901) < 0.002)
        #expect(try spread(990) > 0.3)
    }

    @Test func `light jumps as often as was asked for, each ratio as likely`() throws {
        let film = try film(2_000, exposure: 3_000) { $0.changes.jumpsPerMillion = 200_000 }
        let usual = try self.film(1, exposure: 3_000) { _ in }.means[0]
        let logs = film.means.map { log($0 / usual) / log(8) }
        #expect(logs.allSatisfy { abs($0) < 1.02 })
        let jumps = zip(logs.dropFirst(), logs).filter { abs($0 - $1) > 0.001 }
        // A standard deviation is 18 of 400.
        #expect(abs(jumps.count - 400) < 60)
        let levels = jumps.map(\.0)
        #expect(abs(FilmedScene.mean(levels)) < 0.12)
        #expect(abs(FilmedScene.mean(levels.map { $0 * $0 }) - 1 / 3) < 0.08)
        let told = film.truth.compactMap(\.light).map { log(Double($0) / 1e6) / log(8) }
        #expect(zip(told, logs).allSatisfy { abs($0 - $1) < 0.02 })
    }

    @Test func `something moves across the picture, darker and brighter by turns`() throws {
        let (width, height) = (80, 60)
        func film(_ share: Int) throws -> FilmedScene {
            try FilmedScene(200, size: (width, height), rate: 30, exposure: 12_000) {
                $0.scene.changes.movingMillionths = share
            }
        }
        let still = try film(0).frames[0]
        let moving = try film(250_000)
        var seen: Set<Double> = []
        for frame in moving.frames {
            let ratios = (0..<height).map { y in
                (0..<width).map { frame.pixels[y][$0] / still.pixels[y][$0] }
            }
            let covered = ratios.flatMap { $0 }.filter { abs($0 - 1) > 0.01 }
            guard let radiance = covered.first.map({ $0 < 1 ? 0.3 : 3 }) else { continue }
            seen.insert(radiance)
            // One rectangle, and all of it as bright.
            #expect(covered.allSatisfy { abs($0 - radiance) < 0.02 })
            let rows = ratios.indices.filter { y in ratios[y].contains { abs($0 - 1) > 0.01 } }
            let columns = (0..<width).filter { abs(ratios[rows[0]][$0] - 1) > 0.01 }
            #expect(covered.count == rows.count * columns.count)
            #expect(rows.count == 30 && columns.count <= 40)
            // The rig was made at 1000 s. A pass takes 2 s; within it the right edge goes from 0 to 120.
            let since = Double(frame.timestamp.nanoseconds - 1_000_000_000_000) / 2e9
            let right = 120 * since.truncatingRemainder(dividingBy: 1)
            #expect(radiance == (Int(since) % 2 == 0 ? 0.3 : 3))
            #expect(abs(Double(columns[0]) - max(0, right - 40)) <= 1)
            #expect(abs(Double(columns[0] + columns.count) - min(80, right)) <= 1)
        }
        #expect(seen == [0.3, 3])
    }

    @Test(arguments: [500_000, 1_000_000, 8_000_000] as [Int64])
    func `an iris that nobody asked for goes a third of the way to its target each frame`(
        luminance: Int64
    ) throws {
        let write = ControlValue(FilmedScene.exposure, 2_000)
        let film = try FilmedScene(40, exposure: 1_000, changes: [15: write]) {
            $0.scene.changes.hasHiddenIris = true
            $0.scene.luminanceMillionths = luminance
        }
        let levels = film.means.map { $0 / 4_095 }
        let step = (16..<22).first { levels[$0] > levels[$0 - 1] * 1.8 }
        #expect(step != nil)
        for place in 1..<40 where place != step && levels[place - 1] > 0.02 {
            let expected = levels[place - 1] + (0.18 - levels[place - 1]) / 3
            #expect(abs(levels[place] - expected) < 0.006, "frame \(place)")
        }
        #expect(abs(levels[39] - 0.18) < 0.006)
        #expect(film.readBack.exposure == 2_000)
        #expect(Set(film.truth.map { $0.codes.first?.code }) == [1_000, 2_000])
    }

    /// All at once, on a 12-bit sensor with noise: a seed decides every pixel, on every machine.
    @Test func `a seed decides a scene to the last bit`() throws {
        func pixels(_ seed: UInt64) throws -> UInt64 {
            let film = try FilmedScene(40, exposure: 4_000, seed: seed) {
                $0.hasNoise = true
                $0.shutter.rowTime = .microseconds(20)
                $0.scene.luminanceMillionths = 300_000
                $0.scene.changes.driftMillionths = 300_000
                $0.scene.changes.flicker = .init(millihertz: 99_970, depthMillionths: 300_000)
                $0.scene.changes.jumpsPerMillion = 100_000
                $0.scene.changes.movingMillionths = 100_000
                $0.scene.changes.hasHiddenIris = true
            }
            // FNV-1a.
            return film.frames.flatMap { $0.pixels.flatMap { $0 } }
                .reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        let seven = try pixels(7)
        #expect(seven == 7_976_233_870_642_869_531)
        #expect(try pixels(8) != pixels(7))
    }
}
