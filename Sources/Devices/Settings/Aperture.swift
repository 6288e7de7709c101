internal import Timebase

/// The opening of a lens as an f-number, read-only: it comes from the profile.
public struct Aperture: Hashable, Sendable, CustomStringConvertible {
    /// The f-number in thousandths: f/1.8 is 1,800; positive.
    public let thousandths: Int64

    /// Creates an aperture; nil outside f/0.1 to f/1000.
    public init?(thousandths: Int64) {
        guard (100...1_000_000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
    }

    /// The aperture as it is written in profiles, for example `f/1.8`.
    public var description: String { "f/" + decimalText(UInt64(thousandths), unit: 1_000) }
}
