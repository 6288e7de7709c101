internal import Timebase

/// How the scene differs from the usual one while a frame is exposed.
struct SceneConditions: Hashable {
    /// The lamp's flicker, and where in it the rig was made.
    struct Lamp: Hashable {
        var flicker: SceneChanges.Flicker
        var origin: Instant<Monotonic>
        /// In parts of 10¹² of a period.
        var phase: Int64
    }

    /// Something in front of the scene.
    struct Patch: Hashable {
        var rows: Range<Int>
        var columns: Range<Int>
        /// How bright it is, relative to what it covers.
        var radiance: Float
    }

    /// The ambient light, without flicker.
    var ambient: Float = 1
    var lamp: Lamp?
    /// The share of all light that an iris lets through, relative to the usual.
    var iris: Float = 1
    var patch: Patch?

    /// The mean of the ambient light between two moments, exactly.
    func ambient(from start: Instant<Monotonic>, to end: Instant<Monotonic>) -> Float {
        guard let lamp, end > start else { return ambient }
        // Nanoseconds times millihertz: a period has 10¹².
        let period: Int128 = 1_000_000_000_000
        func integral(_ time: Instant<Monotonic>) -> Int128 {
            let elapsed = Int128((time - lamp.origin).nanoseconds)
            return TriangleWave.integral(
                to: elapsed * Int128(lamp.flicker.millihertz) + Int128(lamp.phase), period: period)
        }
        let span = Int128((end - start).nanoseconds) * Int128(lamp.flicker.millihertz)
        let mean = Double(integral(end) - integral(start)) / (Double(span) * 1e12)
        return ambient * Float(1 + Double(lamp.flicker.depthMillionths) / 1_000_000 * mean)
    }
}

/// A wave of straight lines between −1 and 1 that starts at 0 and rises.
enum TriangleWave {
    /// Its integral from 0 on, times the period; exact, and 0 again after each period.
    ///
    /// - Parameter period: positive; the result stays below its square.
    static func integral(to time: Int128, period: Int128) -> Int128 {
        let x = time.flooredQuotientAndRemainder(dividingBy: period).remainder
        // The wave is odd about half the period, so the integral is even about it.
        let y = min(x, period - x)
        // Up to a quarter period p the integral is 2y²/p, from there to the half p/4 − 2(p/2 − y)²/p.
        if 4 * y <= period { return 2 * y * y }
        let left = period - 2 * y
        return period * period / 4 - left * left / 2
    }
}
