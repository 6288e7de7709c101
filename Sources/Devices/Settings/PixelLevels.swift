/// The values of no light and of full light, as a camera with so many bits delivers them.
public struct PixelLevels: Hashable, Sendable {
    /// Bits of a sample.
    public var bits: Int
    /// The value without light.
    public var black: Int64
    /// The value at saturation; `2^bits − 1` unless the profile states otherwise.
    public var white: Int64

    /// Creates levels.
    public init(bits: Int, black: Int64, white: Int64? = nil) {
        self.bits = bits
        self.black = black
        self.white = white ?? (1 << Int64(bits)) - 1
    }
}
