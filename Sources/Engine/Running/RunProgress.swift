internal import Synchronization

/// How far a run is, for a progress display on another thread.
///
/// Written by the capture thread, read by any; each number by itself is right, two of them may be of different moments.
public final class RunProgress: Sendable {
    private let framesDone = Atomic<Int64>(0)
    private let holesDone = Atomic<Int64>(0)
    private let turnsDone = Atomic<Int64>(0)
    private let isOver = Atomic<Bool>(false)

    /// Creates a display of a run that has not begun.
    public init() {}

    /// Slots that ended with a frame.
    public var frames: Int64 { framesDone.load(ordering: .relaxed) }
    /// Slots that ended without one.
    public var holes: Int64 { holesDone.load(ordering: .relaxed) }
    /// Slots that ended.
    public var slots: Int64 { frames + holes }
    /// Turns of the capture loop, of which there is one each second at least: while it stands still, capture hangs.
    public var turns: Int64 { turnsDone.load(ordering: .relaxed) }
    /// Whether capture is over, and only the record is being ended.
    public var isCaptured: Bool { isOver.load(ordering: .relaxed) }

    func countTurn() { turnsDone.wrappingAdd(1, ordering: .relaxed) }
    func endCapture() { isOver.store(true, ordering: .relaxed) }
    func countFrame() { framesDone.wrappingAdd(1, ordering: .relaxed) }
    func countHole() { holesDone.wrappingAdd(1, ordering: .relaxed) }
}
