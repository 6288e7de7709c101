package import Devices
internal import Timebase

/// What a set of settings of the plan asks for, as the ledger writes it; empty where nothing is asked for.
///
/// Made once for a plan: a run of millions of rows writes the same few texts.
struct RequestedTexts: Sendable {
    private let texts: [String]

    init(_ requested: FrameSettings) {
        texts = SettingComponent.all.map { component in
            requested.asked(component).map(component.text.write) ?? ""
        }
    }

    /// Empty where nothing is asked for.
    subscript(component: SettingComponent) -> String { texts[component.rawValue] }
}

extension FrameSettings {
    /// What is asked for a component, in its unit; nil where nothing is, or not in that measure.
    package func asked(_ component: SettingComponent) -> Int64? {
        switch component {
        case .exposure: exposure.asked?.nanoseconds
        case .gain: gain.asked?.millionths
        case .lens: lens.asked?.millionths
        case .temperature: whiteBalance.asked?.measures.temperatureKelvin
        case .redGain: whiteBalance.asked?.measures.redMillionths
        case .blueGain: whiteBalance.asked?.measures.blueMillionths
        }
    }
}

extension SettingComponent {
    /// The columns of the ledger that have what was asked for, and what a frame had.
    var columns: (requested: LedgerColumn, applied: LedgerColumn) {
        switch self {
        case .exposure: (.requestedExposure, .appliedExposure)
        case .gain: (.requestedGain, .appliedGain)
        case .lens: (.requestedLensPosition, .lensPosition)
        case .temperature: (.requestedTemperature, .appliedTemperature)
        case .redGain: (.requestedRedGain, .appliedRedGain)
        case .blueGain: (.requestedBlueGain, .appliedBlueGain)
        }
    }

    /// What it is, and the unit of its number.
    var quantity: String {
        switch self {
        case .exposure: "exposure (ns)"
        case .gain: "gain (millionths)"
        case .lens: "lens position (millionths)"
        case .temperature: "white balance (K)"
        case .redGain: "red gain (millionths)"
        case .blueGain: "blue gain (millionths)"
        }
    }

    /// How a number of the component stands there: nanoseconds and kelvin as they are, millionths as a decimal.
    var text: LedgerText<Int64> {
        switch self {
        case .exposure, .temperature: .number
        case .gain, .lens, .redGain, .blueGain: .decimal(places: 6)
        }
    }
}

extension ControlGroup {
    /// The column of the ledger that has by what it is known.
    var knownBy: LedgerColumn {
        switch self {
        case .exposure: .exposureKnownBy
        case .gain: .gainKnownBy
        case .lens: .lensKnownBy
        case .whiteBalance: .whiteBalanceKnownBy
        }
    }
}

extension WhiteBalance {
    /// The same in the ledger's measures, gains over green; empty for a chromaticity, which has none of them.
    ///
    /// A gain of green of zero leaves nothing to compare with.
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
