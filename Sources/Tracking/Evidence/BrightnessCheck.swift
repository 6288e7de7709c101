public import Devices
internal import Timebase

/// Watches how bright frames are, and reports where that shows their settings, or that a setting is not what the camera
/// reports.
///
/// A scene changes as it likes, so one pair of frames decides nothing. A setting is contradicted only where
/// - brightness followed the settings over the last frames, and by this very setting at least twice: a flash, a tone
///   curve, a control without effect, and a light that makes up for the exposure all fail here;
/// - then it stayed as it was, to a twentieth, although the setting changed by a factor of 1.5;
/// - and afterwards it follows another change of the settings, from where it was before. A scene that had changed at
///   that very frame would have had to change back.
///
/// So a contradiction is known late; until then, and where brightness never comes back, it is unknown what the
/// ``suspects`` had. A write that is lost at the first change of a run is not seen, nor is one that changes less, and a
/// control that never does anything looks like a scene that a flash lights.
///
/// To be used for frames of the same light, one after the other.
public struct BrightnessCheck: Hashable, Sendable {
    /// What is known of a frame.
    public struct Frame: BitwiseCopyable, Hashable, Sendable {
        /// The caller's name for it.
        public var sequence: UInt32
        /// The caller's number of its settings.
        public var settings: Int32
        /// Its light, and what it should have.
        public var light: BrightnessAgreement.Frame
        /// The settings for which the camera's word alone stands: only these can be contradicted.
        public var unproven: ControlGroups
        /// What it had of the other groups that change how bright it is, as ``ControlGroup/changesBrightness`` says.
        public var others: PerGroup<Int64?>

        /// Creates a frame.
        public init(
            sequence: UInt32, settings: Int32, light: BrightnessAgreement.Frame,
            unproven: ControlGroups = .all,
            others: PerGroup<Int64?> = PerGroup(repeating: nil)
        ) {
            self.sequence = sequence
            self.settings = settings
            self.light = light
            self.unproven = unproven
            self.others = others
        }

        /// What it should have of a setting, as a number.
        public func value(_ group: ControlGroup) -> Int64 {
            group == .exposure ? light.exposure.nanoseconds : light.gainMillionths
        }
    }

    /// A frame that did not have what it should.
    public struct Contradiction: Hashable, Sendable {
        /// The frame.
        public var frame: Frame
        /// What it did not have: `exposure`, `gain`, or both.
        public var groups: ControlGroups
        /// A frame that had what it shows.
        public var shown: Frame
        /// Whether nothing else that may have stayed shows alike; else it is known only what the frame did not have.
        public var isOnlyWay = true
    }

    /// What a frame shows.
    public struct Finding: Hashable, Sendable {
        /// Of what settings its light shows that it has them.
        public var shown: ControlGroups = []
        /// Frames before it of which it is now clear that they did not have what they should.
        public var contradictions: [Contradiction] = []
    }

    /// Frames that have to follow their settings before one that does not is reported.
    private static let fewestFrames = 8
    /// Changes of a setting that have to show before one that does not is reported.
    private static let fewestChanges = 2
    /// More contradictions than this are not kept until they are clear.
    private static let mostSuspects = 64

    /// The last frame with the brightness of its settings, and what it shows of them.
    private var reference: Frame?
    private var shown: ControlGroups = []
    /// Whether a frame came since then whose brightness shows nothing: its settings may have stayed all the same.
    private var hasUnseen = false
    /// Frames in a row that were.
    private var streak = 0
    /// How often brightness followed a change of exposure, and of gain, meanwhile.
    private var exposureChanges = 0
    private var gainChanges = 0
    /// Frames of which it is not clear whether they had their settings, the oldest first.
    public private(set) var suspects: [Contradiction] = []

    /// Creates a check that has seen nothing.
    public init() {}

    /// Takes the next frame.
    public mutating func take(_ frame: Frame) -> Finding {
        guard frame.light.isUsable else {
            hasUnseen = true
            return Finding()
        }
        guard let reference, reference.others == frame.others else {
            return begin(with: frame)
        }
        let differing = Self.differing(frame, reference)
        if differing.isEmpty {
            guard frame.light.isAsBright(as: reference.light) else { return begin(with: frame) }
            return goOn(with: frame)
        }
        switch BrightnessAgreement(frame.light, beside: reference.light) {
        case .confirmed:
            // What clears up others has to be clear itself.
            if !suspects.isEmpty, !frame.light.follows(reference.light, parts: 20) {
                return begin(with: frame)
            }
            return goOn(with: frame, showing: Self.large(differing, frame, reference))
        case .contradicted: return suspect(frame, differing, reference)
        case .undecided:
            // Changes too small to show, or that make up for each other, are no news.
            hasUnseen = true
            return frame.light.follows(reference.light) ? Finding() : begin(with: frame)
        }
    }

    /// The scene or its light has changed, or it is the first frame.
    private mutating func begin(with frame: Frame) -> Finding {
        self = BrightnessCheck()
        reference = frame
        return Finding()
    }

    /// A frame has the brightness of its settings; `changed` show in it.
    private mutating func goOn(
        with frame: Frame, showing changed: ControlGroups = []
    ) -> Finding {
        streak += 1
        hasUnseen = false
        if changed.has(.exposure) { exposureChanges += 1 }
        if changed.has(.gain) { gainChanges += 1 }
        // What did not change since the frame before shows as it did there.
        var shows = changed
        shown.forEach { group in
            if reference?.value(group) == frame.value(group) { shows.insert(ControlGroups(group)) }
        }
        shown = shows
        reference = frame
        guard !changed.isEmpty else { return Finding(shown: shows) }
        // Only now: a light that makes up for the exposure from some frame on looks the same until here.
        defer { suspects = [] }
        return Finding(shown: shows, contradictions: suspects)
    }

    /// A frame is as bright as the last one, although its settings are others.
    private mutating func suspect(
        _ frame: Frame, _ differing: ControlGroups, _ reference: Frame
    ) -> Finding {
        let isKnownToShow =
            (!differing.has(.exposure) || exposureChanges >= Self.fewestChanges)
            && (!differing.has(.gain) || gainChanges >= Self.fewestChanges)
        // Which of two is missing can't be determined where one of them alone makes little difference.
        guard streak >= Self.fewestFrames, isKnownToShow, frame.unproven.isSuperset(of: differing),
            Self.large(differing, frame, reference) == differing
        else { return begin(with: frame) }
        suspects.append(
            Contradiction(
                frame: frame, groups: differing, shown: reference,
                isOnlyWay: !hasUnseen && Self.groups.contains { differing == ControlGroups($0) }))
        if suspects.count > Self.mostSuspects { suspects.removeFirst() }
        return Finding()
    }

    /// Gives a suspect up: it stays unknown what it had.
    public mutating func giveUp(_ sequence: UInt32) {
        suspects.removeAll { $0.frame.sequence == sequence }
    }

    private static let groups: [ControlGroup] = [.exposure, .gain]

    private static func differing(_ a: Frame, _ b: Frame) -> ControlGroups {
        var differing: ControlGroups = []
        for group in groups where a.value(group) != b.value(group) {
            differing.insert(ControlGroups(group))
        }
        return differing
    }

    /// Those of the groups that changed enough to show by themselves.
    private static func large(
        _ differing: ControlGroups, _ a: Frame, _ b: Frame
    ) -> ControlGroups {
        var large: ControlGroups = []
        for group in groups where differing.has(group) {
            if isLargeChange(Int128(a.value(group)), Int128(b.value(group))) {
                large.insert(ControlGroups(group))
            }
        }
        return large
    }
}
