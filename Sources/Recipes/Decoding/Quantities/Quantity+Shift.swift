public import Devices

extension Quantity {
    /// Stops are twelfths inside, so that halves, thirds and quarters are exact; `0.33 EV` is refused.
    static let shift = QuantityKind(
        "a number of stops", example: "-2 EV", units: ["EV"],
        aliases: [("ev", "EV"), ("Ev", "EV"), ("stops", "EV"), ("stop", "EV")])

    /// Reads a shift of exposure: `-2 EV`, `+1 EV`, `1/3 EV`, `0.5 EV`; a whole number of twelfths.
    public static func shift(_ text: String) throws(QuantityProblem) -> ExposureShift {
        var scanner = QuantityScanner(text, shift)
        let isNegative = scanner.take("-")
        if !isNegative { _ = scanner.take("+") }
        let number = try scanner.number()
        var divisor = DecimalNumber.power(number.scale)
        if scanner.take("/") {
            guard number.scale == 0 else { throw scanner.notOne }
            divisor = try scanner.wholeNumber()
        }
        _ = try scanner.unit(shift.units)
        guard divisor > 0 else {
            throw scanner.problem("number-format", "\(scanner.quoted) divides by zero")
        }
        let parts = number.digits * 12
        guard parts / divisor <= UInt128(12 * ExposureShift.limit) else {
            throw tooFar(scanner)
        }
        guard parts % divisor == 0 else {
            throw scanner.problem(
                "too-fine", "\(scanner.quoted) is not a whole number of twelfths of a stop",
                hint: "write thirds as fractions, such as `1/3 EV`")
        }
        let twelfths = Int64(parts / divisor)
        guard let shift = ExposureShift(twelfths: isNegative ? -twelfths : twelfths) else {
            throw tooFar(scanner)
        }
        return shift
    }

    /// The shift is beyond ±8 EV, the largest that ``ExposureShift`` holds.
    private static func tooFar(_ scanner: QuantityScanner) -> QuantityProblem {
        scanner.problem(
            "out-of-range",
            "\(scanner.quoted) is outside -\(ExposureShift.limit) EV to \(ExposureShift.limit) EV")
    }
}
