public import Timebase

/// A frame as it came in: what the driver reports of it, and when it was taken.
public struct FrameArrival: BitwiseCopyable, Hashable, Sendable {
    /// The driver's number.
    public var sequence: UInt32
    /// The driver's timestamp, untouched.
    public var timestamp: Instant<Monotonic>
    /// When it was taken from the driver.
    public var takenAt: Instant<Monotonic>
    /// The last moment at which no frame waited, so that this one came later; nil if none is known.
    public var notBefore: Instant<Monotonic>?

    /// Creates an arrival.
    public init(
        sequence: UInt32, timestamp: Instant<Monotonic>, takenAt: Instant<Monotonic>,
        notBefore: Instant<Monotonic>? = nil
    ) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.takenAt = takenAt
        self.notBefore = notBefore
    }
}

/// A frame of a stream, delivered or missing, by its number and its time.
public struct StreamFrame: BitwiseCopyable, Hashable, Sendable {
    /// The driver's number, or the one it would have had.
    public var sequence: UInt32
    /// The driver's timestamp, or the one it would have had; the moment it was taken where timestamps can't be
    /// believed.
    public var timestamp: Instant<Monotonic>
    /// The timestamp lies at most this much after what it marks.
    public var delay: Interval
    /// Whether ``timestamp`` is the moment at which it was taken.
    public var isTimedByArrival: Bool
    /// How much longer than others it was on its way by its timestamp, in whole periods: the host was late, or it has
    /// the timestamp of a frame that was lost before it.
    public var lateBy = Interval.zero

    /// Creates a frame.
    public init(
        sequence: UInt32, timestamp: Instant<Monotonic>, delay: Interval,
        isTimedByArrival: Bool = false
    ) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.delay = delay
        self.isTimedByArrival = isTimedByArrival
    }
}

/// Why a driver's timestamp can't be believed.
public enum TimestampDefect: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// It is zero or negative: nobody set it.
    case zero
    /// It is that of the frame before.
    case `repeated`
    /// It is earlier than that of the frame before, or than the last moment at which no frame waited.
    case back
    /// It is later than the moment at which the frame was taken.
    case ahead
    /// The sequence counts more frames than it leaves time for: which of both is wrong is not known.
    case disputed
    /// The sensor's registers show that the frame began before it: the frame's time is theirs.
    case late

    /// The quirk of drivers that do so.
    var quirk: StreamQuirks {
        switch self {
        case .zero: .timestampsAreZero
        case .repeated: .timestampsAreStuck
        case .back: .timestampsGoBack
        case .ahead: .timestampsAreAhead
        case .disputed, .late: []
        }
    }
}
