internal import Imaging

/// The correlated colour temperature of a chromaticity after Ohno (2013), in whole kelvin, and its tint.
///
/// Of basic operations alone, so that plans are the same everywhere. D65 (0.3127, 0.3290) gives 6504 K.
///
/// - Returns: nil outside 1,000…100,000 K, and more than 0.05 from the black body in CIE 1960 (u, v), where a light has
///   no colour temperature (CIE 15): a formula would give one to a red lamp too.
public func correlatedColourTemperature(
    xMillionths x: Int64, yMillionths y: Int64
) -> (kelvin: Int64, tintThousandths: Int64)? {
    let coordinates: ClosedRange<Int64> = 0...1_000_000
    guard coordinates.contains(x), coordinates.contains(y),
        let illuminant = ColourTemperature(Chromaticity(xMillionths: x, yMillionths: y)),
        illuminant.limits.isEmpty
    else { return nil }
    return (illuminant.wholeKelvin, illuminant.tintThousandths)
}
