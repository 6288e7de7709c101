/// Frames per second as an exact ratio, for example 30/1 or 30000/1001.
public struct FrameRate: Hashable, Sendable {
    /// Frames in ``seconds`` seconds; positive.
    public let frames: Int64
    /// Seconds that ``frames`` frames take; positive.
    public let seconds: Int64

    /// Creates a rate in lowest terms.
    ///
    /// - Returns: nil unless both numbers are in 1…1,000,000,000.
    public init?(frames: Int64, seconds: Int64 = 1) {
        let range: ClosedRange<Int64> = 1...1_000_000_000
        guard range.contains(frames), range.contains(seconds) else { return nil }
        let divisor = greatestCommonDivisor(frames, seconds)
        self.frames = frames / divisor
        self.seconds = seconds / divisor
    }

    /// The time that `count` frames take, rounded to the nearest nanosecond.
    ///
    /// Exact for the count, not the sum of rounded periods: frame 30 of 30 fps lies at 1 s.
    public func duration(ofFrames count: Int64) -> Interval {
        let product = count.multipliedFullWidth(by: seconds * 1_000_000_000)
        let (quotient, remainder) = frames.dividingFullWidth(product)
        return Interval(nanoseconds: quotient + (remainder * 2 >= frames ? 1 : 0))
    }

    /// The time from one frame to the next, rounded to the nearest nanosecond.
    public var period: Interval { duration(ofFrames: 1) }
}

extension FrameRate: Comparable {
    /// Orders rates by frequency.
    public static func < (a: FrameRate, b: FrameRate) -> Bool {
        a.frames * b.seconds < b.frames * a.seconds
    }
}

extension FrameRate: CustomStringConvertible {
    /// The rate as it is written in recipes: `30 fps`, or `30000/1001 fps`.
    public var description: String {
        seconds == 1 ? "\(frames) fps" : "\(frames)/\(seconds) fps"
    }
}

/// The greatest common divisor of two positive numbers (Euclid).
func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
