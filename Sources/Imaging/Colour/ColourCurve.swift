/// How a camera sees a grey under black-body and daylight illuminants: raw red and blue relative to green, over colour
/// temperature.
///
/// Between two points both ratios are linear in temperature (the form of the Raspberry Pi tuning files' `ct_curve`).
public struct ColourCurve: Hashable, Sendable {
    /// What a grey gives at one colour temperature.
    public struct Point: Hashable, Sendable {
        /// The illuminant's correlated colour temperature in kelvin.
        public var kelvin: Int64
        /// Raw red over green of a grey, in millionths.
        public var redMillionths: Int64
        /// Raw blue over green of a grey, in millionths.
        public var blueMillionths: Int64

        /// Creates a point.
        public init(kelvin: Int64, redMillionths: Int64, blueMillionths: Int64) {
            self.kelvin = kelvin
            self.redMillionths = redMillionths
            self.blueMillionths = blueMillionths
        }
    }

    /// Temperatures that a curve can speak of, in kelvin.
    public static let temperatures: ClosedRange<Int64> = 1_000...100_000
    /// Ratios that a camera can have, in millionths.
    public static let ratios: ClosedRange<Int64> = 1...1_000_000_000

    /// At least two points, ascending by temperature.
    public let points: [Point]

    /// Creates a curve.
    ///
    /// - Returns: nil with fewer than two points, with temperatures that do not ascend or lie outside ``temperatures``,
    ///   with ratios outside ``ratios``, and with two neighbours of the same ratios, which no temperature
    ///   distinguishes.
    public init?(points: [Point]) {
        guard points.count >= 2 else { return nil }
        for point in points {
            guard Self.temperatures.contains(point.kelvin),
                Self.ratios.contains(point.redMillionths),
                Self.ratios.contains(point.blueMillionths)
            else { return nil }
        }
        for (before, after) in zip(points, points.dropFirst()) {
            guard before.kelvin < after.kelvin,
                (before.redMillionths, before.blueMillionths)
                    != (after.redMillionths, after.blueMillionths)
            else { return nil }
        }
        self.points = points
    }

    /// The temperatures from the first point to the last, in kelvin.
    public var kelvinRange: ClosedRange<Int64> {
        points[0].kelvin...points[points.count - 1].kelvin
    }
}
