/// A white balance as it is asked for: gains, or the illuminant that is to look neutral.
public enum WhiteBalance: Hashable, Sendable {
    /// Device gains of the colour channels.
    case gains(red: Gain, green: Gain, blue: Gain)
    /// The illuminant's correlated colour temperature in kelvin, and its tint.
    ///
    /// `tint` is +3000·Duv in thousandths: positive means a greener *illuminant* (DNG's convention).
    case temperature(kelvin: Int64, tintThousandths: Int64)
    /// The illuminant's CIE 1931 chromaticity in millionths.
    case chromaticity(xMillionths: Int64, yMillionths: Int64)
}
