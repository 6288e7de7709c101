/// Frames that follow each other, each with changes of its own; after them the settings of before are in force again.
///
/// The decoder has seen to it that all shots change the same settings, of one kind; the compiler unrolls them.
public struct Bracket: Sendable {
    /// What each frame changes; a burst changes nothing.
    public var shots: Shots
    /// How often the whole bracket is taken again if a frame of it is lost or uncertain, 1…1000; nil if it never is.
    public var retries: Int32?

    /// The frames of a bracket.
    public enum Shots: Sendable {
        /// So many frames with the same settings, at least 1.
        case burst(Located<Int64>)
        /// One frame for each list of changes.
        case changes([[Located<SweepValue>]])
    }

    /// Creates a bracket.
    public init(_ shots: Shots, retries: Int32? = nil) {
        self.shots = shots
        self.retries = retries
    }

    /// How many frames it has, each of which becomes a slot.
    public var count: Int64 {
        switch shots {
        case .burst(let count): count.value
        case .changes(let changes): Int64(changes.count)
        }
    }
}
