import Calibration
import Devices
import Imaging
import Simulation
import TestSupport
import Testing
import Timebase

/// Latencies in front of a scene that does not keep still.
struct MovingSceneTests {
    /// Measures the simulated camera; returns why each setting was skipped, or why nothing was measured at all.
    private static func reasons(
        seed: UInt64, _ change: (inout SceneChanges) -> Void
    ) throws -> [String] {
        var simulation = SimulationOptions()
        simulation.seed = seed
        change(&simulation.scene.changes)
        let configuration = CaptureConfiguration(
            pixelFormat: try #require(PixelFormat.named("SRGGB12")),
            size: try #require(FrameSize(width: 320, height: 240)), rate: FrameRate(frames: 30))
        var random = SeededGenerator(seed: seed)
        do {
            let report = try LatencyCalibration(trials: 2).measure(
                in: SimulatedWorld(simulation), profile: .simulated,
                configuration: configuration, using: &random)
            return report.skipped.map(\.reason)
        } catch let error as CalibrationError {
            return [error.message]
        }
    }

    @Test func `a scene that moves is not called a control that does nothing`() throws {
        var (told, unstill) = (0, 0)
        for seed: UInt64 in 1...8 {
            let reasons = try Self.reasons(seed: seed) {
                $0.movingMillionths = 400_000
                $0.driftMillionths = 200_000
            }
            for reason in reasons where !reason.contains("has no control for it") {
                told += 1
                unstill += reason.hasPrefix("the scene is not still enough") ? 1 : 0
                #expect(!reason.contains("has no effect"), "\(reason)")
                #expect(reason.contains("still"), "\(reason)")
            }
        }
        #expect(told > 8, "a scene like that can't be measured")
        #expect(unstill > 0, "steps that the scene has hidden")
    }
}
