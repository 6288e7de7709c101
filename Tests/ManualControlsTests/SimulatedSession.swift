import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

/// A session on the simulated camera, without noise unless it is asked for, in virtual time.
struct SimulatedSession {
    let session: CameraSession
    let frames: LiveOutput<LiveFrame>
    let reports: LiveOutput<FrameReport>

    init(
        pixels: String = "Y12", simulation: SimulationOptions = SimulatedSession.quiet,
        profile: CameraProfile = .simulated, options: CameraSession.Options = .init()
    ) throws {
        let configuration = CaptureConfiguration(
            pixelFormat: try #require(PixelFormat.named(pixels)),
            size: try #require(FrameSize(width: 320, height: 240)), rate: FrameRate(frames: 30))
        var options = options
        options.poolCount = 512
        session = try CameraSession(
            world: SimulatedWorld(simulation), profile: profile, configuration: configuration,
            options: options)
        frames = session.frames(capacity: 512)
        reports = session.statistics(capacity: 4_096)
    }

    static var quiet: SimulationOptions { SimulationOptions(hasNoise: false) }

    /// The frames that have come so far, up to and with one.
    func frames(upTo sync: SyncTime?) async throws -> [LiveFrame] {
        let last = try #require(sync)
        var found: [LiveFrame] = []
        for await case .item(let frame) in frames {
            found.append(frame)
            if frame.sequence == last.sequence { break }
        }
        return found
    }

    /// The measurements that have come so far, up to and with one.
    func reports(upTo sync: SyncTime?) async throws -> [FrameReport] {
        let last = try #require(sync)
        var found: [FrameReport] = []
        for await case .item(let report) in reports {
            found.append(report)
            if report.sequence == last.sequence { break }
        }
        return found
    }
}

extension LiveFrame {
    /// The mean of all samples, by two bytes each.
    var mean: Double {
        withBytes { bytes in
            var sum = 0
            for offset in stride(from: 0, to: bytes.count, by: 2) {
                sum += Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
            }
            return Double(sum) / Double(bytes.count / 2)
        }
    }
}

/// A lens position that a test knows to be one.
func lens(_ millionths: Int64) throws -> LensPosition {
    try #require(LensPosition(millionths: millionths))
}

/// A scene so many thousandths of an EV brighter than usual.
func scene(evThousandths: Int64) -> SimulatedScene {
    var factor = 1.0
    let step = evThousandths < 0 ? 1 / 1.000_693_387_462_580_6 : 1.000_693_387_462_580_6
    for _ in 0..<evThousandths.magnitude { factor *= step }
    return SimulatedScene(luminanceMillionths: Int64(factor * 1_000_000))
}
