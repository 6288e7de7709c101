/// The count of a camera's frames, taken for a clock that ticks once a frame.
public enum FrameNumber: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "frames" }
}

/// The clock of a camera that streams freely: when its frames really were, from timestamps that are only ever late.
///
/// Frames come from an oscillator, timestamps from an interrupt some time afterwards. A frame's number and its
/// timestamp bound the relation of the two from above; from below, unless it is an outlier, it is the profile's
/// greatest delay. Frames that others prove to have been timestamped later than that lose their lower bound. Numbers
/// are the camera's own, so that a frame that is missing leaves its place free; a count of arrivals would bend the
/// clock.
public struct FrameClock: Sendable {
    /// A frame as it came.
    public struct Frame: BitwiseCopyable, Hashable, Sendable {
        /// The camera's number, counted on past 32 bits.
        public var sequence: Int64
        /// The driver's timestamp.
        public var timestamp: Instant<Monotonic>
        /// How late it is at most, unless it is an outlier; nil for as late as any of the stream.
        public var delay: Interval?

        /// Creates a frame.
        public init(sequence: Int64, timestamp: Instant<Monotonic>, delay: Interval? = nil) {
            self.sequence = sequence
            self.timestamp = timestamp
            self.delay = delay
        }
    }

    /// Parts of a nanosecond in which the nominal period is counted.
    private static let parts: Int128 = 1 << 32

    /// Timestamps that were later than allowed: all that is known of those frames is that they were earlier.
    public let outliers: Int
    private let first: Int64
    /// The nominal period, in ``parts``.
    private let period: Int128
    private let relation: ClockSegments<FrameNumber, Monotonic>

    /// Fits the clock to a stream's frames.
    ///
    /// - Parameters:
    ///   - frames: in the order of numbers; those out of order are left out.
    ///   - delay: how late a timestamp is at most, unless it is an outlier or its frame has another delay.
    ///   - behaviour: what the camera's oscillator and the host's clock keep to.
    /// - Returns: nil if there are fewer than three frames, or no period comes of them.
    public init?(_ frames: [Frame], delay: Interval, behaviour: ClockBehaviour = .steered) {
        let frames = Self.inOrder(frames)
        guard frames.count >= 3, let period = Self.period(frames), delay >= .zero else {
            return nil
        }
        let first = frames[0].sequence
        func time(_ frame: Frame) -> Instant<FrameNumber> {
            Self.time(frame.sequence - first, period)
        }
        let ceilings = frames.compactMap {
            ClockReading<FrameNumber, Monotonic>(timestamp: time($0), arrival: $0.timestamp)
        }
        var envelope = AnchoredPolygon<FrameNumber, Monotonic>(behaviour, capacity: nil)
        guard ceilings.count == frames.count else { return nil }
        envelope.begin(with: ceilings[0])
        for ceiling in ceilings.dropFirst() { envelope.append(ceiling) }
        var outliers = 0
        let readings = zip(frames, ceilings).map { frame, ceiling in
            let latest = envelope.limits(at: time(frame)).latest ?? frame.timestamp
            let delay = frame.delay ?? delay
            guard frame.timestamp - latest <= delay else {
                outliers += 1
                return ceiling
            }
            return ClockReading(
                timestamp: time(frame), arrival: frame.timestamp, longestDelay: delay)
                ?? ceiling
        }
        self.outliers = outliers
        self.first = first
        self.period = period
        relation = ClockFit(readings, behaviour: behaviour).relation(
            covering: time(frames[0])...time(frames[frames.count - 1]))
    }

    /// The bounds of the mean time from one frame to the next, in parts of 10^15 of a second; nil if frames did not
    /// keep to one rhythm.
    public var periodFemtoseconds: ClosedRange<Int128>? {
        guard relation.segments.count == 1, let rate = relation.segments[0].rate else { return nil }
        // The period in nanoseconds times 10^6, times the rate; rounded outwards.
        func times(_ rate: ClockRate, rounding: Int128) -> Int128 {
            let unit = Int128(ClockRate.unit)
            let factor = unit + Int128(rate.excessFemto)
            let whole = period * 1_000_000 / Self.parts
            return (whole * factor + rounding * (unit - 1)) / unit + rounding
        }
        return times(rate.lowerBound, rounding: 0)...times(rate.upperBound, rounding: 1)
    }

    /// When a frame would have been timestamped without any delay; nil if too little is known of its time.
    public func time(of sequence: Int64) -> BoundedInstant<Monotonic>? {
        relation.convert(Self.time(sequence - first, period))
    }

    private static func time(_ number: Int64, _ period: Int128) -> Instant<FrameNumber> {
        Instant(nanoseconds: Int64(clamping: Int128(number) * period / parts))
    }

    private static func inOrder(_ frames: [Frame]) -> [Frame] {
        var last: Frame?
        return frames.filter { frame in
            guard frame.timestamp.isCountable, frame.sequence.magnitude < 1 << 48 else {
                return false
            }
            if let last, frame.sequence <= last.sequence || frame.timestamp <= last.timestamp {
                return false
            }
            last = frame
            return true
        }
    }

    /// The median of the periods between frames half the stream apart (Theil and Sen, one pair a frame).
    ///
    /// Of frames that are known about as well as the best: the bounds of others may drift. If they are not half of all,
    /// too little is known.
    private static func period(_ all: [Frame]) -> Int128? {
        let best = all.compactMap(\.delay).min() ?? .zero
        let frames = all.filter { $0.delay ?? .zero <= best * 2 }
        guard frames.count * 2 >= all.count else { return nil }
        let half = frames.count / 2
        let periods = zip(frames, frames.dropFirst(half)).map { a, b in
            Int128((b.timestamp - a.timestamp).nanoseconds) * parts
                / Int128(b.sequence - a.sequence)
        }.sorted()
        guard let median = periods.isEmpty ? nil : periods[periods.count / 2],
            median > parts, median < 1_000_000_000_000 * parts
        else { return nil }
        return median
    }
}
