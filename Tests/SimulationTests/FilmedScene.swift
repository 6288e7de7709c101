import Devices
import Imaging
import Simulation
import Testing
import Timebase

/// Frames of the simulated camera, as numbers.
struct FilmedScene {
    struct Frame {
        let timestamp: Instant<Monotonic>
        /// When the host had it.
        let arrival: Instant<Monotonic>
        /// Row by row, from the top.
        let pixels: [[Double]]

        var mean: Double { FilmedScene.mean(pixels.flatMap { $0 }) }
    }

    static let exposure = CameraControl(rawValue: 0x009a_0902)
    static let gain = CameraControl(rawValue: 0x0098_0913)

    private(set) var frames: [Frame] = []
    /// What really happened, where somebody asked.
    private(set) var truth: [SimulatedFrame] = []
    /// What the exposure and the gain read back at the end.
    private(set) var readBack: (exposure: Int64, gain: Int64) = (0, 0)

    /// Films with a gain of one.
    ///
    /// - Parameters:
    ///   - exposure: in microseconds, before the stream starts.
    ///   - changes: writes after the frame with this place has come.
    ///   - prepare: how the rig behaves; without noise unless this asks for it.
    init(
        _ count: Int, size: (width: Int, height: Int) = (32, 24), rate: Int64 = 30,
        exposure: Int64 = 4_000, changes: [Int: ControlValue] = [:], seed: UInt64 = 1,
        _ prepare: (inout SimulationOptions) -> Void
    ) throws {
        let size = try #require(FrameSize(width: size.width, height: size.height))
        var options = SimulationOptions(seed: seed, hasNoise: false)
        options.delays.extraSize = size
        prepare(&options)
        var truth: [SimulatedFrame] = []
        let world = SimulatedWorld(options) {
            if case .frame(let frame) = $0 { truth.append(frame) }
        }
        let camera = world.camera
        let pixels = try #require(PixelFormat.named("Y12"))
        let accepted = try camera.configure(
            CaptureConfiguration(
                pixelFormat: pixels, size: size, rate: FrameRate(frames: rate)))
        func write(_ values: [ControlValue]) {
            #expect(values.withUnsafeBufferPointer { camera.write($0) } == 0)
        }
        write(CameraProfile.simulated.automaticsOff)
        write([ControlValue(Self.exposure, exposure)])
        try camera.start()
        while frames.count < count {
            world.wait(until: .distantFuture)
            guard case .frame(let frame) = camera.dequeue() else { continue }
            let bytes = camera.bytes(of: frame)
            let rows = (0..<size.height).map { y in
                (0..<size.width).map { x in
                    let place = y * accepted.layout.bytesPerRow + 2 * x
                    return Double(Int(bytes[place]) + Int(bytes[place + 1]) << 8)
                }
            }
            frames.append(
                Frame(timestamp: frame.timestamp, arrival: world.now(), pixels: rows))
            #expect(camera.requeue(frame) == 0)
            if let change = changes[frames.count - 1] { write([change]) }
        }
        readBack = (
            try camera.read(Self.exposure).get(), try camera.read(Self.gain).get()
        )
        self.truth = truth
    }

    static func mean(_ numbers: [Double]) -> Double {
        numbers.reduce(0, +) / Double(numbers.count)
    }

    /// The mean of all frames.
    var means: [Double] { frames.map(\.mean) }
}
