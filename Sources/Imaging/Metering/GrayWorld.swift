/// What the middle of a frame would be if it were a grey card: sums of its colours, with what can't be used left out.
///
/// The window is half the width and half the height around the centre, aligned to Bayer quads. A quad, or a pixel, with
/// a sample above 0.95 or below 0.02 of the range from black to the largest code is left out.
public struct GrayWorld: Hashable, Sendable {
    /// Sums over the usable quads, black level subtracted, all with the same factor; green is the mean of both.
    public var red: Int64
    /// See ``red``.
    public var green: Int64
    /// See ``red``.
    public var blue: Int64
    /// How many quads or pixels were usable.
    public var usableCount: Int64
    /// How many there are in the window.
    public var count: Int64

    /// Creates sums.
    public init(red: Int64, green: Int64, blue: Int64, usableCount: Int64, count: Int64) {
        self.red = red
        self.green = green
        self.blue = blue
        self.usableCount = usableCount
        self.count = count
    }

    /// Whether at least a twentieth was usable.
    public var isEnough: Bool { count > 0 && usableCount * 20 >= count }

    /// The gains that make the window grey, the least of them 1, to the nearest millionth.
    ///
    /// They are relative to gains that the samples already had.
    ///
    /// - Returns: nil if less than a twentieth was usable, and where a colour is missing altogether.
    public var gains: ChannelGains? {
        guard isEnough, red > 0, green > 0, blue > 0 else { return nil }
        let most = Int128(max(red, green, blue))
        func gain(_ sum: Int64) -> Int64 {
            Int64(clamping: (2 * most * 1_000_000 + Int128(sum)) / (2 * Int128(sum)))
        }
        return ChannelGains(
            redMillionths: gain(red), greenMillionths: gain(green), blueMillionths: gain(blue))
    }
}
