import Devices
import Simulation
import Testing
import Timebase

/// Cameras that are not as their profile and their own words say.
@Suite struct UnfaithfulCameraTests {
    private static func codes(_ film: FilmedScene, _ control: CameraControl) -> [Int64] {
        film.truth.compactMap { frame in
            frame.codes.first { $0.control == control }?.code
        }
    }

    @Test func `an ignored exposure reads back, and stays what it was`() throws {
        let film = try FilmedScene(
            20, exposure: 4_000,
            changes: [
                5: ControlValue(FilmedScene.exposure, 16_000),
                10: ControlValue(FilmedScene.gain, 128),
            ]
        ) { $0.faults.injected.ignoredControls = [.exposure] }
        #expect(film.readBack == (16_000, 128))
        #expect(Set(Self.codes(film, FilmedScene.exposure)) == [4_000])
        // The gain is obeyed: the picture is twice as bright from then on.
        #expect(abs(film.means[9] / film.means[0] - 1) < 0.001)
        #expect(abs(film.means[19] / film.means[0] - 2) < 0.01)
    }

    @Test func `an ignored gain leaves the exposure alone`() throws {
        let film = try FilmedScene(
            20, exposure: 4_000,
            changes: [
                5: ControlValue(FilmedScene.gain, 256),
                10: ControlValue(FilmedScene.exposure, 2_000),
            ]
        ) { $0.faults.injected.ignoredControls = [.gain] }
        #expect(film.readBack == (2_000, 256))
        #expect(Set(Self.codes(film, FilmedScene.gain)) == [64])
        #expect(abs(film.means[19] / film.means[0] - 0.5) < 0.01)
    }

    @Test func `a slow camera shows a write so many frames later`() throws {
        func shown(_ extra: Int64) throws -> (pixels: Int, truth: Int) {
            let film = try FilmedScene(
                20, exposure: 4_000, changes: [5: ControlValue(FilmedScene.exposure, 8_000)]
            ) { $0.faults.injected.extraLatency = extra }
            // What was written before the start shows from the first frame on.
            #expect(Self.codes(film, FilmedScene.exposure)[0] == 4_000)
            let codes = Self.codes(film, FilmedScene.exposure)
            return (
                try #require(film.means.firstIndex { $0 > film.means[0] * 1.9 }),
                try #require(codes.firstIndex(of: 8_000))
            )
        }
        let usual = try shown(0)
        let slow = try shown(2)
        #expect(slow.pixels == usual.pixels + 2 && slow.pixels == slow.truth)
    }

    @Test func `jitter is uniform from zero on, and nothing is timestamped after it came`() throws {
        let film = try FilmedScene(600) {
            $0.faults.injected.timestampJitter = .milliseconds(9)
        }
        // To the microsecond, as the driver has it.
        let late = zip(film.frames, film.truth).map {
            Double(($0.timestamp - $1.exposureEnd).nanoseconds) / 1e6
        }
        #expect(late.allSatisfy { (-0.001...9).contains($0) })
        // Means and deviations of 600 are known to 0.11 ms and 0.05 ms.
        let mean = FilmedScene.mean(late)
        let variance = FilmedScene.mean(late.map { ($0 - mean) * ($0 - mean) })
        #expect(abs(mean - 4.5) < 0.4 && abs(variance.squareRoot() - 2.6) < 0.2)
        #expect(film.frames.allSatisfy { $0.timestamp <= $0.arrival })
    }
}
