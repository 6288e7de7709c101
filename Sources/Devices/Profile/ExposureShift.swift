public import Timebase

/// A change of exposure in stops (EV), in twelfths so that halves, thirds and quarters are exact: 12 doubles the light.
public struct ExposureShift: BitwiseCopyable, Hashable, Sendable {
    /// The largest shift either way, in EV.
    public static let limit: Int64 = 8

    /// The shift in twelfths of a stop, −96…96.
    public let twelfths: Int64

    /// Creates a shift; nil beyond ``limit``.
    public init?(twelfths: Int64) {
        guard (-12 * Self.limit...12 * Self.limit).contains(twelfths) else { return nil }
        self.twelfths = twelfths
    }

    /// 2^(n/12) in units of 2^−62, to the nearest.
    private static let powers: [Int128] = [
        4_611_686_018_427_387_904, 4_885_911_139_296_578_351, 5_176_442_534_403_702_619,
        5_484_249_825_272_419_512, 5_810_360_290_122_541_961, 6_155_862_292_315_600_882,
        6_521_908_912_666_391_106, 6_909_721_797_743_001_499, 7_320_595_236_998_672_907,
        7_755_900_482_342_532_474, 8_217_090_324_565_370_139, 8_705_703_941_893_852_894,
    ]

    /// The duration of so many stops more light, to the nearest nanosecond; the same on every machine.
    public func applied(to duration: Interval) -> Interval {
        let whole = (twelfths + 12 * Self.limit) / 12 - Self.limit
        let part = Int(twelfths - whole * 12)
        let product = Int128(duration.nanoseconds) * Self.powers[part]
        let bits = 62 - whole
        return Interval(nanoseconds: Int64(clamping: (product + (1 << (bits - 1))) >> bits))
    }
}

extension ExposureShift: CustomStringConvertible {
    /// The shift as it is written in recipes: `-2 EV`, `1/3 EV`.
    public var description: String {
        var (over, under) = (twelfths.magnitude, UInt64(12))
        for factor: UInt64 in [2, 2, 3] where over % factor == 0 && under % factor == 0 {
            (over, under) = (over / factor, under / factor)
        }
        let sign = twelfths < 0 ? "-" : ""
        return under == 1 ? "\(sign)\(over) EV" : "\(sign)\(over)/\(under) EV"
    }
}
