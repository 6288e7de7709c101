import Devices
import Engine
import Foundation
import Imaging
import Notation
import Recipes
import Records
import TestSupport
import Timebase

/// A run of brackets of five from a seed: which controls change from shot to shot, and how the camera behaves.
struct BracketRig {
    static let shotCount = 5

    let seed: UInt64
    let manner: BracketCamera.Manner
    /// The codes of each shot, in the order of ``BracketCamera/controls``.
    let shots: [[Int64]]
    let plan: Plan

    /// - Parameters:
    ///   - brackets: how many, one after the other.
    ///   - losesFrames: whether frames may get lost.
    init(seed: UInt64, brackets: Int64, losesFrames: Bool) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let period = Interval.microseconds(random.number(4_000...40_000))
        func part(_ percent: Int64) -> Interval {
            .nanoseconds(random.number(0...period.nanoseconds * percent / 100))
        }
        let balance = Int(random.number(0...5))
        manner = BracketCamera.Manner(
            period: period,
            latencies: (0..<3).map { _ in Int(random.number(0...5)) } + [balance, balance],
            delay: random.chance(30) ? .zero : part(20), transfer: part(150),
            writeDuration: random.chance(30) ? .zero : part(25),
            lostByDriver: losesFrames ? random.number(0...20) : 0,
            lostInside: losesFrames ? random.number(0...10) : 0)
        // One control of each kind has a code of its own for every shot; others change less often, or never.
        let changes = (0..<4).map { _ in random.chance(60) }
        shots = (0..<Int64(Self.shotCount)).map { shot in
            (0..<5).map { control in
                let changes = changes[min(control, 3)] || control == Int(seed % 4)
                let other = changes ? shot : shot / 3
                return 100 + 10 * Int64(control) + other
            }
        }
        plan = try Self.plan(manner, shots, brackets: brackets)
    }

    private static func plan(
        _ manner: BracketCamera.Manner, _ shots: [[Int64]], brackets: Int64
    ) throws -> Plan {
        guard let pixels = PixelFormat.named("GREY"), let size = FrameSize(width: 16, height: 16),
            let rate = FrameRate(frames: 1_000_000, seconds: manner.period.nanoseconds / 1_000)
        else { throw DeviceError(.unsupported, "no such format") }
        let settings = shots.map { codes in
            let frame = FrameSettings(
                exposure: .value(.microseconds(codes[0])),
                gain: .value(Gain(millionths: codes[1] * 1_000_000)),
                lens: LensPosition(millionths: codes[2] * 1_000).map { .value($0) } ?? .free,
                whiteBalance: .value(
                    .gains(
                        red: Gain(millionths: codes[3] * 1_000_000),
                        green: Gain(millionths: 1_000_000),
                        blue: Gain(millionths: codes[4] * 1_000_000))))
            return PlannedSettings(
                requested: frame, quantised: frame,
                codes: zip(BracketCamera.controls, codes).map { ControlValue($0, $1) },
                latencyFrames: manner.latencies.max() ?? 0, settle: .zero)
        }
        var program: [Instruction] = [.loop(count: brackets, every: .zero, end: 6, step: 0)]
        for shot in shots.indices {
            program.append(.capture(count: 1, settings: Int32(shot), lights: 0, step: 0))
        }
        program.append(.endLoop(start: 0))
        return Plan(
            name: "brackets",
            camera: PlannedCamera(
                id: "bracket", profile: profile(manner),
                configuration: CaptureConfiguration(pixelFormat: pixels, size: size, rate: rate)),
            settings: settings, lines: [], steps: ["sequence[0]"], program: program,
            output: OutputOptions(), require: Requirements())
    }

    private static func profile(_ manner: BracketCamera.Manner) -> CameraProfile {
        var profile = CameraProfile(
            name: "bracket",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: manner.delay, readout: .zero))
        let (controls, latencies) = (BracketCamera.controls, manner.latencies)
        profile.exposure = ExposureModel(
            control: controls[0], unitPicoseconds: 1_000_000, codes: CodeRange(1, 1_000_000),
            latencyFrames: latencies[0], latencyOrigin: .exact)
        profile.gain = GainModel(
            control: controls[1], law: .linear(unity: 1), codes: CodeRange(1, 1_000),
            isoAtUnity: 100, latencyFrames: latencies[1])
        profile.gain?.latencyOrigin = .exact
        profile.focus = FocusModel(
            control: controls[2], nearCode: 0, farCode: 1_000, latencyFrames: latencies[2],
            settle: .zero)
        profile.focus?.latencyOrigin = .exact
        profile.whiteBalance = WhiteBalanceModel(
            components: .init(
                red: controls[3], blue: controls[4], unity: 1, codes: CodeRange(1, 1_000)),
            temperature: nil,
            latencyFrames: latencies[3], latencyOrigin: .exact)
        return profile
    }

    /// Runs it into a folder.
    func run(in folder: String) throws -> Judgement {
        let time = BracketTime()
        guard
            let layout = FrameLayout(
                pixelFormat: plan.camera.configuration.pixelFormat,
                size: plan.camera.configuration.size)
        else { throw DeviceError(.unsupported, "no such layout") }
        let camera = BracketCamera(manner, layout: layout, time: time, seed: seed)
        let world = BracketWorld(camera, time: time)
        let prepared = try PreparedRun(plan, in: world)
        let record = try RunRecord(
            in: RunFolder.create(at: folder),
            RunDescription(
                version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [], plan: plan,
                camera: camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]), isDurable: false)
        return try Runner(prepared, record: record, progress: RunProgress()).run()
    }
}
