/// Holds the frame counter that a sensor sends with each frame against the frames that were counted.
///
/// Metadata are a frame's own if its counter less the frame's place in the stream, the offset, is the believed one.
/// It differs for one of two reasons. The lines are another frame's: a receiver that wrote none for a frame hands out
/// what an earlier one left in the buffer, one that missed the end of a frame hands out a picture under the next one's
/// timestamp. Or the place is wrong, since frames were lost that nothing else counted, or counted that never were.
///
/// Left-over lines are always of an earlier frame. So an offset that grew and stays is that of frames nobody counted:
/// it is believed after ``fewestAgain`` frames. One that shrank is not: a receiver that hands out each frame's lines
/// with the next one looks just like frames that were counted and never were. But where an offset that grew was
/// believed, and as many frames were counted after that for their spacing alone, those that nobody had counted were
/// found, and it is what it was. A counter that was shown a short while ago is left over whatever its offset is.
///
/// What can't be detected: lines that were not shown before, and that are as many frames old as were lost without being
/// counted since the believed offset was right; nor three frames in a row with old lines before any was believed.
public struct MetadataCounter: BitwiseCopyable, Sendable {
    /// What a counter shows of its frame's metadata.
    public enum Judgement: BitwiseCopyable, Hashable, Sendable {
        /// They are the frame's own.
        case own
        /// Not enough is known yet.
        case open
        /// They are another frame's.
        case otherFrame
    }

    /// Counters in a row that have to agree before any is believed.
    public static let fewest = 3
    /// Counters that have to agree before another offset is believed than the believed one.
    static let fewestAgain = 5
    /// What a counter that disagrees takes from those that agreed.
    private static let weightOfOther = 4
    /// Within so many frames each buffer is handed out at least once.
    private static let roundOfBuffers: Int64 = 64

    /// The sensor's count less the place, in the stream.
    private var believed: UInt8?
    /// By how much it grew, and the frames that had been counted for their spacing alone when it did.
    private var grown: (by: Int64, unnumbered: Int64) = (0, 0)
    /// The offset that may take its place, and how many counters agreed on it, less those that did not.
    private var candidate: UInt8 = 0
    private var agreeing = 0
    private var frames: Int64 = 0
    /// The frame that showed each count last.
    private var shown = InlineArray<256, Int64>(repeating: -roundOfBuffers - 1)

    /// Creates a counter before the first frame.
    public init() {}

    /// Judges the metadata of the next frame.
    ///
    /// - Parameters:
    ///   - count: the sensor's.
    ///   - place: how many frames came or are missing so far.
    ///   - unnumbered: how many of them were counted for the spacing of others alone.
    public mutating func judge(
        _ count: UInt8, at place: Int64, unnumbered: Int64
    ) -> Judgement {
        let offset = count &- UInt8(truncatingIfNeeded: place)
        let isRepeated = frames - shown[Int(count)] <= Self.roundOfBuffers
        shown[Int(count)] = frames
        frames += 1
        guard let believed else {
            agreeing = isRepeated ? 0 : offset == candidate ? agreeing + 1 : 1
            candidate = offset
            return agreeing < Self.fewest ? .open : believe(offset)
        }
        if offset == believed { return judgeAsBelieved(isRepeated: isRepeated) }
        let ahead = Self.lead(of: offset, over: believed)
        let isFoundAgain = -ahead <= min(grown.by, unnumbered - grown.unnumbered)
        // Very old lines look as if they were ahead, since counters go round.
        guard ahead > 0 || isFoundAgain, !isRepeated else { return .otherFrame }
        weigh(offset)
        guard offset == candidate, agreeing >= Self.fewestAgain else { return .otherFrame }
        grown = (grown.by + ahead, unnumbered)
        return believe(offset)
    }

    private mutating func judgeAsBelieved(isRepeated: Bool) -> Judgement {
        if isRepeated { return .otherFrame }
        // Behind one that was ahead, it may be left over: the next one decides.
        let isBehindCandidate = agreeing > 0
        agreeing = 0
        return isBehindCandidate ? .otherFrame : .own
    }

    /// Counts an offset for or against the candidate.
    private mutating func weigh(_ offset: UInt8) {
        if agreeing > 0, offset == candidate {
            agreeing += 1
        } else if agreeing <= 0 || Self.lead(of: offset, over: candidate) > 0 {
            (candidate, agreeing) = (offset, 1)
        } else {
            agreeing -= Self.weightOfOther
            if agreeing <= 0 { (candidate, agreeing) = (offset, 1) }
        }
    }

    private mutating func believe(_ offset: UInt8) -> Judgement {
        believed = offset
        agreeing = 0
        return .own
    }

    /// By how many frames an offset is ahead of another, as far as a counter of 8 bits shows; less than 0 behind it.
    private static func lead(of offset: UInt8, over other: UInt8) -> Int64 {
        Int64(Int8(bitPattern: offset &- other))
    }
}
