internal import Devices
internal import Imaging
internal import Timebase

/// Writes controls, waits until any latency and any lens must be over, and reads a few frames.
struct SteadyReading: CalibrationStage {
    /// No control takes longer than this many frames: a profile can't have more either.
    ///
    /// The latency is what is to be measured, so its figure in the profile is not used for waiting.
    static let longestLatencyFrames = 32
    /// Frames that are read; an odd number, so that they have a median.
    private static let readingCount = 3

    private var toWrite: [ControlValue]
    private let rest: Interval
    private let wanted: FrameMeter.Subjects
    private var framesToSkip = longestLatencyFrames + 1
    private var restsAt = Instant<Monotonic>.distantPast
    /// The frames that were read, none of them damaged.
    private(set) var readings: [FrameReading] = []
    /// What refused, and how: 0 for nothing.
    private(set) var refused: (value: ControlValue, errno: Int32)?

    /// Creates the stage.
    ///
    /// - Parameters:
    ///   - values: each is written in a call of its own.
    ///   - subjects: what is read of the frames.
    ///   - rest: how long a lens moves; frames count only with timestamps after it.
    init(_ values: [ControlValue], subjects: FrameMeter.Subjects, rest: Interval = .zero) {
        toWrite = values
        wanted = subjects
        self.rest = rest
    }

    var subjects: FrameMeter.Subjects { framesToSkip > 0 ? [] : wanted }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if refused != nil || readings.count >= Self.readingCount { return .finish }
        return toWrite.isEmpty ? .wait(until: .distantFuture) : .write([toWrite.removeFirst()])
    }

    mutating func handle(_ event: CalibrationEvent) {
        switch event {
        case .written(let write):
            restsAt = write.ended + rest
            if write.errno != 0, let value = write.values.first { refused = (value, write.errno) }
        case .changed, .set, .edge: break
        case .frame(let frame):
            guard toWrite.isEmpty else { return }
            if framesToSkip > 0 {
                if frame.timestamp >= restsAt { framesToSkip -= 1 }
            } else if !frame.isDamaged {
                readings.append(frame.reading)
            }
        }
    }
}
