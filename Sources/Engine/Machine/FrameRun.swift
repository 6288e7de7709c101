/// Frames in a row of which the same is to be said: they become one event.
///
/// Only the first number is kept: the log says how many frames from which one on.
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

    /// Whether a frame of this kind continues it; an empty run takes any.
    func takes(_ kind: Kind) -> Bool { count == 0 || self.kind == kind }

    /// Adds a frame.
    mutating func add(_ sequence: UInt32, _ kind: Kind) {
        if count == 0 { from = sequence }
        self.kind = kind
        count += 1
    }

    /// Ends the run and begins anew.
    ///
    /// - Returns: nil if no frame was added.
    mutating func end() -> Ended? {
        guard count > 0, let kind else { return nil }
        defer { count = 0 }
        return Ended(count: count, from: from, kind: kind)
    }
}
