/// Whether metadata are of the frame that they come with, or of one some frames before, by the settings they show.
///
/// A sensor's frame counter shows that metadata are always of the same frame, the one they come with or the second
/// before it (``MetadataCounter``); which one it does not show. Settings do, as soon as they change: metadata that
/// follow a change with the very frame that was to have it are that frame's, and the delays that would have shown
/// another value are excluded. Metadata that show what a frame some places earlier was to have are that frame's, or
/// the device takes so many frames longer than its profile states. Nothing but pixels can distinguish these two, so
/// what such metadata contradict is unclear. Metadata that agree prove nothing while a delay is not excluded, unless
/// settings stood still for as long.
///
/// A write that was lost before any change was followed looks like a delay too, until changes are followed, or
/// until what the metadata show has been left behind. Metadata that show what none of the last frames was to have
/// are believed.
///
/// What can't be detected: a delay of metadata and a profile that is wrong by as many frames the other way.
public struct MetadataDelay: BitwiseCopyable, Sendable {
    /// What metadata report of a frame, or what it was expected to have; nil where that is not known.
    public struct Settings: BitwiseCopyable, Hashable, Sendable {
        /// In nanoseconds.
        public var exposure: Int64?
        /// In millionths.
        public var gain: Int64?
        /// The frame was missing, and it is unknown what it was to have.
        fileprivate var isUncounted = false

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

    /// What the metadata of a frame are worth.
    public struct Worth: BitwiseCopyable, Hashable, Sendable {
        /// Whether they are the frame's own where they contradict what it was expected to have.
        public fileprivate(set) var refutes = true
        /// Whether the exposure that they have in common with what was expected is proven.
        public fileprivate(set) var provesExposure = true
        /// The same of the gain.
        public fileprivate(set) var provesGain = true

        /// Creates the worth of metadata that are known to be the frame's own.
        public init() {}
    }

    /// What is known of one delay.
    fileprivate struct Candidate: BitwiseCopyable {
        /// What the frame so many places before was expected to have; nil before the stream.
        var expected: Settings?
        /// It was seen that metadata have not this delay.
        var isExcluded = false
        /// Metadata contradicted what was expected, and showed what this delay foretells.
        var isSuspected = false
        /// Frames in a row that showed something else.
        var misses = 0
        /// Changes in a row that were followed as if there were no delay.
        var agreements = 0
        /// Different settings in a row that this delay predicted and nothing else did, and the last of them.
        var hits = 0
        var lastHit: Settings?
        /// There were so many that nothing refutes it any more: lost writes only make it look so.
        var isConfirmed = false
    }

    /// The longest delay that is looked for, in frames.
    ///
    /// Receivers have a buffer that is filled and a next one; twice as many.
    public static let longest = 4
    /// Frames in a row that decide for or against a delay where one might be a coincidence.
    fileprivate static let fewest = 3

    /// By delay, from one frame on.
    private var candidates = InlineArray<4, Candidate>(repeating: Candidate())
    private var place: Int64 = 0

    /// Creates a delay of which nothing is known.
    public init() {}

    /// Takes the next frame.
    ///
    /// - Parameters:
    ///   - found: what its metadata report; nil for a frame without any.
    ///   - isCounted: whether the sensor's own count came with them, so that they are always as old.
    ///   - wanted: what it is believed to have by what was written and read back.
    ///   - place: how many frames came or are missing so far.
    public mutating func observe(
        _ found: Settings?, isCounted: Bool, expected wanted: Settings, at place: Int64
    ) -> Worth {
        // Of frames that nobody counted in time it is not known what they were to have.
        var missing = min(Int64(Self.longest), place - self.place - 1)
        while missing > 0 {
            var unknown = Settings()
            unknown.isUncounted = true
            push(unknown)
            missing -= 1
        }
        self.place = place
        defer { push(wanted) }
        guard let found else { return Worth() }
        var delay = 0
        while delay < Self.longest {
            candidates[delay].weigh(found, wanted)
            delay += 1
        }
        return worth(isCounted, wanted)
    }

    /// Takes a frame that is missing before the next one.
    ///
    /// - Parameter wanted: what it is believed to have had.
    public mutating func observeMissing(expected wanted: Settings) {
        place += 1
        push(wanted)
    }

    private func worth(_ isCounted: Bool, _ wanted: Settings) -> Worth {
        var worth = Worth()
        var (stoodStill, place) = (Worth(), 0)
        while place < Self.longest {
            let candidate = candidates[place]
            if let earlier = candidate.expected {
                // What is not known of a frame that came is on its way to what is wanted now.
                if earlier.isUncounted || earlier.exposure.map({ $0 != wanted.exposure }) ?? false {
                    stoodStill.provesExposure = false
                }
                if earlier.isUncounted || earlier.gain.map({ $0 != wanted.gain }) ?? false {
                    stoodStill.provesGain = false
                }
            }
            if !candidate.isExcluded || !isCounted {
                worth.refutes = worth.refutes && !candidate.isSuspected
                worth.provesExposure = stoodStill.provesExposure
                worth.provesGain = stoodStill.provesGain
            }
            place += 1
        }
        return worth
    }

    private mutating func push(_ settings: Settings) {
        var place = Self.longest - 1
        while place > 0 {
            candidates[place].expected = candidates[place - 1].expected
            place -= 1
        }
        candidates[0].expected = settings
    }
}

extension MetadataDelay.Candidate {
    /// Weighs what the metadata of a frame report that was to have `wanted`.
    fileprivate mutating func weigh(
        _ found: MetadataDelay.Settings, _ wanted: MetadataDelay.Settings
    ) {
        guard let expected else { return }
        if found.differs(from: expected) {
            misses += 1
            hits = 0
        } else {
            misses = 0
            if found.differs(from: wanted) { hit(found) }
        }
        if found.agrees(with: wanted, against: expected) {
            agreements += 1
            if agreements >= (isSuspected ? MetadataDelay.fewest : 1) { exclude() }
        }
        if misses >= MetadataDelay.fewest { exclude() }
    }

    private mutating func hit(_ found: MetadataDelay.Settings) {
        agreements = 0
        if found != lastHit || hits == 0 { hits += 1 }
        lastHit = found
        // After writes that were lost settings stand still.
        isConfirmed = isConfirmed || hits >= MetadataDelay.fewest
        if isExcluded, !isConfirmed { return }
        isExcluded = false
        isSuspected = true
    }

    private mutating func exclude() {
        if isConfirmed { return }
        isExcluded = true
        isSuspected = false
    }
}
