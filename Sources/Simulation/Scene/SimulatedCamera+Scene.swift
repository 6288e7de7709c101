internal import Imaging
internal import Timebase

/// How the simulated camera sees a scene that changes.
extension SimulatedCamera {
    /// How the scene is for the sensor's next frame; nil for one that does not change.
    ///
    /// - Parameter end: when the exposure of its first row ends.
    func conditions(at end: Instant<Monotonic>) -> SceneConditions? {
        guard let size = layout?.size else { return nil }
        return changing?.next(at: end, size: size)
    }

    /// The light of the sensor's next frame, whatever becomes of that; a hidden iris answers to it.
    func light(
        from start: Instant<Monotonic>, to end: Instant<Monotonic>, _ state: SensorState,
        _ conditions: SceneConditions?
    ) -> SceneLight {
        let light = SceneLight(lines: lines, from: start, to: end, conditions)
        if let conditions, let size = layout?.size {
            changing?.see(
                SimulatedSensor.level(light, state, options.scene), conditions, size: size)
        }
        return light
    }

    /// The ambient light that a buffer's frame had, in millionths of the usual; nil in the usual scene.
    func lightMillionths(of buffer: SimulatedBuffer) -> Int64? {
        guard options.scene != .usual else { return nil }
        let millionths = Float(options.scene.luminanceMillionths) * buffer.light.share
        return Int64(millionths.rounded())
    }

    /// How late a frame and its timestamp are by injected jitter; the same whenever it is asked.
    func jitter(ofFrame frame: Int64) -> Interval {
        let most = options.faults.injected.timestampJitter
        guard most > .zero else { return .zero }
        var random = jitters.split(UInt64(bitPattern: frame))
        return .nanoseconds(Int64(random.next() % UInt64(most.nanoseconds + 1)))
    }
}
