internal import Devices
internal import Timebase

/// Finds writes that were lost, one or several in a row, in the brightness of a linear sensor with a known black level.
///
/// There brightness is scene times exposure times gain. The scene is known once some frames in a row keep to it through
/// changes of the settings. A later frame that does not, but is just as bright as with the exposure, the gain, or both
/// of the last frame that does, is a suspect: its write may be lost. So it was if a frame with other settings than
/// those that stayed keeps to the scene again after a change; a scene that had changed would have had to change back.
/// A frame that is neither means that the scene changed, and clears all suspects. While neither is shown both may be
/// true, and ``suspects`` are as good as unknown: also at the end of a run.
///
/// To be used for frames of the same light, one after the other.
public struct LinearBrightness: Sendable {
    /// Frames in a row, and large changes among them, that make a scene known.
    private static let fewest = 4
    private static let fewestChanges = 2
    private static let capacity = 32
    /// Brightness keeps to the settings to this share.
    private static let tolerance = 0.05
    /// The black level may be off by this, in millionths of full scale: three codes of 10 bits.
    ///
    /// It drifts with temperature and gain.
    private static let blackDoubt = 3_000.0
    /// A change of settings that brightness shows beyond doubt.
    private static let leastChange = 1.2

    private struct Shot: BitwiseCopyable {
        var frame: BrightnessCheck.Frame
        var level: Double
        var product: Double
        /// What the settings make of the brightness.
        var scene: Double { level / product }
    }

    /// Frames of which it is not clear whether they had their settings, the oldest first.
    public private(set) var suspects: [BrightnessCheck.Contradiction] = []
    /// Frames since the scene was known last; empty while it is.
    private var unjudged: [Shot] = []
    /// The scene by each of the last frames that kept to it; empty while it is not known.
    private var scenes: [Double] = []
    /// The last frame that kept to the scene.
    private var reference: Shot?
    /// What stayed when the suspects' writes were lost.
    private var stale = 0.0
    /// Frames in a row that do not keep to the scene.
    private var streak: [Shot] = []
    /// Frames since the last that kept to the scene whose brightness shows nothing: their settings may have stayed.
    private var unseen: [BrightnessCheck.Frame] = []
    private var last: Shot?

    /// Creates a check that has seen nothing.
    public init() {}

    /// Whether a scene that becomes known may still show that a frame did not have its settings.
    public func awaitsScene(_ sequence: UInt32) -> Bool {
        guard let first = unjudged.first else { return false }
        return unjudged.contains { $0.frame.sequence == sequence }
            && unjudged.contains { Self.isLarge($0.product, first.product) }
    }

    /// Gives a suspect up: it stays unknown what it had.
    public mutating func giveUp(_ sequence: UInt32) {
        suspects.removeAll { $0.frame.sequence == sequence }
    }

    /// Takes the next frame.
    ///
    /// - Parameter report: gets each frame of which it is clear now that it did not have its settings.
    public mutating func take(
        _ frame: BrightnessCheck.Frame, report: (BrightnessCheck.Contradiction) -> Void
    ) {
        guard frame.light.isUsable else {
            unseen.append(frame)
            if unseen.count > Self.capacity { unseen.removeFirst() }
            return
        }
        let shot = Shot(
            frame: frame, level: Double(frame.light.levelMillionths),
            product: Double(frame.light.exposure.nanoseconds) * Double(frame.light.gainMillionths))
        if let last, last.frame.others != frame.others { restart(with: []) }
        guard scenes.isEmpty else { return judge(shot, report) }
        unjudged.append(shot)
        if unjudged.count > Self.capacity { unjudged.removeFirst() }
        last = shot
        establish(report)
    }

    // MARK: Finding the scene

    /// Forgets the scene; some frames may be the first of another one.
    private mutating func restart(with shots: [Shot]) {
        self = LinearBrightness()
        unjudged = shots
        last = shots.last
    }

    /// Where the last frames agree on a scene, judges all that came before by it.
    private mutating func establish(_ report: (BrightnessCheck.Contradiction) -> Void) {
        var (agreeing, changes) = (0, 0)
        for (place, shot) in unjudged.enumerated().reversed() {
            guard let last, Self.isNear(shot.scene, last.scene) else { break }
            agreeing += 1
            if place + 1 < unjudged.count, agreeing > 1,
                Self.isLarge(shot.product, unjudged[place + 1].product)
            {
                changes += 1
            }
        }
        guard agreeing >= Self.fewest, changes >= Self.fewestChanges else { return }
        let shots = unjudged
        unjudged = []
        scenes = shots.suffix(agreeing).map(\.scene)
        last = nil
        for (place, shot) in shots.enumerated() {
            if place >= shots.count - agreeing || keeps(shot) {
                keep(shot, report)
            } else if mayKeep(shot) {
                unseen.append(shot.frame)
            } else if let found = missing(shot) {
                suspect(shot, found)
            } else {
                // Another scene was before this one.
                (reference, suspects, streak) = (nil, [], [])
            }
            last = shot
        }
    }

    // MARK: Judging by it

    private mutating func judge(_ shot: Shot, _ report: (BrightnessCheck.Contradiction) -> Void) {
        if keeps(shot) {
            keep(shot, report)
            unseen = []
        } else if mayKeep(shot) {
            return unseen.append(shot.frame)
        } else if let found = missing(shot) {
            suspect(shot, found)
        } else {
            // The scene has changed, here or where the streak began.
            let shots = streak + [shot]
            restart(with: shots.allSatisfy { Self.isNear($0.scene, shot.scene) } ? shots : [shot])
        }
        last = shot
    }

    private mutating func keep(_ shot: Shot, _ report: (BrightnessCheck.Contradiction) -> Void) {
        let isDecisive =
            Self.isLarge(shot.product, stale)
            && last.map { Self.isLarge(shot.product, $0.product) } ?? false
        if isDecisive {
            suspects.forEach(report)
            suspects = []
        }
        streak = []
        reference = shot
        scenes.append(shot.scene)
        if scenes.count > Self.capacity { scenes.removeFirst() }
    }

    private mutating func suspect(_ shot: Shot, _ found: BrightnessCheck.Contradiction) {
        if suspects.isEmpty { stale = reference?.product ?? 0 }
        suspects.append(found)
        if suspects.count > 2 * Self.capacity { suspects.removeFirst() }
        streak.append(shot)
        if streak.count > Self.capacity { streak.removeFirst() }
    }

    /// What a frame has of the last one that keeps to the scene instead of its own, if that makes it just as bright as
    /// it is.
    private func missing(_ shot: Shot) -> BrightnessCheck.Contradiction? {
        guard let reference else { return nil }
        let (own, other) = (shot.frame, reference.frame)
        let exposure = Double(other.value(.exposure)) / Double(own.value(.exposure))
        let gain = Double(other.value(.gain)) / Double(own.value(.gain))
        var groups: ControlGroups = []
        if exposure != 1, isAsBright(shot, exposure) {
            groups = ControlGroups(.exposure)
        } else if gain != 1, isAsBright(shot, gain) {
            groups = ControlGroups(.gain)
        } else if exposure != 1, gain != 1, isAsBright(shot, exposure * gain) {
            groups = [ControlGroups(.exposure), ControlGroups(.gain)]
        }
        guard !groups.isEmpty, own.unproven.isSuperset(of: groups) else { return nil }
        return BrightnessCheck.Contradiction(
            frame: own, groups: groups, shown: other, isOnlyWay: explanations(of: shot) == 1)
    }

    /// In how many ways exposures and gains that may have stayed make a frame as bright as it is.
    ///
    /// Brightness shows their product alone: twice the exposure and half of the gain look alike.
    private func explanations(of shot: Shot) -> Int {
        let frames =
            [shot.frame] + (reference.map { [$0.frame] } ?? []) + streak.map(\.frame) + unseen
        let exposures = Set(frames.map { $0.value(.exposure) })
        let gains = Set(frames.map { $0.value(.gain) })
        return exposures.reduce(0) { count, exposure in
            count
                + gains.count { gain in
                    isAsBright(shot, Double(exposure) * Double(gain) / shot.product)
                }
        }
    }

    private func isAsBright(_ shot: Shot, _ ratio: Double) -> Bool {
        Self.isLarge(ratio, 1)
            && abs(shot.level - scene * shot.product * ratio) <= shot.level * Self.tolerance
    }

    private func keeps(_ shot: Shot) -> Bool {
        let expected = scene * shot.product
        return abs(shot.level - expected) <= expected * Self.tolerance
    }

    /// Whether the black level alone may be why a dark frame does not keep to the scene: it shows nothing.
    private func mayKeep(_ shot: Shot) -> Bool {
        let expected = scene * shot.product
        return abs(shot.level - expected) <= expected * Self.tolerance + Self.blackDoubt
    }

    /// The median over the last frames that kept to it.
    private var scene: Double { scenes.sorted()[scenes.count / 2] }

    private static func isNear(_ a: Double, _ b: Double) -> Bool {
        max(a, b) <= min(a, b) * (1 + tolerance)
    }

    private static func isLarge(_ a: Double, _ b: Double) -> Bool {
        max(a, b) >= min(a, b) * leastChange
    }
}
