internal import Devices
internal import Imaging
internal import Instrument
internal import Notation
internal import Timebase

/// A white balance in all its forms, not clamped, with what of it is out of range.
struct WhiteBalanceConversion {
    /// The illuminant; nil for a light without a colour temperature.
    let illuminant: ColourTemperature?
    /// The illuminant's chromaticity; nil where the table of black bodies ends.
    let light: Chromaticity?
    /// The camera's gains that make it neutral; nil without a colour curve.
    let gains: ChannelGains?
    /// The gains with the least at 1 and none above the camera's largest, and which were cut off.
    ///
    /// Nil where ``gains`` is.
    let normalised: (gains: ChannelGains, clamped: [ColourLimit.Channel])?
    /// What is out of range: reported, and never clamped.
    let limits: [ColourLimit]

    /// Converts a white balance; every form that follows from it is filled in, whether it is in range or not.
    ///
    /// - Parameters:
    ///   - asked: in any of its forms.
    ///   - curve: the camera's colour curve, where there is one.
    ///   - maximum: the camera's largest gain.
    /// - Throws: ``Failure`` with exit code 64 for gains without a curve, or that no light has.
    init(_ asked: WhiteBalance, curve: ColourCurve?, maximum: Gain) throws {
        var limits: [ColourLimit] = []
        switch asked {
        case .temperature(let kelvin, let tint):
            let illuminant = ColourTemperature(kelvin: kelvin, tintThousandths: tint)
            limits = illuminant.limits
            self.illuminant = illuminant
            light = Chromaticity(illuminant)
        case .chromaticity(let x, let y):
            let light = Chromaticity(xMillionths: x, yMillionths: y)
            self.light = light
            illuminant = ColourTemperature(light)
            limits = illuminant?.limits ?? []
        case .gains(let red, let green, let blue):
            guard let curve else {
                throw Failure.usage(
                    "gains have a colour temperature by a camera's colour curve alone: name a profile that has one"
                        + " with --profile")
            }
            let gains = ChannelGains(
                redMillionths: red.millionths, greenMillionths: green.millionths,
                blueMillionths: blue.millionths)
            guard let found = curve.temperature(of: gains) else {
                throw Failure.usage(
                    "no illuminant needs the gains \(red), \(green), \(blue) on this camera's colour curve; every"
                        + " gain has to be above 0")
            }
            illuminant = found.value
            light = Chromaticity(found.value)
            limits = found.limits
        }
        if case .gains(let red, let green, let blue) = asked {
            gains = ChannelGains(
                redMillionths: red.millionths, greenMillionths: green.millionths,
                blueMillionths: blue.millionths)
        } else if let curve, let illuminant {
            let found = curve.gains(
                kelvin: illuminant.wholeKelvin, tintThousandths: illuminant.tintThousandths)
            gains = found?.value
            limits += (found?.limits ?? []).filter { !limits.contains($0) }
        } else {
            gains = nil
        }
        normalised = gains?.normalised(maximumMillionths: maximum.millionths)
        limits += gains?.limits(in: Gain.unity.millionths...maximum.millionths) ?? []
        self.limits = limits
    }

    /// For people: a line for each form that there is, then one for each limit that is passed.
    ///
    /// Duv is negative below the black-body locus; the line names the side in words, since signs of tint differ from
    /// program to program.
    var text: String {
        var lines: [String] = []
        if let illuminant {
            lines.append(
                "illuminant  \(illuminant.wholeKelvin) K, tint \(tint(illuminant)), Duv \(duv(illuminant))"
                    + (illuminant.tintThousandths > 0 ? " (greener than the black body)" : "")
                    + (illuminant.tintThousandths < 0 ? " (pinker than the black body)" : ""))
        } else {
            lines.append("illuminant  none: no black body is near such a light")
        }
        if let light {
            lines.append("xy          \(decimal(light.xMillionths)), \(decimal(light.yMillionths))")
            let others = others(light).map { "\($0.kelvin) K by \($0.name)" }
            if !others.isEmpty { lines.append("formulas    \(others.joined(separator: ", "))") }
        }
        if let gains { lines.append("gains       \(text(gains))") }
        if let normalised {
            let cut = normalised.clamped.map(\.rawValue).joined(separator: ", ")
            lines.append(
                "normalised  \(text(normalised.gains))" + (cut.isEmpty ? "" : " (clamped: \(cut))"))
        }
        for limit in limits { lines.append("out of range: \(text(limit))") }
        return lines.joined(separator: "\n")
    }

    /// For programs: numbers as exact decimals, null where a form is missing, limits as the sentences that people read.
    var json: JSONValue {
        [
            "illuminant": illuminant.map { illuminant in
                [
                    "temperature_k": .integer(illuminant.wholeKelvin),
                    "tint": number(tint(illuminant)), "duv": number(duv(illuminant)),
                ]
            } ?? .null,
            "xy": light.map {
                ["x": number(decimal($0.xMillionths)), "y": number(decimal($0.yMillionths))]
            } ?? .null,
            "compare": .array(
                light.map(others)?.map {
                    ["method": .string($0.name), "temperature_k": .integer($0.kelvin)]
                } ?? []),
            "gains": gains.map(json) ?? .null,
            "normalised": normalised.map { json($0.gains) } ?? .null,
            "clamped": .array((normalised?.clamped ?? []).map { .string($0.rawValue) }),
            "out_of_range": .array(limits.map { .string(text($0)) }),
        ]
    }

    /// The other formulas' temperatures; none where no black body is near, since they mean nothing there.
    ///
    /// For comparison with other programs: Robertson's table, McCamy's cubic and the exponentials of Hernández-Andrés.
    /// What lies outside 1 K to 1,000,000 K is left out too.
    private func others(_ light: Chromaticity) -> [(name: String, kelvin: Int64)] {
        guard illuminant != nil else { return [] }
        let robertson = light.uniform.flatMap { ColourTemperature(robertson: $0)?.kelvin }
        let all: [(String, Double?)] = [
            ("Robertson", robertson), ("McCamy", ColourTemperature.mcCamy(light)),
            ("Hernández-Andrés", ColourTemperature.hernandezAndres(light)),
        ]
        return all.compactMap { name, kelvin in
            kelvin.flatMap { (1...1e6).contains($0) ? (name, Int64($0.rounded())) : nil }
        }
    }

    private func json(_ gains: ChannelGains) -> JSONValue {
        [
            "red": number(decimal(gains.redMillionths)),
            "green": number(decimal(gains.greenMillionths)),
            "blue": number(decimal(gains.blueMillionths)),
        ]
    }

    /// A decimal text as a JSON number with all of its digits.
    private func number(_ text: String) -> JSONValue { JSONValue.number(text) ?? .null }

    private func text(_ gains: ChannelGains) -> String {
        "red \(decimal(gains.redMillionths))x, green \(decimal(gains.greenMillionths))x,"
            + " blue \(decimal(gains.blueMillionths))x"
    }

    /// A limit that is passed, with the range and whose range it is.
    private func text(_ limit: ColourLimit) -> String {
        switch limit {
        case .temperature(let kelvin, let range, let source):
            let whose =
                switch source {
                case .blackBody: "the table of black bodies"
                case .curve: "the camera's colour curve, continued in a straight line"
                case .matrices: "the camera's colour matrices"
                }
            return
                "\(kelvin) K is outside \(range.lowerBound) K to \(range.upperBound) K (\(whose))"
        case .tint(let thousandths):
            return
                "tint \(decimal(thousandths, unit: 1_000)) is outside -150 to 150: so far from the black body, a"
                + " colour temperature means little (CIE 15)"
        case .gain(let channel, let gain, let range):
            return "the \(channel.rawValue) gain \(decimal(gain))x is outside"
                + " \(decimal(range.lowerBound))x to \(decimal(range.upperBound))x (the camera's gains)"
        }
    }

    private func tint(_ illuminant: ColourTemperature) -> String {
        decimal(illuminant.tintThousandths, unit: 1_000)
    }

    /// The distance from the black body in CIE 1960 u, v, to a millionth.
    private func duv(_ illuminant: ColourTemperature) -> String {
        decimal(Int64((illuminant.duv * 1e6).rounded()))
    }

    /// A signed count of parts as a decimal; `unit` is how many make one.
    private func decimal(_ value: Int64, unit: UInt64 = 1_000_000) -> String {
        (value < 0 ? "-" : "") + decimalText(value.magnitude, unit: unit)
    }
}
