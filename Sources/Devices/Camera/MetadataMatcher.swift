/// A buffer that a metadata node handed out.
public struct MetadataBuffer: BitwiseCopyable, Hashable, Sendable {
    /// Which one.
    public var index: UInt32
    /// The number of the frame that it belongs to.
    public var sequence: UInt32
    /// Bytes that were filled.
    public var byteCount: Int
    /// The driver's timestamp in nanoseconds; 0 where it gave none.
    public var nanoseconds: Int64

    /// Creates the note of a buffer.
    public init(index: UInt32, sequence: UInt32, byteCount: Int, nanoseconds: Int64 = 0) {
        self.index = index
        self.sequence = sequence
        self.byteCount = byteCount
        self.nanoseconds = nanoseconds
    }

    /// Receivers mark both buffers of a frame in the same interrupt, or in two that follow each other.
    private static let distance: Int64 = 1_000_000

    /// Whether its timestamp is that of a frame; so is that of a buffer without one.
    public func isOf(nanoseconds frame: Int64) -> Bool {
        nanoseconds == 0 || (nanoseconds &- frame).magnitude <= UInt64(Self.distance)
    }
}

/// Finds each frame's metadata among what a metadata node hands out: by its number, never by its place in the queue.
///
/// Frames are asked for in their order. Metadata that come before their frame wait for it, those of a frame that has
/// gone by or never came are passed over, and a frame without its own has none.
public struct MetadataMatcher: BitwiseCopyable, Sendable {
    /// A buffer that was taken too early: that of a frame still to come.
    private var waiting: MetadataBuffer?

    /// Creates a matcher for a stream that starts.
    public init() {}

    /// The buffer of a frame; nil if there is none (yet).
    ///
    /// - Parameters:
    ///   - sequence: the frame's number.
    ///   - next: takes the node's oldest buffer; nil if none waits.
    ///   - passOver: gives one back that no frame has use for.
    public mutating func take(
        _ sequence: UInt32, next: () -> MetadataBuffer?, passOver: (MetadataBuffer) -> Void
    ) -> MetadataBuffer? {
        while let buffer = waiting ?? next() {
            waiting = nil
            let distance = Int32(bitPattern: buffer.sequence &- sequence)
            if distance == 0 { return buffer }
            if distance > 0 {
                waiting = buffer
                return nil
            }
            passOver(buffer)
        }
        return nil
    }
}
