internal import Timebase

/// Finds writes that were lost, one or several in a row, in the brightness of a linear sensor with a known black level.
///
/// There brightness is scene times exposure times gain. Over the last frames the scene is estimated as the median of
/// what each frame's settings make of its brightness. Where two frames out of three keep to it, through a change of
/// settings, and each of the others is just as bright as it would be with the exposure, the gain, or both of the last
/// frame before it that does, those had that one's and not their own. A scene that changes has no reason to be such a
/// multiple; one frame that fits neither, and nothing is said.
///
/// To be used for frames of the same light, one after the other. A value of fixed size; nothing in it allocates.
public struct LinearLight: Sendable {
    private static let capacity = 32
    private static let fewest = 6
    private static let fewestBefore = 3
    /// Brightness keeps to the settings to this share.
    private static let tolerance = 0.05

    private struct Entry: BitwiseCopyable {
        var frame: LightWitness.Frame
        var level: Double
        var product: Double
        var isTold = false
    }

    private var entries: InlineArray<32, Entry?> = InlineArray(repeating: nil)
    private var next = 0
    private var count = 0

    /// Creates a check that has seen nothing.
    public init() {}

    /// Takes the next frame.
    ///
    /// - Parameter tell: is given each frame of which it is clear now that it did not have its settings.
    public mutating func take(
        _ frame: LightWitness.Frame, tell: (LightWitness.Contradiction) -> Void
    ) {
        guard frame.light.isUsable else { return }
        if let last = entry(0), last.frame.whiteBalance != frame.whiteBalance { count = 0 }
        let product = Double(frame.light.exposure.nanoseconds) * Double(frame.light.gainMillionths)
        entries[next] = Entry(
            frame: frame, level: Double(frame.light.levelMillionths), product: product)
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        // Only where a change shows, so that what stays lost is not taken for the scene's doing.
        guard count >= Self.fewest, let last = entry(1), isLarge(last.product, product) else {
            return
        }
        judge(tell)
    }

    private mutating func judge(_ tell: (LightWitness.Contradiction) -> Void) {
        let scene = scene
        guard keeps(entry(0), to: scene), areFew(scene) else { return }
        var reference: Int?
        var before = 0
        var place = count - 1
        while place >= 0 {
            defer { place -= 1 }
            guard let entry = entry(place) else { return }
            if keeps(entry, to: scene) {
                reference = place
                before += 1
                continue
            }
            guard before >= Self.fewestBefore, let reference, let shown = self.entry(reference),
                !missing(entry, shown, scene).isEmpty
            else { return }
        }
        report(scene, tell)
    }

    /// Each of the others had the settings of the last frame before it that keeps to the scene.
    private mutating func report(
        _ scene: Double, _ tell: (LightWitness.Contradiction) -> Void
    ) {
        var shown: Entry?
        var place = count - 1
        while place >= 0 {
            defer { place -= 1 }
            let index = index(place)
            guard let entry = entries[index] else { continue }
            if keeps(entry, to: scene) {
                shown = entry
                continue
            }
            guard !entry.isTold, let shown else { continue }
            entries[index]?.isTold = true
            let groups = missing(entry, shown, scene)
            guard !groups.isEmpty, entry.frame.unproven.isSuperset(of: groups) else { continue }
            tell(
                LightWitness.Contradiction(
                    frame: entry.frame, groups: groups, shown: shown.frame))
        }
    }

    /// What a frame has of another one's instead of its own, if that makes it just as bright as it is.
    private func missing(_ entry: Entry, _ shown: Entry, _ scene: Double) -> ControlGroups {
        let (own, other) = (entry.frame, shown.frame)
        let exposure = Double(other.value(.exposure)) / Double(own.value(.exposure))
        let gain = Double(other.value(.gain)) / Double(own.value(.gain))
        if exposure != 1, isMissing(entry, exposure, scene) { return ControlGroups(.exposure) }
        if gain != 1, isMissing(entry, gain, scene) { return ControlGroups(.gain) }
        guard exposure != 1, gain != 1, isMissing(entry, exposure * gain, scene) else { return [] }
        return [ControlGroups(.exposure), ControlGroups(.gain)]
    }

    private func isMissing(_ entry: Entry, _ ratio: Double, _ scene: Double) -> Bool {
        isLarge(ratio, 1)
            && abs(entry.level - scene * entry.product * ratio) <= entry.level * Self.tolerance
    }

    // MARK: The last frames

    private func index(_ back: Int) -> Int {
        (next - 1 - back + 2 * Self.capacity) % Self.capacity
    }

    /// A frame by its place from the last one back.
    private func entry(_ back: Int) -> Entry? { back < count ? entries[index(back)] : nil }

    /// The median of brightness over settings.
    private var scene: Double {
        var sorted = InlineArray<32, Double>(repeating: 0)
        for number in 0..<count {
            let value = entry(number).map { $0.level / $0.product } ?? 0
            var place = number
            while place > 0, sorted[place - 1] > value {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = value
        }
        return sorted[count / 2]
    }

    private func keeps(_ entry: Entry?, to scene: Double) -> Bool {
        guard let entry else { return false }
        let expected = scene * entry.product
        return abs(entry.level - expected) <= expected * Self.tolerance
    }

    /// Whether some frames, and no more than one out of three, do not keep to the scene.
    private func areFew(_ scene: Double) -> Bool {
        var others = 0
        for number in 0..<count where !keeps(entry(number), to: scene) { others += 1 }
        return others > 0 && others * 3 <= count
    }

    private func isLarge(_ a: Double, _ b: Double) -> Bool { max(a, b) * 2 >= min(a, b) * 3 }
}
