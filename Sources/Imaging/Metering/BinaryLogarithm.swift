/// Powers and logarithms to base 2 in integers, the same on every machine.
public enum BinaryLogarithm {
    /// log2 of a quotient, in thousandths, to the nearest.
    ///
    /// - Parameters:
    ///   - numerator: 1 to 2^96.
    ///   - denominator: 1 to 2^96.
    public static func thousandths(_ numerator: Int128, over denominator: Int128) -> Int64 {
        precondition(numerator > 0 && denominator > 0, "only positive numbers have a logarithm")
        let top = bits(numerator)
        let bottom = bits(denominator)
        // Mantissas in [1, 2) with 62 binary places; their quotient with 62 too.
        let one: UInt128 = 1 << 62
        var mantissa = place(numerator, bits: top) * one / place(denominator, bits: bottom)
        var whole = Int64(top - bottom)
        if mantissa < one {
            mantissa *= 2
            whole -= 1
        }
        // Each squaring gives a binary place.
        var fraction: Int64 = 0
        for _ in 0..<30 {
            mantissa = (mantissa * mantissa) >> 62
            fraction *= 2
            if mantissa >= 2 * one {
                mantissa >>= 1
                fraction += 1
            }
        }
        return whole * 1_000 + (fraction * 1_000 + 1 << 29) >> 30
    }

    /// 2 to the power of thousandths, in millionths, to the nearest.
    ///
    /// - Parameter exponent: −40,000 to 40,000.
    public static func powerMillionths(thousandths exponent: Int64) -> Int64 {
        precondition((-40_000...40_000).contains(exponent), "a power that 64 bits hold")
        let whole = exponent >= 0 ? exponent / 1_000 : -((999 - exponent) / 1_000)
        let rest = exponent - whole * 1_000
        // The fraction's binary places, each worth a root of 2.
        var places = (UInt128(rest) << 40) / 1_000
        var power: UInt128 = 1 << 62
        for root in roots {
            places <<= 1
            if places >> 40 == 1 {
                power = (power * root) >> 62
                places &= 1 << 40 - 1
            }
        }
        let scaled = power * 1_000_000
        let shift = 62 - Int(whole)
        return Int64((scaled + (1 << (shift - 1))) >> UInt128(shift))
    }

    /// 2^(1/2), 2^(1/4), 2^(1/8) …, with 62 binary places.
    private static let roots: [UInt128] = {
        var roots: [UInt128] = []
        var root: UInt128 = 2 << 62
        for _ in 0..<40 {
            root = squareRoot(root << 62)
            roots.append(root)
        }
        return roots
    }()

    /// The largest whole number whose square is not above a number.
    static func squareRoot(_ number: UInt128) -> UInt128 {
        var (root, rest): (UInt128, UInt128) = (0, number)
        var bit: UInt128 = 1 << 126
        while bit > rest { bit >>= 2 }
        while bit != 0 {
            if rest >= root + bit {
                rest -= root + bit
                root = (root >> 1) + bit
            } else {
                root >>= 1
            }
            bit >>= 2
        }
        return root
    }

    /// The place of the highest bit: log2 rounded down, for a number above 0.
    private static func bits(_ number: Int128) -> Int {
        Int128.bitWidth - 1 - number.leadingZeroBitCount
    }

    /// A number as a mantissa in [1, 2) with 62 binary places.
    private static func place(_ number: Int128, bits: Int) -> UInt128 {
        let number = UInt128(number)
        return bits <= 62 ? number << UInt128(62 - bits) : number >> UInt128(bits - 62)
    }
}
