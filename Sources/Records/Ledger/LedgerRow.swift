public import Imaging
public import Timebase
public import Tracking

/// The session times of one exposure, at the frame's centre row.
public struct ExposureTime: BitwiseCopyable, Hashable, Sendable {
    /// When the exposure of that row began.
    public var start: Instant<Session>
    /// Its middle.
    public var mid: Instant<Session>
    /// Its end.
    public var end: Instant<Session>
    /// Each of the three lies at most this far from the truth.
    public var halfWidth: Interval

    /// Creates the times of an exposure.
    public init(
        start: Instant<Session>, mid: Instant<Session>, end: Instant<Session>, halfWidth: Interval
    ) {
        self.start = start
        self.mid = mid
        self.end = end
        self.halfWidth = halfWidth
    }
}

/// The edge that a slot belongs to.
///
/// Several slots of one round may have the same edge.
public struct TriggerReference: BitwiseCopyable, Hashable, Sendable {
    /// The line, as an index into the plan's lines.
    public var line: Int32
    /// The kernel's number of the edge on that line; nil where none came.
    public var lineSequence: UInt32?
    /// From the edge's timestamp to the start of the exposure; nil where either is not known.
    public var delay: Interval?
    /// What became of it; nil where none came, which is then a hole of ``HoleReason/triggerTimeout``.
    public var outcome: TriggerClass?

    /// Creates a reference.
    public init(line: Int32, lineSequence: UInt32?, delay: Interval?, outcome: TriggerClass?) {
        self.line = line
        self.lineSequence = lineSequence
        self.delay = delay
        self.outcome = outcome
    }
}

/// One row of the ledger: how a slot ended, or which slots were never reached.
///
/// Plain bits, so that the capture thread can make it.
public struct LedgerRow: BitwiseCopyable, Hashable, Sendable {
    /// The slot, from 0; of a row with ``lastSlot`` the first one without a turn.
    public var slot: Int64
    /// Index into the plan's steps.
    public var step: Int32
    /// Index into the plan's settings.
    public var settings: Int32
    /// Why there is no frame; nil for a frame.
    public var reason: HoleReason?
    /// The driver's sequence number, of 32 bits and from any start; nil where no frame with a number belongs to the
    /// slot.
    public var deviceSequence: UInt32?
    /// The driver's timestamp, untouched; its clock is ``timestampClock``, whatever its type is.
    public var rawTimestamp: Instant<Monotonic>?
    /// The clock that the timestamp is of.
    public var timestampClock: TimestampClock
    /// When it was exposed; nil for holes, and for frames of which too little is known.
    public var exposureTime: ExposureTime?
    /// What the device really had.
    public var applied: AppliedSettings
    /// The edge that made it, or that its step waited for; nil for slots without one.
    public var trigger: TriggerReference?
    /// What shows that the frame of a hole is missing; empty for frames.
    public var gapEvidence: GapEvidence
    /// The camera's own timestamp, in ticks of its clock; nil if it sent none.
    public var cameraTicks: Int64?

    /// How much later than others its frame came by its timestamp, in whole periods; not in the ledger.
    public var lateBy = Interval.zero

    /// Where the row stands for all slots that had no turn before the run ended: the last of them.
    ///
    /// Step and settings are those of ``slot``, the first one.
    public var lastSlot: Int64?

    /// Creates a row.
    public init(
        slot: Int64, step: Int32, settings: Int32, reason: HoleReason? = nil,
        deviceSequence: UInt32? = nil, rawTimestamp: Instant<Monotonic>? = nil,
        timestampClock: TimestampClock = .monotonic, exposureTime: ExposureTime? = nil,
        applied: AppliedSettings = AppliedSettings(), trigger: TriggerReference? = nil,
        gapEvidence: GapEvidence = [], cameraTicks: Int64? = nil, lastSlot: Int64? = nil
    ) {
        self.slot = slot
        self.step = step
        self.settings = settings
        self.reason = reason
        self.deviceSequence = deviceSequence
        self.rawTimestamp = rawTimestamp
        self.timestampClock = timestampClock
        self.exposureTime = exposureTime
        self.applied = applied
        self.trigger = trigger
        self.gapEvidence = gapEvidence
        self.cameraTicks = cameraTicks
        self.lastSlot = lastSlot
    }
}

/// What is measured on the pixels of a frame while it is recorded.
///
/// In real time the measuring thread makes it, in one pass over the pixels; the capture thread never does.
public struct FrameBrightness: BitwiseCopyable, Hashable, Sendable {
    /// Sum of all luminance samples, in the sensor's codes (4:2:2: luma; Bayer and RGB: all samples).
    public var lumaSum: UInt64
    /// How many samples were summed.
    public var lumaCount: UInt64
    /// How many of them have the largest code.
    public var saturatedCount: UInt64
    /// CRC-32C (Castagnoli) of the frame's bytes as recorded.
    public var crc32c: UInt32
    /// Where in the picture, and in which colours: its cells add up to the sums above.
    public var statistics: FrameStatistics

    /// Creates a measure; without statistics, of the sums alone.
    public init(
        lumaSum: UInt64, lumaCount: UInt64, saturatedCount: UInt64, crc32c: UInt32,
        statistics: FrameStatistics = FrameStatistics()
    ) {
        self.lumaSum = lumaSum
        self.lumaCount = lumaCount
        self.saturatedCount = saturatedCount
        self.crc32c = crc32c
        self.statistics = statistics
    }
}
