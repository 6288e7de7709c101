internal import Devices

/// Frames that can't be measured, since they are too bright or too dark.
extension BrightnessHypothesis {
    /// A frame at full scale, of a scene of which nothing was measured yet.
    struct Overexposed: Sendable {
        let key: Int
        let product: Double
        let number: Int
    }

    /// How far beyond its uncertainty a frame has to be too bright or too dark where it can't be measured: a third.
    private static let clearly = 0.3
    /// Full scale is known no better than this: it is where so few cells are below that none tells how bright it is.
    private static let leastVagueness = 0.02

    /// A frame is at full scale.
    ///
    /// - Parameter place: of its scene; nil if nothing of that was measured yet.
    mutating func seeFullScale(
        _ key: Int, _ product: Double, _ place: Int?, _ number: Int, _ noise: Double
    ) {
        guard let place else { return noteOverexposed(key, product, number) }
        if hasJumped(toFullScale: product, place, number, noise) {
            jump(to: scene(key, 0, doubt: Self.jumpVariance, product, number))
        } else if product <= scenes[place].fullScale?.product ?? product {
            scenes[place].fullScale = (product, scenes[place].level)
        }
    }

    /// Weighs that a scene was at full scale with a product.
    ///
    /// - Returns: whether that is likelier because the scene jumped.
    private mutating func hasJumped(
        toFullScale product: Double, _ place: Int, _ number: Int, _ noise: Double
    ) -> Bool {
        let rate = nextJumpRate()
        let still = (1 - rate) * chanceOfFullScale(product, place, number, noise)
        // Half of all jumps lead that way.
        logWeight += naturalLogarithm(still + rate / 2)
        return still < rate / 2
    }

    /// How likely a scene is at full scale with a product.
    ///
    /// It is no darker there than it was where it could be measured, and no brighter than full scale. What was at full
    /// scale before may be so again: how far beyond it was nobody knows.
    private func chanceOfFullScale(
        _ product: Double, _ place: Int, _ number: Int, _ noise: Double
    ) -> Double {
        if let least = scenes[place].fullScale?.product, product >= least { return 1 }
        let expected = expectation(product, place, number, noise)
        guard expected.level < 0 else { return 1 }
        let least = min(0, max(-2 * Self.clearly, scenes[place].brightest))
        let vagueness = max(-least / 2, Self.leastVagueness)
        let distance = expected.level - least / 2
        return Self.normal(
            distance / (vagueness * vagueness + expected.spread).squareRoot())
    }

    /// The normal distribution, by a logistic one that is within 0.01 of it (Bowling 2009).
    private static func normal(_ x: Double) -> Double {
        1 / (1 + exponential(min(600, -1.702 * x)))
    }

    /// Keeps the frame that tells most: with the least product, or the newest one where that is long ago.
    private mutating func noteOverexposed(_ key: Int, _ product: Double, _ number: Int) {
        guard Self.groups.allSatisfy({ actual[$0] > 0 }) else { return }
        if let last = overexposed, last.key == key, last.product < product,
            number - last.number <= BrightnessFilter.window
        {
            return
        }
        overexposed = Overexposed(key: key, product: product, number: number)
    }

    /// Weighs what was at full scale before, as soon as something of the scene is measured.
    mutating func weighOverexposed(_ key: Int, _ number: Int, _ noise: Double) {
        guard let one = overexposed,
            one.key == key || one.key == BrightnessFrame.provisional(key),
            let place = scenes.firstIndex(where: { $0.key == key })
        else { return }
        overexposed = nil
        guard number - one.number <= BrightnessFilter.window else { return }
        if hasJumped(toFullScale: one.product, place, number, noise) { jump(to: scenes[place]) }
    }

    /// A frame is darker than a level that could be measured: where its product should make it brighter, the scene has
    /// jumped.
    mutating func see(
        below limit: Double, _ product: Double, _ place: Int, _ number: Int, _ noise: Double
    ) {
        let expected = expectation(product, place, number, noise)
        let margin = 3 * expected.spread.squareRoot() + Self.clearly
        let rate = nextJumpRate()
        guard expected.level - margin > limit else {
            return logWeight += naturalLogarithm(1 - rate)
        }
        logWeight += naturalLogarithm(rate / 2)
        jump(to: scene(scenes[place].key, limit, doubt: Self.jumpVariance, product, number))
    }
}
