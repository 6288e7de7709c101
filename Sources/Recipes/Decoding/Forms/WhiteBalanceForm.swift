import Devices

/// A white balance: three gains, a temperature with tint, or a chromaticity.
///
/// Shared by locks, brackets and sweeps. Exactly one of the three is there, by the rules of the shape; which of them
/// the camera can do is decided by its profile.
enum WhiteBalanceKeys {
    static let red = Key("red", .channelGain, "Gain of the red channel.")
    static let green = Key("green", .channelGain, "Gain of the green channel; 1 if left out.")
    static let blue = Key("blue", .channelGain, "Gain of the blue channel.")
    static let temperature = Key(
        "temperature", .temperature, "Colour temperature of the illuminant that is to look neutral."
    )
    /// In thousandths: +3000 times Duv, so positive for an illuminant that is greener than the black body.
    static let tint = Key("tint", .tint, "Tint of that illuminant; 0 if left out.")
    /// In millionths, as `y`.
    static let x = Key("x", .chromaticity, "CIE 1931 x of the illuminant.")
    static let y = Key("y", .chromaticity, "CIE 1931 y of the illuminant.")

    static let shape = MappingShape(
        "a white balance", name: "white_balance",
        "Channel gains, or the illuminant by temperature and tint, or by its chromaticity.",
        keys: [
            red.shape, green.shape, blue.shape, temperature.shape, tint.shape, x.shape, y.shape,
        ],
        rules: [
            .exactlyOne([["red", "green", "blue"], ["temperature", "tint"], ["x", "y"]]),
            .together(["red", "blue"]),
            .companion("green", of: ["red"]), .companion("tint", of: ["temperature"]),
            .together(["x", "y"]),
        ])

    static let form = Form<WhiteBalance>.mapping(shape, read: value)

    /// Reads a mapping that has these keys.
    ///
    /// The rules were reported when the mapping was opened: here it is only asked which form was begun.
    ///
    /// - Returns: nil where a part is missing or wrong.
    @Sendable static func value(_ read: MappingReader) -> WhiteBalance? {
        if read.has(red) { return gains(read) }
        if read.has(temperature) {
            let kelvin = read(temperature)
            let thousandths = read.has(tint) ? read(tint) : 0
            guard let kelvin, let thousandths else { return nil }
            return .temperature(kelvin: kelvin, tintThousandths: thousandths)
        }
        return chromaticity(read)
    }

    /// Three gains; green is 1 where it is left out.
    private static func gains(_ read: MappingReader) -> WhiteBalance? {
        let redGain = read(red)
        let greenGain = read.has(green) ? read(green) : .unity
        let blueGain = read(blue)
        guard let redGain, let greenGain, let blueGain else { return nil }
        return .gains(red: redGain, green: greenGain, blue: blueGain)
    }

    /// A point of the CIE 1931 diagram; x + y above 1 is reported, since z can't be negative.
    private static func chromaticity(_ read: MappingReader) -> WhiteBalance? {
        let (right, up) = (read(x), read(y))
        guard let right, let up else { return nil }
        guard right + up <= 1_000_000 else {
            read.context.report(
                "out-of-range", at: read.valueRange(y),
                "`x` and `y` add up to more than 1, which no colour does")
            return nil
        }
        return .chromaticity(xMillionths: right, yMillionths: up)
    }
}
