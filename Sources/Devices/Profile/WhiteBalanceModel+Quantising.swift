internal import Imaging
internal import Timebase

extension WhiteBalanceModel {
    /// The codes of a white balance, and what they amount to.
    ///
    /// Gains start at 1. Component gains are divided by green, since the controls are relative to it. An illuminant
    /// given by chromaticity is set by its correlated colour temperature and tint (Ohno 2013); a camera that takes
    /// temperatures refuses lights that have a tint, of which ``roundedTint`` counts as none.
    /// What the camera has no control for goes through the profile's curve where there is one: temperature and tint to
    /// gains, gains to a temperature. A camera that does not balance has no codes, and the gains are what is recorded.
    ///
    /// - Throws: ``SettingProblem`` for what the camera has no control for, or outside its range.
    func quantise(
        _ asked: WhiteBalance, from origin: LimitOrigin
    ) throws(SettingProblem) -> (codes: [ControlValue], achieved: WhiteBalance) {
        switch asked {
        case .gains(let red, let green, let blue):
            return try quantise(red: red, green: green, blue: blue, from: origin)
        case .temperature(let kelvin, let tint):
            if let temperature {
                guard tint == 0 else { throw withoutTint(origin) }
                let code = try temperature.code(for: kelvin, from: limit ?? origin)
                return (
                    [ControlValue(temperature.control, code)],
                    .temperature(kelvin: code, tintThousandths: 0)
                )
            }
            guard let curve else {
                throw unsupported("a temperature", instead: "gains", origin)
            }
            let gains = try gains(kelvin: kelvin, tint: tint, on: curve, from: origin)
            return try quantise(red: gains.red, green: gains.green, blue: gains.blue, from: origin)
        case .chromaticity(let x, let y):
            guard let light = correlatedColourTemperature(xMillionths: x, yMillionths: y) else {
                throw SettingProblem(
                    .whiteBalance, id: "white-balance-out-of-range",
                    "a light of that chromaticity has no colour temperature from 1000 K to 100000 K:"
                        + " it is too far from daylight and lamps",
                    hint: "give gains")
            }
            guard temperature != nil else {
                return try quantise(
                    .temperature(kelvin: light.kelvin, tintThousandths: light.tintThousandths),
                    from: origin)
            }
            guard light.tintThousandths.magnitude <= Self.roundedTint else {
                throw withoutTint(light, origin)
            }
            return try quantise(
                .temperature(kelvin: light.kelvin, tintThousandths: 0), from: origin)
        }
    }

    /// The gains of an illuminant through the curve, the smallest of them 1.
    private func gains(
        kelvin: Int64, tint: Int64, on curve: ColourCurve, from origin: LimitOrigin
    ) throws(SettingProblem) -> (red: Gain, green: Gain, blue: Gain) {
        guard curve.kelvinRange.contains(kelvin) else {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "\(kelvin) K is outside \(curve.kelvinRange.lowerBound) K to"
                    + " \(curve.kelvinRange.upperBound) K (colour curve of \(origin))",
                hint: "use a temperature in that range, or give gains")
        }
        if tint == 0, let gains = curve.gains(kelvin: kelvin) { return gains }
        guard let tinted = curve.gains(kelvin: kelvin, tintThousandths: tint),
            tinted.limits.isEmpty,
            let gains = tinted.value.normalised(maximumMillionths: .max)?.gains
        else {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "a tint of \(tintText(tint)) is outside -150 to 150 (3000"
                    + " times the distance from the black body up to which a light has a colour"
                    + " temperature)",
                hint: "use a tint in that range, or give gains")
        }
        return (
            Gain(millionths: gains.redMillionths), Gain(millionths: gains.greenMillionths),
            Gain(millionths: gains.blueMillionths)
        )
    }

    /// As ``quantise(_:from:)``, for a profile known by its name alone.
    func quantise(
        _ asked: WhiteBalance, profile: String
    ) throws(SettingProblem) -> (codes: [ControlValue], achieved: WhiteBalance) {
        try quantise(asked, from: .profile(profile, file: nil))
    }

    private func quantise(
        red: Gain, green: Gain, blue: Gain, from origin: LimitOrigin
    ) throws(SettingProblem) -> (codes: [ControlValue], achieved: WhiteBalance) {
        if isMetadata { return ([], try kept(red: red, green: green, blue: blue, from: origin)) }
        if let components {
            try checkLeast(red: red, green: green, blue: blue)
            let place = limit ?? origin
            let redCode = try components.code(for: red, over: green, "red", from: place)
            let blueCode = try components.code(for: blue, over: green, "blue", from: place)
            return (
                [ControlValue(components.red, redCode), ControlValue(components.blue, blueCode)],
                .gains(
                    red: components.gain(ofCode: redCode), green: .unity,
                    blue: components.gain(ofCode: blueCode))
            )
        }
        guard temperature != nil, let curve else {
            throw unsupported("gains", instead: "a temperature", origin)
        }
        try checkLeast(red: red, green: green, blue: blue)
        guard let kelvin = curve.kelvin(red: red, green: green, blue: blue) else {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "gains \(red.decimal), \(green.decimal), \(blue.decimal) are those of no temperature"
                    + " that \(origin) knows, and the camera takes nothing but a temperature",
                hint: "give the temperature")
        }
        return try quantise(.temperature(kelvin: kelvin, tintThousandths: 0), from: origin)
    }

    /// Gains as metadata: what is kept is what was asked for.
    private func kept(
        red: Gain, green: Gain, blue: Gain, from origin: LimitOrigin
    ) throws(SettingProblem) -> WhiteBalance {
        for (gain, channel) in [(red, "red"), (green, "green"), (blue, "blue")]
        where gain < .unity || gain > maximumGain {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "the \(channel) gain \(gain) is outside 1x to \(maximumGain) (\(origin))",
                hint: "divide all three by the smallest one, so that it is 1")
        }
        return .gains(red: red, green: green, blue: blue)
    }

    /// Gains of a camera that balances: each is 1 at least.
    ///
    /// - Throws: ``SettingProblem`` for the first that is below.
    private func checkLeast(red: Gain, green: Gain, blue: Gain) throws(SettingProblem) {
        for (gain, channel) in [(red, "red"), (green, "green"), (blue, "blue")]
        where gain < .unity {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "the \(channel) gain \(gain) is below 1x, the least that a channel can have",
                hint: "divide all three by the smallest one, so that it is 1")
        }
    }

    /// The tint, in thousandths, up to which a chromaticity counts as one without: what rounding to three digits makes.
    private static let roundedTint: UInt64 = 1_500

    private func withoutTint(
        _ light: (kelvin: Int64, tintThousandths: Int64), _ origin: LimitOrigin
    ) -> SettingProblem {
        SettingProblem(
            .whiteBalance, id: "tint-unsupported", isUnsupported: true,
            "a light of that chromaticity has \(light.kelvin) K and a tint of"
                + " \(tintText(light.tintThousandths)), and \(origin) has a control for temperature but"
                + " none for tint",
            hint: "give `temperature: \(light.kelvin) K` to leave the tint out"
                + (components == nil ? "" : ", or gains"))
    }

    private func withoutTint(_ origin: LimitOrigin) -> SettingProblem {
        SettingProblem(
            .whiteBalance, id: "tint-unsupported", isUnsupported: true,
            "\(origin) has a control for temperature but none for tint",
            hint: "leave out tint, or give gains if the camera takes them")
    }

    private func unsupported(
        _ what: String, instead: String, _ origin: LimitOrigin
    ) -> SettingProblem {
        SettingProblem(
            .whiteBalance, id: "white-balance-unsupported", isUnsupported: true,
            "\(origin) has no control that takes \(what)",
            hint: "give \(instead), or leave white balance out")
    }
}

extension WhiteBalanceModel.Components {
    fileprivate func code(
        for gain: Gain, over green: Gain, _ channel: String, from origin: LimitOrigin
    ) throws(SettingProblem) -> Int64 {
        let nearest = codes.nearest(
            Int128(gain.millionths) * Int128(unity), over: Int128(green.millionths))
        guard let nearest else {
            let low = Gain(
                millionths: rounded(Int128(codes.minimum) * 1_000_000, over: Int128(unity)))
            let high = Gain(
                millionths: rounded(Int128(codes.maximum) * 1_000_000, over: Int128(unity)))
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "the \(channel) gain, \(gain) over green \(green), is outside \(low) to \(high)"
                    + " (\(origin))",
                hint: "use a gain in that range")
        }
        return nearest
    }

    /// The gains of two codes as they can be asked for: the least of them 1, to the nearest millionth.
    ///
    /// A code of 0 leaves out a channel; then they are over green.
    public func gains(redCode: Int64, blueCode: Int64) -> WhiteBalance {
        let codes = (red: Int128(redCode), green: Int128(unity), blue: Int128(blueCode))
        let least = min(codes.red, codes.green, codes.blue)
        guard least > 0 else {
            return .gains(red: gain(ofCode: redCode), green: .unity, blue: gain(ofCode: blueCode))
        }
        func scaled(_ code: Int128) -> Gain {
            Gain(millionths: rounded(code * 1_000_000, over: least))
        }
        return .gains(
            red: scaled(codes.red), green: scaled(codes.green), blue: scaled(codes.blue))
    }

    /// The gain of a code over green, to the nearest millionth; 0 for one below 0.
    public func gain(ofCode code: Int64) -> Gain {
        Gain(millionths: max(0, rounded(Int128(code) * 1_000_000, over: Int128(unity))))
    }
}

extension WhiteBalanceModel.Temperature {
    fileprivate func code(
        for kelvin: Int64, from origin: LimitOrigin
    ) throws(SettingProblem) -> Int64 {
        guard let nearest = codes.nearest(kelvin) else {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "\(kelvin) K is outside \(codes.minimum) K to \(codes.maximum) K"
                    + " (\(control.name) of \(origin))",
                hint: "use a temperature in that range")
        }
        return nearest
    }
}

/// A tint in thousandths as text, for example `-9.5`.
private func tintText(_ thousandths: Int64) -> String {
    (thousandths < 0 ? "-" : "") + decimalText(thousandths.magnitude, unit: 1_000)
}
