/// How bright the metered part of a frame is.
public struct MeteredLevel: Hashable, Sendable {
    /// Luminance in 10⁻⁹ of full scale, not negative.
    public var billionths: Int64
    /// The weighted share of pixels with a sample of the largest code, in millionths.
    public var saturatedMillionths: Int64

    /// Creates a level.
    public init(billionths: Int64, saturatedMillionths: Int64) {
        self.billionths = billionths
        self.saturatedMillionths = saturatedMillionths
    }

    /// Middle grey, the usual target: 0.18 of full scale.
    public static let middleGrey: Int64 = 180_000_000

    /// Whether the true level is higher: more than a hundredth of the pixels are saturated.
    public var isLowerBound: Bool { saturatedMillionths > 10_000 }

    /// The level over the target in thousandths of an EV; positive means brighter than the target.
    ///
    /// - Parameters:
    ///   - target: the target in 10⁻⁹ of full scale, above 0.
    ///   - bias: what the target is raised by, in thousandths of an EV.
    /// - Returns: log2 (level / (target · 2^bias)), to the nearest thousandth; no light at all counts as 10⁻⁹.
    public func offset(
        target: Int64 = middleGrey, biasThousandths bias: Int64 = 0
    ) -> Int64 {
        BinaryLogarithm.thousandths(Int128(max(billionths, 1)), over: Int128(target)) - bias
    }
}
