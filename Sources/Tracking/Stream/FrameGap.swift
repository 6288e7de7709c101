public import Timebase

/// What sequence and timestamps show of the frames between the last one and this one.
public struct FrameGap: BitwiseCopyable, Hashable, Sendable {
    /// What becomes of frames that no sequence number stands for.
    public enum Attribution: BitwiseCopyable, Hashable, Sendable {
        /// The sequence counts every frame that reaches the host: they were lost inside the camera.
        case device
        /// The sequence gives no count here: it is unknown where they were lost.
        case unknown
        /// Nothing confirms that they were there at all.
        case doubtful
    }

    /// Missing frames that the sequence counts and for which there was time.
    public var numbered: Int64 = 0
    /// Further missing frames that only the spacing of timestamps shows.
    public var unnumbered: Int64 = 0
    /// What became of ``unnumbered``.
    public var attribution = Attribution.device
    /// How many of the missing frames, counted from the first, the spacing of timestamps surely shows.
    public var spaced: Int64 = 0

    /// Missing frames by the sequence; nil if it gives no count.
    public var bySequence: Int64?
    /// Missing frames by the spacing of timestamps, at least; −1 for timestamps too close to belong to two frames; nil
    /// if it gives no count.
    public var fewestBySpacing: Int64?
    /// The same at most.
    public var mostBySpacing: Int64?

    /// Sequence and timestamps contradict each other: the counts are the best that can be believed, and not more.
    public var isDisputed = false
    /// Nothing shows whether frames are missing.
    public var isUnverifiable = false
    /// The sequence made no sense (repeated or jumped); nothing is concluded from it.
    public var isJump = false
    /// It is the last frame once more.
    public var isRepeated = false
    /// What was counted so far can't be carried on over this gap.
    public var breaksCount = false
    /// Why the frame's timestamp can't be believed; nil if it can.
    public var doubt: TimestampDefect?
    /// The quirks that show here for the first time.
    public var quirks = StreamQuirks()
    /// The period that turns out to be another than what was promised, or than it was.
    public var newPeriod: Interval?
    /// The period that frames have, where it is not the one that the sensor's registers give.
    public var foundPeriod: Interval?
    /// The timestamps before this one turn out to have been late by at least so much, unnoticed.
    public var lateBefore: Interval?
    /// The picture may be that of a frame so many places earlier: a receiver that missed the end of a frame puts the
    /// next timestamp on the older picture.
    public var mayBeEarlier: Int64 = 0

    /// Creates a gap without missing frames.
    public init() {}

    /// Whether the sequence leaves numbers out here that are believed to be those of no frame.
    public var leavesNumbersOut: Bool { bySequence.map { $0 > numbered } ?? false }

    /// Whether the spacing of timestamps leaves room for as many missing frames as the sequence counts, and needs no
    /// more.
    var fitsSequence: Bool {
        guard let bySequence, let fewest = fewestBySpacing, let most = mostBySpacing else {
            return false
        }
        return fewest <= bySequence && bySequence <= most
    }

    /// Whether the sequence counts more missing frames than the spacing of timestamps leaves room for.
    var leavesNoTime: Bool {
        guard let bySequence, let most = mostBySpacing else { return false }
        return bySequence > most
    }

    /// Whether no more frames than ``missing`` can have been made since the last one.
    ///
    /// A frame that is lost inside the camera shows in the spacing of timestamps alone.
    public var isWhole: Bool {
        !breaksCount && !isDisputed && !isUnverifiable && doubt == nil
            && mostBySpacing.map { $0 <= missing } ?? true
    }

    /// All missing frames.
    public var missing: Int64 { numbered + unnumbered }
}
