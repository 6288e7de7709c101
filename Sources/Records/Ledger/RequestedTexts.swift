internal import Devices
internal import Timebase

/// What a set of settings of the plan asks for, as the ledger writes it; empty where nothing is asked for.
struct RequestedTexts: Sendable {
    let exposure, gain, lens, kelvin, red, blue: String

    init(_ requested: FrameSettings) {
        let balance = requested.whiteBalance.asked?.measures ?? AppliedWhiteBalance()
        let ratio = { (millionths: Int64?) in
            millionths.map(LedgerText.decimal(places: 6).write) ?? ""
        }
        exposure = requested.exposure.asked.map { "\($0.nanoseconds)" } ?? ""
        gain = requested.gain.asked?.decimal ?? ""
        lens = requested.lens.asked?.decimal ?? ""
        kelvin = balance.temperatureKelvin.map { "\($0)" } ?? ""
        red = ratio(balance.redMillionths)
        blue = ratio(balance.blueMillionths)
    }
}

extension WhiteBalance {
    /// The same in the ledger's measures, gains over green; empty for a chromaticity, which has none of them.
    var measures: AppliedWhiteBalance {
        switch self {
        case .gains(let red, let green, let blue):
            func ratio(_ gain: Gain) -> Int64? {
                guard let part = UInt64(exactly: gain.millionths),
                    let whole = UInt64(exactly: green.millionths), part < 1 << 40
                else { return nil }
                return FixedPoint.ratio(part, whole, places: 6)
            }
            return AppliedWhiteBalance(redMillionths: ratio(red), blueMillionths: ratio(blue))
        case .temperature(let kelvin, _): return AppliedWhiteBalance(kelvin: kelvin)
        case .chromaticity: return AppliedWhiteBalance()
        }
    }
}
