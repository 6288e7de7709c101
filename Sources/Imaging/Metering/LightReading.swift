public import Timebase

/// Aperture, exposure duration and ISO of a picture, as a light meter shows them.
public struct LightReading: Hashable, Sendable {
    /// The f-number in thousandths: f/2.8 is 2800.
    public var apertureThousandths: Int64
    /// The exposure duration.
    public var exposure: Interval
    /// The ISO in thousandths.
    public var isoThousandths: Int64

    /// Apertures that lenses have.
    public static let apertures: ClosedRange<Int64> = 100...1_000_000
    /// ISO values, in thousandths, that a reading can have.
    public static let isos: ClosedRange<Int64> = 1...10_000_000_000
    /// Exposures that a reading can have.
    public static let exposures: ClosedRange<Interval> =
        Interval(nanoseconds: 1)...Interval.seconds(1_000_000)

    /// Creates a reading; nil where a value is not in ``apertures``, ``exposures`` or ``isos``.
    public init?(apertureThousandths: Int64, exposure: Interval, isoThousandths: Int64) {
        guard Self.apertures.contains(apertureThousandths), Self.exposures.contains(exposure),
            Self.isos.contains(isoThousandths)
        else { return nil }
        self.apertureThousandths = apertureThousandths
        self.exposure = exposure
        self.isoThousandths = isoThousandths
    }

    /// The exposure value at ISO 100 in thousandths: `log2(N² / t) − log2(ISO / 100)`, t in seconds.
    public var ev100Thousandths: Int64 {
        let square = Int128(apertureThousandths) * Int128(apertureThousandths)
        return BinaryLogarithm.thousandths(
            square * 100_000_000,
            over: Int128(exposure.nanoseconds) * Int128(isoThousandths))
    }

    /// The exposure value of the scene, for which the target would have been met.
    ///
    /// - Parameter offset: how far the picture was from its target, in thousandths of an EV (``MeteredLevel``).
    public func sceneEV100Thousandths(offsetThousandths offset: Int64) -> Int64 {
        ev100Thousandths + offset
    }

    // MARK: Equivalents

    /// The same exposure with another aperture and ISO: the duration that goes with them, to the nearest nanosecond.
    ///
    /// - Returns: nil where a value is out of range.
    public func equivalent(
        apertureThousandths aperture: Int64, isoThousandths iso: Int64
    ) -> LightReading? {
        guard Self.apertures.contains(aperture), Self.isos.contains(iso) else { return nil }
        // t' = t · (N'/N)² · ISO/ISO', in two steps that 128 bits hold.
        let byAperture = Self.rounded(
            Int128(exposure.nanoseconds) * Int128(aperture) * Int128(aperture) * 1_000,
            over: Int128(apertureThousandths) * Int128(apertureThousandths))
        let picoseconds = Self.rounded(byAperture * Int128(isoThousandths), over: Int128(iso))
        return LightReading(
            apertureThousandths: aperture,
            exposure: Interval(
                nanoseconds: Int64(clamping: Self.rounded(picoseconds, over: 1_000))),
            isoThousandths: iso)
    }

    /// The same exposure with another aperture and duration: the ISO that goes with them, to the nearest thousandth.
    ///
    /// - Returns: nil where a value is out of range.
    public func equivalent(apertureThousandths aperture: Int64, exposure: Interval) -> LightReading?
    {
        guard Self.apertures.contains(aperture), Self.exposures.contains(exposure) else {
            return nil
        }
        let byAperture = Self.rounded(
            Int128(isoThousandths) * Int128(aperture) * Int128(aperture) * 1_000,
            over: Int128(apertureThousandths) * Int128(apertureThousandths))
        let iso = Self.rounded(
            Self.rounded(
                byAperture * Int128(self.exposure.nanoseconds), over: Int128(exposure.nanoseconds)),
            over: 1_000)
        return LightReading(
            apertureThousandths: aperture, exposure: exposure, isoThousandths: Int64(clamping: iso))
    }

    /// The same exposure with another duration and ISO: the aperture that goes with them, to the nearest thousandth.
    ///
    /// - Returns: nil where a value is out of range.
    public func equivalent(exposure: Interval, isoThousandths iso: Int64) -> LightReading? {
        guard Self.exposures.contains(exposure), Self.isos.contains(iso) else { return nil }
        // N'² = N² · t'/t · ISO'/ISO, in millionths of thousandths squared before the root.
        let square = Int128(apertureThousandths) * Int128(apertureThousandths) * 1_000_000
        let byTime = Self.rounded(
            square * Int128(exposure.nanoseconds), over: Int128(self.exposure.nanoseconds))
        guard byTime < 1 << 80 else { return nil }
        let byBoth = Self.rounded(byTime * Int128(iso), over: Int128(isoThousandths))
        let thousandth = BinaryLogarithm.squareRoot(UInt128(byBoth))
        return LightReading(
            apertureThousandths: Int64(clamping: (thousandth + 500) / 1_000), exposure: exposure,
            isoThousandths: iso)
    }

    private static func rounded(_ numerator: Int128, over denominator: Int128) -> Int128 {
        (2 * numerator + denominator) / (2 * denominator)
    }
}
