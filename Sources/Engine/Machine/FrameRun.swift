/// Frames in a row of which the same is to be said: they become one event.
struct FrameRun<Kind: BitwiseCopyable & Equatable & Sendable>: BitwiseCopyable, Sendable {
    private(set) var count: Int64 = 0
    private(set) var from: UInt32 = 0
    private(set) var kind: Kind?

    /// Whether a frame belongs to it.
    func takes(_ kind: Kind) -> Bool { count == 0 || self.kind == kind }

    /// Adds a frame.
    mutating func add(_ sequence: UInt32, _ kind: Kind) {
        if count == 0 { from = sequence }
        self.kind = kind
        count += 1
    }

    /// Begins anew.
    mutating func clear() { count = 0 }
}
