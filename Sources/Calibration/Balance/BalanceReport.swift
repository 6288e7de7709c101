public import Imaging
internal import Timebase

/// How a camera sees grey under one illuminant.
public struct BalanceReport: Sendable {
    /// What was measured: raw red and blue over green of the card, under the stated temperature.
    public var point: ColourCurve.Point
    /// The old curve's answer at that temperature; nil outside of it, and without one.
    public var expected: ColourCurve.Point?
    /// How far the card is from neutral with the gains found, red and blue over green less 1, in millionths; nil where
    /// the camera can't be given them.
    public var residual: (red: Int64, blue: Int64)?
    /// Every point that the profile's curve has then, ascending; what was measured replaces an old one of its
    /// temperature.
    public var points: [ColourCurve.Point]

    /// Joins the new point with the old curve and with points from elsewhere, which replace the curve's.
    init(point: ColourCurve.Point, old: ColourCurve?, added: [ColourCurve.Point]) {
        self.point = point
        expected = old.flatMap { Self.answer($0, point.kelvin) }
        let others = ((old?.points ?? []) + added).filter { $0.kelvin != point.kelvin }
        // Of two for one temperature the later counts.
        var byKelvin: [Int64: ColourCurve.Point] = [:]
        for other in others { byKelvin[other.kelvin] = other }
        points = (byKelvin.values + [point]).sorted { $0.kelvin < $1.kelvin }
    }

    /// The gains that make the card neutral, green 1, in millionths.
    public var gains: (red: Int64, blue: Int64) {
        func inverse(_ ratio: Int64) -> Int64 { (1_000_000_000_000 + ratio / 2) / max(1, ratio) }
        return (inverse(point.redMillionths), inverse(point.blueMillionths))
    }

    /// The curve; nil while there is only one point.
    public var curve: ColourCurve? { ColourCurve(points: points) }

    /// The figures for a profile.
    ///
    /// - Parameter conditions: format and light, for the comments.
    /// - Throws: ``CalibrationError`` where the points are no curve yet.
    public func figures(conditions: String) throws(CalibrationError) -> [MeasuredFigure] {
        guard let curve else {
            throw CalibrationError(
                points.count < 2
                    ? "one illuminant makes no curve: measure another, and give this point with --point"
                        + " \(Self.text(point))"
                    : "the points are no curve: two neighbours are the same colour")
        }
        var notes = ["\(Self.text(point)) (kelvin, red and blue over green)", conditions]
        if let residual {
            notes.append(
                "with its gains \(residual.red) and \(residual.blue) millionths off neutral")
        }
        return [MeasuredFigure(.curve(curve), notes: notes)]
    }

    /// A point as the command line's `--point` takes it: kelvin, red and blue over green, `2856,0.4307,0.3957`.
    public static func text(_ point: ColourCurve.Point) -> String {
        let red = decimalText(UInt64(max(0, point.redMillionths)), unit: 1_000_000)
        let blue = decimalText(UInt64(max(0, point.blueMillionths)), unit: 1_000_000)
        return "\(point.kelvin),\(red),\(blue)"
    }

    /// The curve's point at a temperature; nil outside of it, since a curve is not continued for a comparison.
    ///
    /// Between two points both ratios are linear in temperature, as in ``ColourCurve``.
    private static func answer(_ curve: ColourCurve, _ kelvin: Int64) -> ColourCurve.Point? {
        for (one, two) in zip(curve.points, curve.points.dropFirst())
        where (one.kelvin...two.kelvin).contains(kelvin) {
            func value(_ from: Int64, _ to: Int64) -> Int64 {
                from + (to - from) * (kelvin - one.kelvin) / (two.kelvin - one.kelvin)
            }
            return .init(
                kelvin: kelvin, redMillionths: value(one.redMillionths, two.redMillionths),
                blueMillionths: value(one.blueMillionths, two.blueMillionths))
        }
        return nil
    }
}
