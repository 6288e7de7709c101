internal import Glibc

/// One look at two clocks as the compared estimators take it.
struct Look {
    /// The middle between both readings of the first clock, in seconds from the beginning.
    let time: Double
    /// The second clock less the first there, in nanoseconds, relative to the first look's.
    let offset: Double
    /// The time between both readings of the first clock, in nanoseconds.
    let delay: Double
}

/// An estimator of others, from its published description; in floating point from numbers that begin at zero.
protocol ComparedEstimator {
    /// What it is called in the table.
    static var name: String { get }
    init()
    /// Takes in a few looks that were made one after the other; one or more.
    mutating func add(_ looks: [Look])
    /// The offset at a time, and half the width of an interval around it up to a factor; in nanoseconds.
    func estimate(at time: Double) -> (offset: Double, halfWidth: Double)
}

extension [Look] {
    /// The look that took the least time.
    var quickest: Look { self[indices.min { self[$0].delay < self[$1].delay } ?? 0] }
}

/// As in LSL: of each burst the look with the least round trip, and a recursive least-squares line with a half-time of
/// 90 s; the interval is the round trip.
struct RecursiveFit: ComparedEstimator {
    static let name = "LSL-style"
    private static let halfTime = 90.0

    private var weights = (offset: 0.0, slope: 0.0)
    private var covariance = (a: 1e10, b: 0.0, c: 1e10)
    private var origin = 0.0
    private var last: Look?

    mutating func add(_ looks: [Look]) {
        let look = looks.quickest
        if let last {
            let miss = abs(look.offset - estimate(at: look.time).offset)
            if miss > 3 * (look.delay + last.delay) + 200_000 * (look.time - last.time) {
                self = RecursiveFit()
            }
        }
        if last == nil { origin = look.time }
        let forgetting = exp2(-(look.time - (last?.time ?? look.time)) / Self.halfTime)
        let t = look.time - origin
        let (a, b, c) = covariance
        let (pu, pv) = (a + b * t, b + c * t)
        let divisor = forgetting + pu + pv * t
        let gain = (pu / divisor, pv / divisor)
        let error = look.offset - (weights.offset + weights.slope * t)
        weights.offset += gain.0 * error
        weights.slope += gain.1 * error
        covariance = (
            (a - gain.0 * pu) / forgetting, (b - gain.0 * pv) / forgetting,
            (c - gain.1 * pv) / forgetting
        )
        last = look
    }

    func estimate(at time: Double) -> (offset: Double, halfWidth: Double) {
        (weights.offset + weights.slope * (time - origin), last?.delay ?? 0)
    }
}

/// As in libcamera's ClockRecovery: a regression over an exponential window of 100 samples, after ten; errors are
/// clamped at 2 ms, from 50 ms on it begins anew.
///
/// It states no interval: this is the root of the mean square of its errors over the same window.
struct ExponentialRegression: ComparedEstimator {
    static let name = "libcamera-style"
    private static let samples = 100.0

    private var count = 0.0
    private var mean = (x: 0.0, y: 0.0)
    private var square = (xx: 0.0, xy: 0.0)
    private var slope = 0.0
    private var errorSquare = 0.0

    mutating func add(_ looks: [Look]) {
        guard let look = looks.first else { return }
        var y = look.offset
        if count > 0 {
            let expected = estimate(at: look.time).offset
            let error = y - expected
            if abs(error) > 50_000_000 {
                self = ExponentialRegression()
            } else {
                y = expected + max(-2_000_000, min(2_000_000, error))
                let share = 1 / min(count, Self.samples)
                errorSquare += (error * error - errorSquare) * share
            }
        }
        if count == 0 { errorSquare = look.delay * look.delay / 4 }
        count = min(count + 1, Self.samples)
        let share = 1 / count
        let (dx, dy) = (look.time - mean.x, y - mean.y)
        mean.x += dx * share
        mean.y += dy * share
        square.xx = (1 - share) * (square.xx + share * dx * dx)
        square.xy = (1 - share) * (square.xy + share * dx * dy)
        if count >= 10 { slope = square.xy / square.xx }
    }

    func estimate(at time: Double) -> (offset: Double, halfWidth: Double) {
        (mean.y + slope * (time - mean.x), errorSquare.squareRoot())
    }
}
