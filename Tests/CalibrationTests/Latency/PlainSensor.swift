import Devices
import Imaging
import TestSupport
import Timebase

@testable import Calibration

/// A sensor that a stage is let loose on: frames of 16×12 pixels, one control, and the ways in which it can misbehave.
///
/// Frame k is read out when its period after frame k − 1 is over, and delivered 2 ms later.
struct PlainSensor {
    /// Light of codes 0 and 1, of 255.
    var levels: [UInt8] = [60, 120]
    /// From frame to frame with codes 0 and 1, in milliseconds.
    var periods: [Int64] = [10, 10]
    var latency = 2
    /// A write later than this in a frame, in thousandths, counts for the next.
    var latchPhase: Int64 = 1_000
    /// Whether the first frame that shows a value shows it in its lower half alone.
    var isLatchedInside = false
    /// Frames that a change is spread over.
    var smoothing = 1
    /// Whether the sequence stands still.
    var isStuck = false
    /// Frames that never come, by number, with or without a place in the sequence.
    var lost: Set<Int> = []
    var lostInside: Set<Int> = []
    /// Writes by number, from 0, that are refused, do nothing, or are followed by somebody else's.
    var refused: Set<Int> = []
    var ignored: Set<Int> = []
    var disturbed: Set<Int> = []

    static let control = CameraControl(rawValue: 0x0098_0913)
    static let identity = CameraIdentity(
        id: "plain", name: "", driver: "", bus: "", backend: "", path: "")

    private static let origin = Instant<Monotonic>(nanoseconds: 1_000_000_000)
    private let meter: FrameMeter? = PixelFormat.named("GREY").flatMap { format in
        FrameSize(width: 16, height: 12).map {
            FrameMeter(format: format, size: $0, subjects: .light)
        }
    }

    /// Steps the control with the trials of a schedule.
    func calibrate(
        trials: Int = 4, signal: LatencySignal = .light, delay: Interval = .zero
    ) throws -> LatencyTrials {
        var random = SeededGenerator(seed: 7)
        let contrast =
            signal == .spacing
            ? (periods[1] - periods[0]) * 1_000_000
            : Int64(levels[1] - levels[0]) * 1_000_000 / 255
        let step = LatencyStep(
            control: Self.control, low: 0, high: 1, contrast: contrast, signal: signal)
        return try run(
            LatencyTrials(
                step, schedule: TrialSchedule(trials: trials, using: &random),
                timestamps: TimestampModel(
                    point: .startOfReadout, delay: delay, readout: .zero),
                period: .milliseconds(periods[0]), camera: Self.identity))
    }

    /// Runs a stage to its end.
    private func run(_ stage: LatencyTrials) throws -> LatencyTrials {
        var stage = stage
        var now = Self.origin
        var (frame, writeCount, sequence) = (0, 0, UInt32(0))
        var (readout, before) = (now + .milliseconds(periods[0]), now)
        /// Codes from frames on, in the order of the writes.
        var writes: [(from: Int, code: Int)] = []
        func code(_ frame: Int) -> Int { writes.last { $0.from <= frame }?.code ?? 0 }
        while frame < 100_000 {
            switch try stage.next(at: now) {
            case .finish: return stage
            case .set: preconditionFailure("no trial of a latency sets a line")
            case .write(let values):
                let begun = now
                now = now + .microseconds(50)
                let (isRefused, number) = (refused.contains(writeCount), writeCount)
                writeCount += 1
                if !isRefused, !ignored.contains(number), let value = values.first {
                    // Frames that were read out and not yet delivered are exposed no more.
                    var (exposing, last, next) = (frame, before, readout)
                    while next <= now {
                        exposing += 1
                        last = next
                        next = next + .milliseconds(periods[code(exposing)])
                    }
                    let isLate =
                        (now - last).nanoseconds * 1_000 > (next - last).nanoseconds * latchPhase
                    writes.append((exposing + latency + (isLate ? 1 : 0), Int(value.code)))
                }
                stage.handle(
                    .written(
                        CalibrationWrite(
                            values: values, begun: begun, ended: now, errno: isRefused ? 5 : 0)))
                if disturbed.contains(number) {
                    stage.handle(.changed(ControlChange(Self.control, 3, at: now)))
                }
            case .wait(let deadline):
                guard readout + .milliseconds(2) <= deadline else {
                    now = max(now, deadline)
                    continue
                }
                now = max(now, readout + .milliseconds(2))
                if !lostInside.contains(frame), !isStuck { sequence += 1 }
                if !lost.contains(frame), !lostInside.contains(frame) {
                    stage.handle(
                        .frame(
                            CalibrationFrame(
                                sequence: sequence, timestamp: readout,
                                reading: reading(frame, code))))
                }
                frame += 1
                before = readout
                readout = readout + .milliseconds(periods[code(frame)])
            }
        }
        return stage
    }

    private func reading(_ frame: Int, _ code: (Int) -> Int) -> FrameReading {
        let recent = (0..<smoothing).map { Int(levels[code(frame - $0)]) }
        let level = UInt8(recent.reduce(0, +) / smoothing)
        let upper = isLatchedInside ? levels[code(frame - 1)] : level
        let pixels = [UInt8](repeating: upper, count: 96) + [UInt8](repeating: level, count: 96)
        return pixels.withUnsafeBytes { meter?.read($0) } ?? FrameReading()
    }
}
