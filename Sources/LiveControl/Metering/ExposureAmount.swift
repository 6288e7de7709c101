internal import Devices
internal import Timebase

/// Exposure duration times gain, in nanoseconds times millionths.
///
/// What a linear sensor answers to: the level is in proportion to it. 128 bits wide: products of nanoseconds,
/// millionths and a fraction overflow 64.
struct ExposureAmount: Hashable, Comparable {
    /// Stands for the exposure of a camera that can't set it: then amounts compare by gain alone.
    static let unsetDuration = Interval(nanoseconds: 1_000_000_000)

    var product: Int128

    /// Creates an amount; at least 1, so that it can be divided by.
    init(product: Int128) {
        self.product = max(product, 1)
    }

    init(duration: Interval, gain: Gain) {
        self.init(product: Int128(duration.nanoseconds) * Int128(gain.millionths))
    }

    static func < (a: ExposureAmount, b: ExposureAmount) -> Bool { a.product < b.product }

    /// The duration that gives the amount at a gain.
    static func / (amount: ExposureAmount, gain: Gain) -> Interval {
        Interval(nanoseconds: Int64(clamping: amount.product / Int128(max(gain.millionths, 1))))
    }

    /// The gain that gives the amount at a duration.
    func gain(over duration: Interval) -> Gain {
        let nanoseconds = Int128(max(duration.nanoseconds, 1))
        return Gain(millionths: Int64(clamping: (product + nanoseconds / 2) / nanoseconds))
    }

    /// The amount times a fraction, of which a factor of 8 counts at most.
    ///
    /// A factor of 8 is 3 EV.
    ///
    /// - Parameters:
    ///   - numerator: 1 to 2^60.
    ///   - denominator: 1 to 2^60.
    func times(_ numerator: Int128, over denominator: Int128) -> ExposureAmount {
        if numerator >= 8 * denominator { return ExposureAmount(product: product * 8) }
        if 8 * numerator <= denominator { return ExposureAmount(product: product / 8) }
        return ExposureAmount(product: product * numerator / denominator)
    }
}

extension ExposureModel {
    /// The camera's exposure nearest to one inside its range, or the nearest that is not longer.
    ///
    /// - Parameter orBelow: whether the one below is taken where the nearest is longer; the shortest has none below.
    func nearest(to wanted: Interval, orBelow: Bool) -> Interval {
        guard let code = try? code(for: wanted, profile: "") else {
            return wanted < range.lowerBound ? range.lowerBound : range.upperBound
        }
        let found = duration(ofCode: code)
        guard orBelow, found > wanted, code - codes.step >= codes.minimum else { return found }
        return duration(ofCode: code - codes.step)
    }
}

extension GainModel {
    /// The camera's gain nearest to one inside its range.
    func nearest(to wanted: Gain) -> Gain {
        guard let code = try? code(for: wanted, profile: ""), let found = gain(ofCode: code) else {
            return wanted < range.lowerBound ? range.lowerBound : range.upperBound
        }
        return found
    }
}
