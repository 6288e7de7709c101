public import Devices

extension Quantity {
    /// Degrees Celsius; `C` and `°C` are understood in hints, since `degC` can be typed on every keyboard.
    static let celsius = QuantityKind(
        "a temperature", example: "70 degC", units: ["degC"],
        aliases: [
            ("C", "degC"), ("°C", "degC"), ("\u{2103}", "degC"), ("Celsius", "degC"),
            ("celsius", "degC"), ("degc", "degC"), ("deg", "degC"), ("c", "degC"),
        ])

    /// Reads a temperature, exact to a thousandth of a degree: `70 degC`.
    ///
    /// Not below zero, for want of a sign: it is a limit of what boards and sensors warm up to.
    public static func celsius(_ text: String) throws(QuantityProblem) -> Temperature {
        var scanner = QuantityScanner(text, celsius)
        let number = try scanner.number()
        _ = try scanner.unit(celsius.units)
        return Temperature(
            millidegrees: try scanner.parts(number, 1_000, named: "thousandths of a degree"))
    }
}

extension ScalarShape {
    static let celsius = ScalarShape(
        "celsius", "a temperature", .text(pattern: #"^(0|[1-9][0-9]*)(\.[0-9]+)? ?degC$"#),
        "Degrees Celsius, for example `70 degC`.")
}

extension Form where Value == Temperature {
    /// A temperature that boards and sensors can have.
    static let celsius = Form.scalar(
        .celsius, limits: "0 degC to 150 degC", isTaken: { $0.millidegrees <= 150_000 },
        parse: Quantity.celsius)
}
