/// Whether metadata are of the frame that they come with, or of one some frames before, by the settings they show.
///
/// A sensor's frame counter shows that metadata are always of the same frame, the one they come with or the second
/// before it (``MetadataCounter``); which one it does not show. Settings do, as soon as they change: metadata that
/// follow a change with the very frame that was to have it are that frame's. Metadata that show what a frame some
/// places earlier was to have are that frame's, or the device takes so many frames longer than its profile says.
/// Nothing but pixels can tell these two apart, so what such metadata say that was not expected is unclear.
///
/// A write that was lost before any change was followed looks like it too, until the next change is followed, or
/// until what the metadata show has been left behind. Metadata that show what none of the last frames was to have
/// are believed.
public struct MetadataDelay: BitwiseCopyable, Sendable {
    /// What metadata say of a frame, or what it was expected to have; nil where that is not known.
    public struct Settings: BitwiseCopyable, Hashable, Sendable {
        /// In nanoseconds.
        public var exposure: Int64?
        /// In millionths.
        public var gain: Int64?

        /// Creates settings.
        public init(exposure: Int64? = nil, gain: Int64? = nil) {
            self.exposure = exposure
            self.gain = gain
        }

        func differs(from other: Settings) -> Bool {
            Self.differs(exposure, other.exposure) || Self.differs(gain, other.gain)
        }

        /// Whether any setting is as in `other`, and otherwise in `third`.
        func agrees(with other: Settings, against third: Settings) -> Bool {
            exposure == other.exposure && Self.differs(exposure, third.exposure)
                || gain == other.gain && Self.differs(gain, third.gain)
        }

        private static func differs(_ one: Int64?, _ other: Int64?) -> Bool {
            guard let one, let other else { return false }
            return one != other
        }
    }

    /// Receivers have a buffer that is filled and a next one; twice as many frames.
    private static let longest = 4
    /// Frames in a row that show something else refute a delay.
    private static let fewestMisses: UInt8 = 3

    /// What the last frames were expected to have, the last one first; nil before the stream, or if not counted.
    private var expected = InlineArray<4, Settings?>(repeating: nil)
    /// Bit n: metadata are not those of the frame n places before.
    private var excluded: UInt8 = 0
    /// Bit n: metadata showed what the frame n places before was expected to have, and not their own frame.
    private var suspected: UInt8 = 0
    /// In how many frames in a row each delay foretold something else than metadata showed.
    private var misses = InlineArray<4, UInt8>(repeating: 0)
    private var place: Int64 = 0

    /// Creates a delay of which nothing is known.
    public init() {}

    /// Takes the next frame.
    ///
    /// - Parameters:
    ///   - found: what its metadata say; nil for a frame without any.
    ///   - wanted: what it is believed to have by what was written and read back.
    ///   - place: how many frames came or are missing so far.
    /// - Returns: whether nobody knows whose its metadata are, so that nothing is known of what they contradict.
    public mutating func observe(
        _ found: Settings?, expected wanted: Settings, at place: Int64
    ) -> Bool {
        // Of frames that nobody counted in time it is not known what they were to have.
        var missing = min(Int64(Self.longest), place - self.place - 1)
        while missing > 0 {
            push(Settings())
            missing -= 1
        }
        self.place = place
        defer { push(wanted) }
        guard let found else { return false }
        judge(found, wanted)
        return suspected != 0
    }

    /// Takes a frame that is missing before the next one.
    ///
    /// - Parameter wanted: what it is believed to have had.
    public mutating func observeMissing(expected wanted: Settings) {
        place += 1
        push(wanted)
    }

    private mutating func judge(_ found: Settings, _ wanted: Settings) {
        let isExpected = !found.differs(from: wanted)
        var delay = 1
        while delay <= Self.longest {
            weigh(found, wanted, delay: delay, isExpected: isExpected)
            delay += 1
        }
        suspected &= ~excluded
    }

    private mutating func weigh(
        _ found: Settings, _ wanted: Settings, delay: Int, isExpected: Bool
    ) {
        guard let earlier = expected[delay - 1] else { return }
        let isMissed = found.differs(from: earlier)
        misses[delay - 1] = isMissed ? min(misses[delay - 1] + 1, Self.fewestMisses) : 0
        let isRefuted = misses[delay - 1] >= Self.fewestMisses
        if isRefuted || found.agrees(with: wanted, against: earlier) {
            excluded |= 1 << UInt8(delay)
        }
        if !isExpected, !isMissed { suspected |= 1 << UInt8(delay) }
    }

    private mutating func push(_ settings: Settings) {
        var place = Self.longest - 1
        while place > 0 {
            expected[place] = expected[place - 1]
            place -= 1
        }
        expected[0] = settings
    }
}
