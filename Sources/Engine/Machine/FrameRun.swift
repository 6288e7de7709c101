/// Frames in a row of which the same is to be logged: they become one event.
///
/// Only the first number is kept: the log has how many frames from which one on.
struct FrameRun<Kind: BitwiseCopyable & Equatable & Sendable>: BitwiseCopyable, Sendable {
    /// A run that has ended.
    struct Ended {
        let count: Int64
        /// The number of the first frame.
        let from: UInt32
        let kind: Kind
    }

    private var count: Int64 = 0
    private var from: UInt32 = 0
    private var kind: Kind?

    /// The number of the frame after the last one, or any if there is none.
    var next: UInt32 { from &+ UInt32(truncatingIfNeeded: count) }

    /// Adds a frame of which this is to be logged; nil for nothing.
    ///
    /// - Returns: the run that it ended, if there was one of another kind.
    mutating func follow(_ sequence: UInt32, _ kind: Kind?) -> Ended? {
        let ended = kind == self.kind ? nil : end()
        guard let kind else { return ended }
        if count == 0 { from = sequence }
        self.kind = kind
        count += 1
        return ended
    }

    /// Ends the run and begins another.
    ///
    /// - Returns: nil if no frame was added.
    mutating func end() -> Ended? {
        guard count > 0, let kind else { return nil }
        defer { (count, self.kind) = (0, nil) }
        return Ended(count: count, from: from, kind: kind)
    }
}
