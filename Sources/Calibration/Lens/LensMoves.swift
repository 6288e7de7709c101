internal import Devices
internal import Imaging
internal import Timebase

/// Sends a lens to codes one after the other, and reads how sharp the frames are when it has come to rest.
struct LensMoves: CalibrationStage {
    /// One move and what was seen after it.
    struct Move: Sendable {
        var code: Int64
        /// The write; nil until it was done.
        var written: CalibrationWrite?
        /// Timestamps and scores, in order: from the write on for a watched move, else of the last frames.
        var scores: [(timestamp: Instant<Monotonic>, score: Int64)] = []
        /// Timestamps of all frames since the write.
        var timestamps: [Instant<Monotonic>] = []

        /// The mean score.
        var mean: Int64 {
            scores.isEmpty ? 0 : scores.reduce(0) { $0 + $1.score } / Int64(scores.count)
        }
    }

    /// Frames that are read once the lens rests.
    private static let readingCount = 3

    /// All moves so far.
    private(set) var moves: [Move] = []
    private let control: CameraControl
    private let rest: Interval
    private let skippedFrames: Int
    private let isWatched: Bool
    private var codes: ArraySlice<Int64>

    /// Creates the moves.
    ///
    /// - Parameters:
    ///   - codes: in order; each is written when the one before has been read.
    ///   - control: the lens's.
    ///   - rest: how long the lens can move.
    ///   - skippedFrames: frames that can be without the move at all.
    ///   - isWatched: whether every frame after a write is read.
    init(
        _ codes: [Int64], control: CameraControl, rest: Interval, skippedFrames: Int,
        isWatched: Bool = false
    ) {
        self.codes = codes[...]
        self.control = control
        self.rest = rest
        self.skippedFrames = skippedFrames
        self.isWatched = isWatched
    }

    var subjects: FrameMeter.Subjects { isWatched || isResting ? .focus : [] }

    /// Whether what comes now was exposed when the lens rested.
    private var isResting: Bool {
        guard let move = moves.last, let written = move.written, let last = move.timestamps.last
        else {
            return false
        }
        return last > written.ended + rest && move.timestamps.count > skippedFrames
    }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if let move = moves.last {
            if let written = move.written, written.errno != 0 {
                throw CalibrationError(
                    "the camera refused \(control.name) = \(move.code): check the lens's codes in the"
                        + " profile, and that its autofocus is off")
            }
            let read = isWatched ? move.scores.filter { $0.timestamp > rests(move) } : move.scores
            let restingCount = move.timestamps.count { $0 > rests(move) }
            guard restingCount < 20 + skippedFrames || !read.isEmpty else {
                throw CalibrationError(
                    "no texture: the picture is black; light the target, or open the lens")
            }
            guard move.written != nil, read.count >= Self.readingCount else {
                return .wait(until: .distantFuture)
            }
        }
        guard let code = codes.popFirst() else { return .finish }
        moves.append(Move(code: code))
        return .write([ControlValue(control, code)])
    }

    /// When the lens of a move surely rests; never, as long as it was not written.
    private func rests(_ move: Move) -> Instant<Monotonic> {
        (move.written?.ended ?? .distantFuture) + rest
    }

    mutating func handle(_ event: CalibrationEvent) {
        guard !moves.isEmpty else { return }
        let index = moves.count - 1
        switch event {
        case .written(let write): moves[index].written = write
        case .frame(let frame):
            guard let written = moves[index].written, frame.timestamp > written.ended else {
                return
            }
            if !frame.isDamaged, let score = frame.reading.focus {
                moves[index].scores.append((frame.timestamp, score.millionths))
            }
            moves[index].timestamps.append(frame.timestamp)
        case .changed, .set, .edge: break
        }
    }
}
