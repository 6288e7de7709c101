internal import Devices
internal import Imaging
internal import Timebase

/// A scene that changes, from frame to frame of the sensor.
struct ChangingScene {
    /// What a hidden iris aims at, as a share of full scale.
    private static let target: Float = 0.18
    /// How long something takes to move across the picture.
    private static let passTime = Interval.seconds(2)

    private let changes: SceneChanges
    private let origin: Instant<Monotonic>
    private let lamp: SceneConditions.Lamp?
    private var walk: LightWalk
    private var jumps: SplitMix64
    /// For the height at which something passes.
    private let heights: SplitMix64
    /// What the last jump went to.
    private var level = 1.0
    private var iris: Float = 1

    /// - Parameters:
    ///   - origin: when the rig was made.
    ///   - random: what every part's generator is split from.
    init(_ changes: SceneChanges, since origin: Instant<Monotonic>, _ random: SplitMix64) {
        self.changes = changes
        self.origin = origin
        walk = LightWalk(deviation: Double(changes.driftMillionths) / 1_000_000, random.split(25))
        jumps = random.split(26)
        heights = random.split(27)
        var phases = random.split(28)
        lamp = changes.flicker.map {
            SceneConditions.Lamp(
                flicker: $0, origin: origin, phase: Int64(phases.next() % 1_000_000_000_000))
        }
    }

    /// How the scene is for the next frame of the sensor, whatever becomes of that.
    ///
    /// - Parameters:
    ///   - end: when the exposure of its first row ends; later than that of the frame before.
    ///   - size: the picture's.
    mutating func next(at end: Instant<Monotonic>, size: FrameSize) -> SceneConditions {
        let place = Double(jumps.next() >> 40) / 16_777_216
        if jumps.happens(chancePerMillion: changes.jumpsPerMillion) {
            level = LightWalk.exponential(LightWalk.reach * (2 * place - 1))
        }
        var conditions = SceneConditions(lamp: lamp, iris: iris)
        let drift = LightWalk.exponential(walk.logarithm(after: end - origin))
        conditions.ambient = Float(level * drift)
        conditions.patch = patch(at: end, size)
        return conditions
    }

    /// The camera sees a frame, and moves its iris if it has one.
    ///
    /// - Parameter level: the mean of the frame without what moves, as a share of full scale.
    mutating func see(_ level: Float, _ conditions: SceneConditions, size: FrameSize) {
        guard changes.hasHiddenIris else { return }
        var mean = level
        if let patch = conditions.patch {
            let share =
                Float(patch.rows.count * patch.columns.count)
                / Float(size.width * size.height)
            mean *= 1 + share * (patch.radiance - 1)
        }
        mean = min(max(mean, 0.000_001), 1)
        iris = min(max(iris * (2 + Self.target / mean) / 3, 1 / 64), 64)
    }

    /// Where something is at a time; nil where nothing of it is in the picture.
    private func patch(at time: Instant<Monotonic>, _ size: FrameSize) -> SceneConditions.Patch? {
        guard changes.movingMillionths > 0 else { return nil }
        let (pass, since) = (time - origin).nanoseconds.flooredQuotientAndRemainder(
            dividingBy: Self.passTime.nanoseconds)
        let side = (Float(changes.movingMillionths) / 1_000_000).squareRoot()
        let width = Int((Float(size.width) * side).rounded())
        let height = Int((Float(size.height) * side).rounded())
        let way = Int64(size.width + width)
        let left = Int(way * since / Self.passTime.nanoseconds) - width
        var random = heights.split(UInt64(bitPattern: pass))
        let top = Int(random.next() % UInt64(size.height - height + 1))
        let columns = max(0, left)..<max(0, min(size.width, left + width))
        guard !columns.isEmpty, height > 0 else { return nil }
        return SceneConditions.Patch(
            rows: top..<(top + height), columns: columns, radiance: pass & 1 == 0 ? 0.3 : 3)
    }
}
