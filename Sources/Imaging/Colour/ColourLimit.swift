/// A value that lies beyond the range in which it is good.
///
/// Conversions do not clamp: they return the value, and which limits it is beyond.
public enum ColourLimit: Hashable, Sendable {
    /// What a range of temperatures belongs to.
    public enum Source: Hashable, Sendable {
        /// The black body's colours, on which colour temperature rests.
        case blackBody
        /// The camera's colour curve, which is continued in a straight line.
        case curve
        /// The camera's colour matrices; the nearer one is used as it is.
        case matrices
    }

    /// A colour channel.
    public enum Channel: String, Hashable, Sendable {
        case red, green, blue
    }

    /// A colour temperature in kelvin, the range, and whose it is.
    case temperature(Int64, ClosedRange<Int64>, of: Source)
    /// A tint of an illuminant in thousandths, beyond ±150: too far from the black body to have a colour temperature.
    case tint(Int64)
    /// A gain in millionths, and the range that the camera has.
    case gain(Channel, Int64, ClosedRange<Int64>)
}
