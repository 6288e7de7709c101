/// Gains of the colour channels in millionths: 1,000,000 is 1×.
public struct ChannelGains: Hashable, Sendable {
    /// Red, in millionths.
    public var redMillionths: Int64
    /// Green, in millionths.
    public var greenMillionths: Int64
    /// Blue, in millionths.
    public var blueMillionths: Int64

    /// Creates gains; green is 1 if left out.
    public init(redMillionths: Int64, greenMillionths: Int64 = 1_000_000, blueMillionths: Int64) {
        self.redMillionths = redMillionths
        self.greenMillionths = greenMillionths
        self.blueMillionths = blueMillionths
    }
}
