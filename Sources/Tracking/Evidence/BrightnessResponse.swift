/// How bright a camera makes one scene by the product of exposure and gain, both as natural logarithms.
///
/// A linear camera with a known black level keeps to the law that brightness is proportional to the product. Of others
/// the response is learned: a level for each product that was seen, and what lies between and beyond them with a bound
/// for how much a tone curve, an unknown black level or the edge of saturation may bend it.
struct BrightnessResponse: Sendable {
    /// A product that was seen.
    private struct Known: Sendable {
        let product: Double
        /// Brightness relative to the first product of all.
        var level: Double
        var variance: Double
    }

    /// More products than this are not kept; the one seen longest ago goes.
    private static let capacity = 48
    /// Products closer than this are one.
    private static let resolution = 1e-6

    /// Whether brightness is proportional to the product, above a black level that is known.
    let isLinear: Bool
    /// Slope where nothing is known: 1 for a linear camera; tone curves have 0.45 (1/2.2) and more, black levels less.
    private let slope: (mean: Double, variance: Double)
    /// How much the slope may change over a factor of e in brightness.
    private let bend: Double
    /// In the order of last use.
    private var known: [Known] = []

    init(isLinear: Bool) {
        self.isLinear = isLinear
        slope = isLinear ? (1, 0.01 * 0.01) : (0.65, 0.3 * 0.3)
        bend = isLinear ? 0.01 : 0.2
    }

    /// Forgets all levels, as where it turns out that they were of other products.
    mutating func forget() { known = [] }

    /// The least that a level is known by.
    private static let leastVariance = 1e-7

    /// How much of the variance that an unsure black level makes stands between a product and the nearest one that
    /// was seen; all of it where none was.
    ///
    /// An offset changes the logarithm of a level by its part of that: twice the light, half the change.
    func unlikeness(_ product: Double) -> Double {
        guard let nearest = known.map(\.product).min(by: { abs($0 - product) < abs($1 - product) })
        else { return 1 }
        let share = 1 - exponential(min(10, product - nearest))
        return share * share
    }

    /// The level of a product that was learned; nil of others.
    func seen(_ product: Double) -> (level: Double, variance: Double)? {
        known.first { abs($0.product - product) < Self.resolution }.map { ($0.level, $0.variance) }
    }

    /// The level that a product should have, and the variance of that; 0 for the first product of all.
    func expected(_ product: Double) -> (level: Double, variance: Double) {
        var (low, high): (Known?, Known?) = (nil, nil)
        for one in known {
            let distance = one.product - product
            if abs(distance) < Self.resolution { return (one.level, one.variance) }
            if distance < 0, low.map({ $0.product < one.product }) ?? true { low = one }
            if distance > 0, high.map({ $0.product > one.product }) ?? true { high = one }
        }
        if let low, let high { return between(low, high, product) }
        if let edge = low ?? high { return beyond(edge, product) }
        return (0, 0)
    }

    private func between(_ a: Known, _ b: Known, _ product: Double) -> (Double, Double) {
        let (left, right) = (product - a.product, b.product - product)
        let share = left / (left + right)
        let bent = min(bend * left * right, 0.3 * min(left, right))
        return (
            a.level + share * (b.level - a.level), max(a.variance, b.variance) + bent * bent
        )
    }

    /// Goes on from the last level with the slope that was seen before it, if any was.
    private func beyond(_ edge: Known, _ product: Double) -> (Double, Double) {
        let distance = product - edge.product
        var (mean, precision) = (slope.mean, 1 / slope.variance)
        let inner = known.filter {
            ($0.product - edge.product) * distance < 0 && abs($0.product - edge.product) > 0.05
        }.min { abs($0.product - edge.product) < abs($1.product - edge.product) }
        if let inner {
            let gap = edge.product - inner.product
            let bent = bend * (abs(gap) + abs(distance))
            let seen = 1 / ((edge.variance + inner.variance) / (gap * gap) + bent * bent)
            mean = (mean * precision + (edge.level - inner.level) / gap * seen) / (precision + seen)
            precision += seen
        }
        return (edge.level + mean * distance, edge.variance + distance * distance / precision)
    }

    /// Takes a product for the one that levels are relative to, if there is none yet.
    mutating func begin(with product: Double) {
        if known.isEmpty { learn(product, level: 0, variance: 0) }
    }

    /// Takes note of the level that a product turned out to have.
    mutating func learn(_ product: Double, level: Double, variance: Double) {
        let one = Known(
            product: product, level: level, variance: max(Self.leastVariance, variance))
        if let place = known.firstIndex(where: { abs($0.product - product) < Self.resolution }) {
            if place == known.count - 1 { return known[place] = one }
            known.remove(at: place)
        } else if known.count == Self.capacity {
            known.removeFirst()
        }
        known.append(one)
    }
}
