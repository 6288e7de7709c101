internal import Devices
internal import Imaging
internal import Timebase

/// Collects the edges of a camera's strobe output, and the timestamps of its frames.
struct StrobeStage: CalibrationStage {
    /// Frames after which an edge must have come, those that are skipped included.
    private static let patienceFrames = 30

    let subjects: FrameMeter.Subjects = []
    /// The timestamps of undamaged frames after the skipped ones.
    private(set) var timestamps: [Instant<Monotonic>] = []
    /// Every edge since the stream began, rising and falling, in order.
    private(set) var edges: [LineEdge] = []
    private let frames: Int
    private let line: String
    private var framesSeen = 0
    private var framesToSkip: Int

    init(frames: Int, skipping: Int, line: String) {
        self.frames = frames
        self.line = line
        framesToSkip = skipping
    }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if edges.isEmpty, framesSeen >= Self.patienceFrames {
            throw CalibrationError(
                "no edge came on line \(line) in \(framesSeen) frames: check the wiring and that the"
                    + " camera's strobe output is on")
        }
        return timestamps.count >= frames ? .finish : .wait(until: .distantFuture)
    }

    mutating func handle(_ event: CalibrationEvent) {
        switch event {
        case .edge(let edge): edges.append(edge)
        case .frame(let frame):
            framesSeen += 1
            if framesToSkip > 0 {
                framesToSkip -= 1
            } else if !frame.isDamaged {
                timestamps.append(frame.timestamp)
            }
        case .written, .changed, .set: break
        }
    }
}
