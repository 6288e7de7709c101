/// The black body's chromaticities in CIE 1960 (u, v) by temperature.
///
/// Between the rows of its table, a cubic through the four nearest is good for 2·10⁻⁸ from 1,000 K to 100,000 K.
/// Only basic operations on committed integers, so the same on every machine.
enum PlanckianLocus {
    /// The temperatures of the table that are used, in kelvin.
    static let kelvin: ClosedRange<Int64> = 1_000...100_000

    /// The chromaticity at a reciprocal temperature.
    ///
    /// - Parameter mired: a million over the temperature in kelvin, 0 (an infinite temperature) to 1,000.
    static func chromaticity(mired: Double) -> UniformChromaticity {
        let (first, weights) = cubic(mired)
        return sum(first, weights)
    }

    /// The unit vector along the isotherm at a reciprocal temperature, towards greener illuminants.
    static func isotherm(mired: Double) -> (u: Double, v: Double) {
        let (first, weights) = cubicSlope(mired)
        let slope = sum(first, weights)
        // With falling temperature the locus runs to the right; green is on its left.
        let length = (slope.u * slope.u + slope.v * slope.v).squareRoot()
        return (-slope.v / length, slope.u / length)
    }

    private static func sum(
        _ first: Int, _ weights: (Double, Double, Double, Double)
    ) -> UniformChromaticity {
        let (a, b, c, d) = (rows[first], rows[first + 1], rows[first + 2], rows[first + 3])
        return UniformChromaticity(
            u: weights.0 * a.u + weights.1 * b.u + weights.2 * c.u + weights.3 * d.u,
            v: weights.0 * a.v + weights.1 * b.v + weights.2 * c.v + weights.3 * d.v)
    }

    /// Which four rows, and where between them, in rows from the first; the place is in the middle interval, but for
    /// both ends of the table.
    ///
    /// A mired of 1,001 or more is a programmer's error: callers check the range, since the table ends at 1,000.
    private static func place(_ mired: Double) -> (first: Int, t: Double) {
        precondition(mired >= 0 && mired < 1_001, "the black body's table ends at 1000 K")
        let place = mired / miredPerRow
        let first = min(max(Int(place) - 1, 0), rows.count - 4)
        return (first, place - Double(first))
    }

    /// Weights of Lagrange's cubic through four rows.
    private static func cubic(
        _ mired: Double
    ) -> (first: Int, weights: (Double, Double, Double, Double)) {
        let (first, t) = place(mired)
        let (a, b, c, d) = (t, t - 1, t - 2, t - 3)
        return (first, (-b * c * d / 6, a * c * d / 2, -a * b * d / 2, a * b * c / 6))
    }

    /// Weights of that cubic's slope, per row.
    private static func cubicSlope(
        _ mired: Double
    ) -> (first: Int, weights: (Double, Double, Double, Double)) {
        let (first, t) = place(mired)
        let (a, b, c, d) = (t, t - 1, t - 2, t - 3)
        return (
            first,
            (
                -(b * c + b * d + c * d) / 6, (a * c + a * d + c * d) / 2,
                -(a * b + a * d + b * d) / 2, (a * b + a * c + b * c) / 6
            )
        )
    }

    /// The table as chromaticities.
    static let rows: [UniformChromaticity] = table.map {
        UniformChromaticity(u: Double($0.0) / 1e12, v: Double($0.1) / 1e12)
    }
}
