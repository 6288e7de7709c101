public import Timebase

/// What the simulated driver reports falsely, each from a frame on or of single frames.
///
/// Places count the frames that the sensor made since the stream started. What the sensor does is not touched: only
/// numbers and timestamps are, as a driver would hand them out.
public struct SimulatedDriverFaults: Hashable, Sendable {
    /// False timestamps of some frames.
    public enum Timestamp: Hashable, Sendable {
        /// They are zero.
        case zero
        /// They are all that of the first of them.
        case stuck
        /// They lie so much before the truth.
        case back(Interval)
        /// They lie so much after the truth.
        case ahead(Interval)
    }

    /// The number of the first frame.
    public var firstSequence: UInt32
    /// Numbers for each frame; 2 counts fields.
    public var stride: UInt32
    /// From these frames on the number does not change.
    public var stuckSequence: Range<Int64>
    /// At this frame the count begins with this number.
    public var reset: Reset?
    /// Which timestamps are wrong, and how.
    public var timestamps: Timestamp?
    /// The frames whose timestamps are.
    public var wrongTimestamps: Range<Int64>
    /// Frames that are handed out twice.
    public var repeated: Set<Int64>

    /// A count that restarts.
    public struct Reset: Hashable, Sendable {
        /// The frame.
        public var frame: Int64
        /// Its number.
        public var sequence: UInt32

        /// Creates a reset.
        public init(frame: Int64, sequence: UInt32) {
            self.frame = frame
            self.sequence = sequence
        }
    }

    /// Creates a driver without faults.
    public init() {
        firstSequence = 0
        stride = 1
        stuckSequence = 0..<0
        timestamps = nil
        wrongTimestamps = 0..<0
        repeated = []
    }

    /// The number that a frame is given.
    ///
    /// - Parameters:
    ///   - frame: its place.
    ///   - count: its place among those that the driver counts; lower where some are lost inside the camera.
    ///   - countAtReset: the same of the frame of ``reset``.
    public func sequence(frame: Int64, count: Int64, countAtReset: Int64) -> UInt32 {
        if let reset, frame >= reset.frame {
            return reset.sequence &+ UInt32(truncatingIfNeeded: count - countAtReset) &* stride
        }
        let counted = stuckSequence.contains(frame) ? min(count, stuckSequence.lowerBound) : count
        return firstSequence &+ UInt32(truncatingIfNeeded: counted) &* stride
    }

    /// The timestamp that a frame is given.
    ///
    /// - Parameters:
    ///   - frame: its place.
    ///   - truth: what the timestamp should be.
    ///   - first: the truth of the first frame whose timestamps are wrong.
    public func timestamp(
        frame: Int64, truth: Instant<Monotonic>, first: Instant<Monotonic>
    ) -> Instant<Monotonic> {
        guard wrongTimestamps.contains(frame) else { return truth }
        return switch timestamps {
        case .zero: Instant(nanoseconds: 0)
        case .stuck: first
        case .back(let span): truth - span
        case .ahead(let span): truth + span
        case nil: truth
        }
    }
}
