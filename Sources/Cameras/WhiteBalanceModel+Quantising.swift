extension WhiteBalanceModel {
    /// The codes of a white balance, and what they amount to.
    ///
    /// Gains are divided by green, since the components are relative to it. An illuminant given by chromaticity is
    /// set by its correlated colour temperature (McCamy 1992, good from 2,000 K to 12,500 K).
    ///
    /// - Throws: ``SettingProblem`` for what the camera has no control for, or outside its range.
    func quantise(
        _ asked: WhiteBalance, profile: String
    ) throws(SettingProblem) -> (codes: [ControlValue], achieved: WhiteBalance) {
        switch asked {
        case .gains(let red, let green, let blue):
            guard let components else {
                throw unsupported("gains", instead: "a temperature", profile: profile)
            }
            guard green.millionths > 0 else {
                throw SettingProblem(
                    .whiteBalance, id: "white-balance-out-of-range",
                    "red and blue are relative to green, which must be above 0",
                    hint: "give green a gain of 1.0")
            }
            let redCode = try components.code(for: red, over: green, "red", profile: profile)
            let blueCode = try components.code(for: blue, over: green, "blue", profile: profile)
            return (
                [ControlValue(components.red, redCode), ControlValue(components.blue, blueCode)],
                components.gains(redCode: redCode, blueCode: blueCode)
            )
        case .temperature(let kelvin, let tint):
            guard let temperature else {
                throw unsupported("a temperature", instead: "gains", profile: profile)
            }
            guard tint == 0 else {
                throw SettingProblem(
                    .whiteBalance, id: "tint-unsupported",
                    "camera profile `\(profile)` has a control for temperature but none for tint",
                    hint: "leave out tint, or give gains if the camera takes them")
            }
            let code = try temperature.code(for: kelvin, profile: profile)
            return (
                [ControlValue(temperature.control, code)],
                .temperature(kelvin: code, tintThousandths: 0)
            )
        case .chromaticity(let x, let y):
            guard let kelvin = correlatedColourTemperature(xMillionths: x, yMillionths: y) else {
                throw SettingProblem(
                    .whiteBalance, id: "white-balance-out-of-range",
                    "a light of that chromaticity has no colour temperature from 2000 K to 12500 K:"
                        + " it is too far from daylight and lamps",
                    hint: "give gains")
            }
            return try quantise(.temperature(kelvin: kelvin, tintThousandths: 0), profile: profile)
        }
    }

    private func unsupported(
        _ what: String, instead: String, profile: String
    ) -> SettingProblem {
        SettingProblem(
            .whiteBalance, id: "white-balance-unsupported",
            "camera profile `\(profile)` has no control that takes \(what)",
            hint: "give \(instead), or leave white balance out")
    }
}

extension WhiteBalanceModel.Components {
    fileprivate func code(
        for gain: Gain, over green: Gain, _ channel: String, profile: String
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
                    + " (camera profile `\(profile)`)",
                hint: "use a gain in that range")
        }
        return nearest
    }

    /// The gains of two codes, to the nearest millionth.
    public func gains(redCode: Int64, blueCode: Int64) -> WhiteBalance {
        func gain(_ code: Int64) -> Gain {
            Gain(millionths: rounded(Int128(code) * 1_000_000, over: Int128(unity)))
        }
        return .gains(red: gain(redCode), green: .unity, blue: gain(blueCode))
    }
}

extension WhiteBalanceModel.Temperature {
    fileprivate func code(for kelvin: Int64, profile: String) throws(SettingProblem) -> Int64 {
        guard let nearest = codes.nearest(kelvin) else {
            throw SettingProblem(
                .whiteBalance, id: "white-balance-out-of-range",
                "\(kelvin) K is outside \(codes.minimum) K to \(codes.maximum) K"
                    + " (\(control.name) of camera profile `\(profile)`)",
                hint: "use a temperature in that range")
        }
        return nearest
    }
}
