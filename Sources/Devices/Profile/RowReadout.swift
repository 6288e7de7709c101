public import Timebase

/// How the rows of a frame are read out one after the other, and so when each of them was exposed.
///
/// With r counted in the order of readout from 0, E lines that are read before the image, H rows and the time R from
/// the start of the frame to its last row: end(r) = start + R·(E + r)/(E + H − 1) + offset, and from there start(r) is
/// the exposure before, mid(r) half of it. For a global shutter R is 0. Rows of a binned image are rows of the image:
/// R counts, not the sensor's own lines.
public struct RowReadout: Hashable, Sendable {
    /// When a row was exposed.
    public struct Exposure<Domain: ClockDomain>: BitwiseCopyable, Hashable, Sendable {
        /// When it began.
        public var start: Instant<Domain>
        /// Its middle.
        public var mid: Instant<Domain>
        /// When it ended.
        public var end: Instant<Domain>
        /// Each of the three lies at most this far from the truth.
        public var halfWidth: Interval

        /// Creates the times of an exposure.
        public init(
            start: Instant<Domain>, mid: Instant<Domain>, end: Instant<Domain>,
            halfWidth: Interval
        ) {
            self.start = start
            self.mid = mid
            self.end = end
            self.halfWidth = halfWidth
        }

        /// The same exposure that much later, with another half-width.
        func shifted(by span: Interval, widened: Interval) -> Exposure {
            Exposure(
                start: start + span, mid: mid + span, end: end + span,
                halfWidth: halfWidth + widened)
        }
    }

    /// Rows of the image, at least one.
    public var rows: Int64
    /// Lines that are read out before the first row.
    public var embeddedLines: Int64
    /// Whether the last row of the image is read out first, as when the sensor flips it.
    public var isBottomUp: Bool
    /// From the start of the frame to the readout of its last row; nil if unknown.
    public var duration: Interval?
    /// What ``duration`` can't exceed where it is not known: the time from frame to frame; nil if that is unknown too.
    public var longest: Interval?
    /// From a row's readout to the end of its exposure, and how far that may be off.
    public var offset: BoundedOffset
    /// How far the clock that counts rows and exposure may be off, in parts per million: ``SensorClock`` for a raw
    /// sensor, 0 where a profile's figures bound both.
    public var clockPerMillion: Int64 = 0

    /// A span that is known within a half-width.
    public struct BoundedOffset: BitwiseCopyable, Hashable, Sendable {
        /// The middle.
        public var span: Interval
        /// How far it may be off, not negative.
        public var halfWidth: Interval
        /// Creates an offset; the default is none.
        public init(_ span: Interval = .zero, halfWidth: Interval = .zero) {
            precondition(halfWidth >= .zero, "a half-width is not negative")
            self.span = span
            self.halfWidth = halfWidth
        }
    }

    /// Creates a readout.
    public init(
        rows: Int64, embeddedLines: Int64 = 0, isBottomUp: Bool = false, duration: Interval?,
        longest: Interval? = nil, offset: BoundedOffset = BoundedOffset()
    ) {
        precondition(rows > 0 && embeddedLines >= 0, "an image has rows")
        self.rows = rows
        self.embeddedLines = embeddedLines
        self.isBottomUp = isBottomUp
        self.duration = duration
        self.longest = longest
        self.offset = offset
    }

    /// When a row was exposed.
    ///
    /// - Parameters:
    ///   - row: the image's row, from 0 at the top.
    ///   - frameStart: when the frame's readout began.
    ///   - exposure: how long each row was exposed.
    /// - Returns: nil for a row that the image does not have, and where nothing bounds the readout.
    public func exposure<Domain>(
        ofRow row: Int64, frameStart: BoundedInstant<Domain>, exposure: Interval
    ) -> Exposure<Domain>? {
        guard let delay = delay(ofRow: row) else { return nil }
        let end = frameStart.instant + delay.span + offset.span
        return Exposure(
            start: end - exposure, mid: end - exposure / 2, end: end,
            halfWidth: frameStart.halfWidth + delay.halfWidth + offset.halfWidth
                + (delay.span + exposure).magnitude(partsPerMillion: clockPerMillion))
    }

    /// When a row was exposed, from the exposure of the frame's centre as the ledger has it.
    ///
    /// The centre is half-way through the readout; where its time is not known the ledger takes a quarter of a period,
    /// give or take as much.
    public func exposure<Domain>(
        ofRow row: Int64, centre: Exposure<Domain>
    ) -> Exposure<Domain>? {
        guard let delay = delay(ofRow: row) else { return nil }
        if let duration {
            let span = delay.span - duration / 2
            return centre.shifted(
                by: span,
                widened: delay.halfWidth + span.magnitude(partsPerMillion: clockPerMillion))
        }
        guard let longest else { return nil }
        return centre.shifted(
            by: delay.span - longest / 4, widened: delay.halfWidth - longest / 4)
    }

    /// From the start of the frame to the readout of a row.
    private func delay(ofRow row: Int64) -> BoundedOffset? {
        guard (0..<rows).contains(row) else { return nil }
        let place = embeddedLines + (isBottomUp ? rows - 1 - row : row)
        let last = embeddedLines + rows - 1
        if last == 0 { return BoundedOffset() }
        if let duration {
            // Cut off: up to a nanosecond later.
            let span = Self.part(duration, place, of: last)
            return BoundedOffset(span, halfWidth: duration == .zero ? .zero : .nanoseconds(1))
        }
        guard let longest else { return nil }
        let half = Self.part(longest, place, of: last) / 2 + .nanoseconds(1)
        return BoundedOffset(half, halfWidth: half)
    }

    private static func part(_ span: Interval, _ count: Int64, of whole: Int64) -> Interval {
        let product = Int128(span.nanoseconds) * Int128(count)
        return Interval(nanoseconds: Int64(product / Int128(whole)))
    }
}
