/// How much detail a frame shows: energy of its gradients over the square of its brightness, so that light does not
/// count.
///
/// Σ(dx² + dy²) / (n · mean²) over luminance, black level subtracted; for Bayer over the sum of a quad's two greens. dx
/// and dy are differences of neighbours: Sobel's wider operator is blind to the finest pattern. Comparable between
/// frames of the same window alone.
public struct FocusScore: Hashable, Comparable, Sendable {
    /// The score in millionths, not negative.
    public let millionths: Int64

    /// Creates a score.
    public init(millionths: Int64) {
        precondition(millionths >= 0, "a score is a sum of squares")
        self.millionths = millionths
    }

    /// Orders scores from blurred to sharp.
    public static func < (a: FocusScore, b: FocusScore) -> Bool { a.millionths < b.millionths }

    /// Measures a window; nil if it is black.
    init?(of samples: FrameSamples, in window: FrameRegion) {
        let places = samples.places(in: window)
        var (sum, energy): (Int64, UInt64) = (0, 0)
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: places.width) { above in
            for y in 0..<places.height {
                var left: Int64 = 0
                for x in 0..<places.width {
                    let value = samples.luminance(places.left + x, places.top + y)
                    sum += value
                    if x > 0 { energy += UInt64((value - left) * (value - left)) }
                    if y > 0 { energy += UInt64((value - above[x]) * (value - above[x])) }
                    left = value
                    above.initializeElement(at: x, to: value)
                }
            }
        }
        guard sum > 0 else { return nil }
        let count = Int128(places.width * places.height)
        let square = Int128(sum) * Int128(sum)
        self.init(millionths: Int64(clamping: Int128(energy) * count * 1_000_000 / square))
    }
}
