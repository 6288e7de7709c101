public import Timebase

/// A frame of the stream, delivered or missing, as far as the delay model has to know it.
public struct ObservedFrame: BitwiseCopyable, Hashable, Sendable {
    /// How much the driver's sequence went on since the frame before; 0 for a frame that it did not count.
    public var step: Int64
    /// The driver's timestamp, or the one that a missing frame would have had.
    public var timestamp: Instant<Monotonic>
    /// The earliest and the latest moment at which its readout can have begun; nil while that is not known.
    public var readout: Readout?

    /// A moment within bounds.
    public struct Readout: BitwiseCopyable, Hashable, Sendable {
        /// Not before this.
        public var earliest: Instant<Monotonic>
        /// Not after this.
        public var latest: Instant<Monotonic>

        /// Creates bounds.
        public init(earliest: Instant<Monotonic>, latest: Instant<Monotonic>) {
            precondition(earliest <= latest, "bounds go upwards")
            self.earliest = earliest
            self.latest = latest
        }
    }

    /// Whether it was surely made, and lost before the driver could count it.
    public var isLostInside: Bool

    /// Creates a frame.
    public init(
        step: Int64, timestamp: Instant<Monotonic>, readout: Readout?, isLostInside: Bool = false
    ) {
        precondition(step >= 0, "a sequence goes upwards")
        self.isLostInside = isLostInside
        self.step = step
        self.timestamp = timestamp
        self.readout = readout
    }
}
