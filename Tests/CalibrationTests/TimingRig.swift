import Calibration
import Devices
import Imaging
import Simulation
import Testing
import Timebase

/// A simulated camera before a light, for timing.
struct TimingRig {
    var options = SimulationOptions(seed: 1)
    var rate: Int64 = 30
    var pulse = Interval.microseconds(100)
    var back: LineRequest?

    static let light = LineRequest(
        name: "strobe", chip: "simulated", position: .offset(0), direction: .output)

    static func input(_ name: String) -> LineRequest {
        LineRequest(
            name: name, chip: "simulated", position: .offset(1), direction: .input, edge: .both)
    }

    var configuration: CaptureConfiguration {
        get throws {
            CaptureConfiguration(
                pixelFormat: try #require(PixelFormat.named("GREY")),
                size: try #require(FrameSize(width: 320, height: 240)),
                rate: FrameRate(frames: rate))
        }
    }

    func measure() throws -> TimingReport {
        try TimingCalibration(light: Self.light, back: back, pulse: pulse, flashes: 32)
            .measure(
                in: SimulatedWorld(options), profile: .simulated, configuration: configuration)
    }
}
