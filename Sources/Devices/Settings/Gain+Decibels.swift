extension Gain {
    /// The linear gain of a number of thousandths of a decibel, to the nearest millionth: `10^(d / 20,000)`.
    ///
    /// Computed in integers, so that plans are the same on every machine: factors of ten, and the powers `10^(2^k /
    /// 20,000)` for the bits of the rest, each correct to 10^−18. 15 products keep the result good to 10^−16.
    ///
    /// - Parameter millidecibels: 0…200,000.
    /// - Returns: nil outside that range.
    init?(millidecibels: Int64) {
        guard (0...200_000).contains(millidecibels) else { return nil }
        let one: UInt64 = 1_000_000_000_000_000_000
        var factor = one
        let rest = millidecibels % 20_000
        for (bit, power) in Self.powers.enumerated() where rest & (1 << Int64(bit)) != 0 {
            // The product stays below 10 · 10^18, so that quotients fit.
            factor = one.dividingFullWidth(factor.multipliedFullWidth(by: power)).quotient
        }
        var scaled = Int128(factor)
        for _ in 0..<(millidecibels / 20_000) { scaled *= 10 }
        self.init(millionths: rounded(scaled, over: 1_000_000_000_000))
    }

    /// `10^(2^k / 20,000)` in parts of 10^18, for k from 0; computed once to 60 digits and rounded.
    private static let powers: [UInt64] = [
        1_000_115_135_882_276_683, 1_000_230_285_020_824_753, 1_000_460_623_072_840_322,
        1_000_921_458_319_295_876, 1_001_843_765_724_025_952, 1_003_690_930_920_096_997,
        1_007_395_484_811_250_921, 1_014_845_662_818_095_285, 1_029_911_719_340_699_148,
        1_060_718_149_635_315_051, 1_125_122_992_965_766_610, 1_265_901_749_300_244_501,
        1_602_507_238_881_419_079, 2_568_029_450_667_349_553, 6_594_775_259_494_849_110,
    ]
}
