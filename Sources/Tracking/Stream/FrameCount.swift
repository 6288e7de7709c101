/// How many frames came or are missing since some frame, and by how much that may be wrong.
struct FrameCount: BitwiseCopyable, Hashable, Sendable {
    /// So many are counted.
    var counted: Int64 = 0
    /// So many more may be missing.
    var open: Int64 = 0
    /// So many of those counted need not have been.
    var surplus: Int64 = 0

    /// A count that is not known.
    static let unknown = FrameCount(
        open: StreamClock.mostMissing, surplus: StreamClock.mostMissing)

    /// Counts on.
    static func += (count: inout FrameCount, next: FrameCount) {
        count.counted += next.counted
        count.open += next.open
        count.surplus += next.surplus
    }
}
