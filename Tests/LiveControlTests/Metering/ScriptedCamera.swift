import Imaging
import ProvingGround
import TestSupport
import Timebase

@testable import Devices
@testable import LiveControl

/// A camera around a scene: settings take frames to arrive, and are not certain meanwhile; the lens has play.
struct ScriptedCamera {
    private(set) var scene: TestScene
    /// What the pixels are taken with now.
    private(set) var settings: FrameSettings
    /// Where the lens really is, 0 to 1.
    private(set) var lens = 0.5
    /// What every frame was measured to.
    private(set) var measurements: [MeterReading] = []
    /// Whether the camera balances by itself.
    let balances: Bool
    private let latency: Int
    private let play: Double
    private var arriving: [(frames: Int, settings: FrameSettings)] = []
    private var random: SeededGenerator

    init(_ scene: TestScene, settings: FrameSettings, balances: Bool = false, seed: UInt64) {
        self.scene = scene
        self.settings = settings
        self.balances = balances
        random = SeededGenerator(seed: seed ^ 0x5ca1ab1e)
        latency = random.below(4)
        play = Double(random.below(30)) / 1_000
        lens = Double(settings.lens.asked?.millionths ?? 500_000) / 1e6
    }

    /// Writes settings; they arrive some frames later.
    mutating func write(_ wanted: FrameSettings) {
        arriving.append((latency, wanted))
    }

    /// Takes a frame and measures it.
    mutating func next(_ meter: FrameMeter) -> MeterReading {
        while let first = arriving.first, first.frames <= 0 {
            arriving.removeFirst()
            apply(first.settings)
        }
        let frame = render(meter)
        let reading = frame.withUnsafeBytes { meter.read($0) }
        // What is on its way is sometimes not certain, and else still the old one.
        let isCertain = arriving.isEmpty || random.chance(50)
        let measurement = MeterReading(
            sequence: Int64(measurements.count),
            settings: isCertain ? settings : FrameSettings(), reading: reading)
        measurements.append(measurement)
        for index in arriving.indices { arriving[index].frames -= 1 }
        return measurement
    }

    private mutating func apply(_ wanted: FrameSettings) {
        if wanted.exposure != .free { settings.exposure = wanted.exposure }
        if wanted.gain != .free { settings.gain = wanted.gain }
        if wanted.whiteBalance != .free { settings.whiteBalance = wanted.whiteBalance }
        guard let position = wanted.lens.asked else { return }
        let before = settings.lens.asked?.millionths ?? 500_000
        let commanded = Double(position.millionths) / 1e6
        // Play: coming from far, the lens stays a little farther than it was told, and the other way round.
        if position.millionths < before { lens = commanded + play / 2 }
        if position.millionths > before { lens = commanded - play / 2 }
        settings.lens = wanted.lens
    }

    private mutating func render(_ meter: FrameMeter) -> [UInt8] {
        if meter.subjects == .focus { return scene.grey(lens: lens) }
        let gain = Double(settings.gain.asked?.millionths ?? 1_000_000) / 1e6
        var (red, blue) = (1.0, 1.0)
        if balances, case .value(.gains(let redGain, _, let blueGain)) = settings.whiteBalance {
            (red, blue) = (Double(redGain.millionths) / 1e6, Double(blueGain.millionths) / 1e6)
        }
        return scene.bayer(
            exposure: settings.exposure.asked ?? .zero, gain: gain, red: red, blue: blue)
    }

    /// Lets a routine work until it is done, or for so many frames.
    mutating func run<Routine: MeteringRoutine>(
        _ routine: inout Routine, with meter: FrameMeter, frames: Int
    ) -> [MeteringDecision] {
        var decisions: [MeteringDecision] = []
        for _ in 0..<frames {
            let decision = routine.handle(next(meter))
            decisions.append(decision)
            if case .write(let wanted) = decision { write(wanted) }
            if case .finish = decision { break }
        }
        return decisions
    }
}

/// A sensor as boards have them: lines of 15.167 µs to 33 ms, gain 1024 / (1024 − x), a lens from code 925 to 445.
func testProfile(balances: Bool = false) -> CameraProfile {
    var profile = CameraProfile(
        name: "test",
        timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
    profile.exposure = ExposureModel(
        control: CameraControl(rawValue: 1), unitPicoseconds: 15_166_667,
        codes: CodeRange(4, 2_200), latencyFrames: 2)
    profile.gain = GainModel(
        control: CameraControl(rawValue: 2), law: .reciprocal(base: 1_024),
        codes: CodeRange(0, 978), isoAtUnity: 100, latencyFrames: 2)
    profile.focus = FocusModel(
        control: CameraControl(rawValue: 3), nearCode: 925, farCode: 445, latencyFrames: 2,
        settle: .zero)
    if balances {
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(
                red: CameraControl(rawValue: 4), blue: CameraControl(rawValue: 5), unity: 1_024,
                codes: CodeRange(256, 8_191)),
            temperature: nil, latencyFrames: 1)
    }
    return profile
}

/// A meter for the frames of ``TestScene``.
func testMeter(_ format: String, _ subjects: FrameMeter.Subjects) -> FrameMeter? {
    guard let format = PixelFormat.named(format),
        let size = FrameSize(width: TestScene.width, height: TestScene.height)
    else { return nil }
    return FrameMeter(
        format: format, size: size, blackLevel: Int(TestScene.black), subjects: subjects)
}
