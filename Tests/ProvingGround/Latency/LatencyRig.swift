internal import Calibration
internal import Devices
internal import Imaging
internal import Simulation
internal import Timebase

/// A simulated camera with latencies of its own, drawn from a seed, and a profile that knows them wrong.
struct LatencyRig {
    /// What each control is built to, in frames.
    let latencies: [CameraControl: Int64]
    let options: SimulationOptions
    let profile: CameraProfile
    let configuration: CaptureConfiguration

    private static let size = smallSize
    private static let names = [
        "exposure_time_absolute", "gain", "focus_absolute", "red_balance", "blue_balance",
        "white_balance_temperature",
    ]

    /// Draws a rig: latencies from 0 to 6 frames, any rate, light, noise, transfer, losses, late timestamps, slow
    /// writes.
    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var latencies: [CameraControl: Int64] = [:]
        for control in Self.names.compactMap({ CameraControl(name: $0) }) {
            latencies[control] = Int64.random(in: 0...6, using: &random)
        }
        self.latencies = latencies
        let frames: Int64 = [120, 60, 30, 25, 15].randomElement(using: &random) ?? 30
        let period = Interval.seconds(1) / frames
        configuration = CaptureConfiguration(
            pixelFormat: Self.pixels, size: Self.size, rate: FrameRate(frames: frames))
        // Bounds of what timestamps of a camera can tell: a bound of a third of a period leaves the middle of frames
        // clear.
        let delay = period * Int64.random(in: 0...300, using: &random) / 1_000
        options = Self.options(seed, latencies, period: period, delay: delay, &random)
        profile = Self.profile(delay: delay, &random)
    }

    private static func options(
        _ seed: UInt64, _ latencies: [CameraControl: Int64], period: Interval,
        delay: Interval, _ random: inout SplitMix64
    ) -> SimulationOptions {
        let isLossy = Bool.random(using: &random)
        var options = SimulationOptions(
            seed: seed, dropsPerMillion: isLossy ? Int.random(in: 0...10_000, using: &random) : 0,
            hasNoise: Int.random(in: 0...3, using: &random) > 0)
        options.scene = SimulatedScene(
            luminanceMillionths: .random(in: 300_000...1_500_000, using: &random),
            redMillionths: .random(in: 700_000...1_400_000, using: &random),
            blueMillionths: .random(in: 700_000...1_400_000, using: &random))
        options.shutter = SimulatedShutter(timestampDelay: delay)
        // Up to three frames on their way, never earlier than their timestamps.
        let transfer = period * Int64.random(in: 0...3_000, using: &random) / 1_000
        options.delays = SimulatedDelays(
            latencies: latencies, transfer: transfer + delay,
            write: period * Int64.random(in: 0...150, using: &random) / 1_000, extraSize: size)
        return options
    }

    /// The simulated camera's profile with any other latencies.
    private static func profile(delay: Interval, _ random: inout SplitMix64) -> CameraProfile {
        var profile = CameraProfile.simulated
        profile.timestamps.delay = delay
        profile.exposure?.latencyFrames = .random(in: 0...10, using: &random)
        profile.gain?.latencyFrames = .random(in: 0...10, using: &random)
        profile.focus?.latencyFrames = .random(in: 0...10, using: &random)
        profile.whiteBalance?.latencyFrames = .random(in: 0...10, using: &random)
        return profile
    }

    private static var pixels: PixelFormat {
        guard let pixels = PixelFormat.named("SRGGB12") else {
            preconditionFailure("a known format")
        }
        return pixels
    }

    private static var smallSize: FrameSize {
        guard let size = FrameSize(width: 64, height: 48) else { preconditionFailure("a size") }
        return size
    }
}
