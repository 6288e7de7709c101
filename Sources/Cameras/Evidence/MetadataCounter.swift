/// Holds the frame counter that a sensor sends with each frame against the frames that were counted.
///
/// A receiver that wrote no embedded lines for a frame hands out what an earlier one left in the buffer; one that
/// missed the end of a frame hands out a picture under the next one's timestamp. Either way the counter is not that of
/// the frame.
public struct MetadataCounter: BitwiseCopyable, Hashable, Sendable {
    /// What a counter says of its frame's metadata.
    public enum Judgement: BitwiseCopyable, Hashable, Sendable {
        /// They are the frame's own.
        case own
        /// Not enough is known yet.
        case open
        /// They are another frame's.
        case foreign
    }

    /// Counters in a row that have to agree before any is believed.
    private static let fewest = 3
    /// The same before a believed one is given up: more than buffers go round, since each of those may be left with
    /// what an earlier frame wrote.
    private static let fewestAnew = 40

    /// The sensor's count less the place, in the stream.
    private var believed: UInt8?
    private var candidate: UInt8 = 0
    private var agreeing = 0
    private var last: Int64?

    /// Creates a counter before the first frame.
    public init() {}

    /// Judges the metadata of the next frame.
    ///
    /// - Parameters:
    ///   - count: the sensor's.
    ///   - place: how many frames came or are missing so far.
    public mutating func judge(_ count: UInt8, at place: Int64) -> Judgement {
        let offset = count &- UInt8(truncatingIfNeeded: place)
        agreeing = offset == candidate && last.map { $0 < place } ?? false ? agreeing + 1 : 1
        candidate = offset
        last = place
        if believed == offset { return .own }
        if agreeing >= (believed == nil ? Self.fewest : Self.fewestAnew) {
            believed = offset
            return .own
        }
        return believed == nil ? .open : .foreign
    }
}
