/// A chromaticity in CIE 1931 (x, y).
public struct Chromaticity: Hashable, Sendable {
    /// CIE 1931 x.
    public var x: Double
    /// CIE 1931 y.
    public var y: Double

    /// Creates a chromaticity.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates a chromaticity from millionths, as recipes give it.
    public init(xMillionths: Int64, yMillionths: Int64) {
        self.init(x: Double(xMillionths) / 1e6, y: Double(yMillionths) / 1e6)
    }

    /// x in millionths, to the nearest.
    public var xMillionths: Int64 { nearestInteger(x * 1e6) }
    /// y in millionths, to the nearest.
    public var yMillionths: Int64 { nearestInteger(y * 1e6) }

    /// The same in CIE 1960 (u, v): `u = 4x / (−2x + 12y + 3)`, `v = 6y / (−2x + 12y + 3)`; nil on the one straight
    /// line, far from any light, where that has no value.
    public var uniform: UniformChromaticity? {
        let divisor = -2 * x + 12 * y + 3
        guard divisor != 0, divisor.isFinite else { return nil }
        return UniformChromaticity(u: 4 * x / divisor, v: 6 * y / divisor)
    }
}

/// A chromaticity in CIE 1960 (u, v), in which colour temperature is defined.
public struct UniformChromaticity: Hashable, Sendable {
    /// CIE 1960 u.
    public var u: Double
    /// CIE 1960 v.
    public var v: Double

    /// Creates a chromaticity.
    public init(u: Double, v: Double) {
        self.u = u
        self.v = v
    }

    /// The same in CIE 1931 (x, y): `x = 3u / (2u − 8v + 4)`, `y = 2v / (2u − 8v + 4)`; nil on the one straight line,
    /// far from any light, where that has no value.
    public var chromaticity: Chromaticity? {
        let divisor = 2 * u - 8 * v + 4
        guard divisor != 0, divisor.isFinite else { return nil }
        return Chromaticity(x: 3 * u / divisor, y: 2 * v / divisor)
    }

    /// The distance to another chromaticity.
    func distance(to other: UniformChromaticity) -> Double {
        let (du, dv) = (u - other.u, v - other.v)
        return (du * du + dv * dv).squareRoot()
    }
}

/// A number to the nearest integer, half away from zero; beyond the integers, the last one.
func nearestInteger(_ value: Double) -> Int64 {
    guard !value.isNaN else { return 0 }
    return Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
}
