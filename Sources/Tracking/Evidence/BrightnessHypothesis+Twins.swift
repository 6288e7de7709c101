internal import Devices

extension BrightnessHypothesis {
    /// Whether both say the same of all frames to come, and of all that are open.
    func isTwin(of other: BrightnessHypothesis, noise: Double) -> Bool {
        // What differs most often, and costs least to compare, stands first.
        guard deviations.count == other.deviations.count, writesEarly == other.writesEarly,
            cameLate == other.cameLate, scenes.count == other.scenes.count,
            actual == other.actual, manner == other.manner, deviations == other.deviations
        else { return false }
        let near = 3 * noise.squareRoot()
        return scenes.allSatisfy { scene in
            other.scenes.contains {
                $0.key == scene.key && abs(other.level(of: $0) - level(of: scene)) < near
            }
        }
    }
}
