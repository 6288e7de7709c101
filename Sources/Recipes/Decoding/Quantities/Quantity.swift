public import Devices
public import Timebase

/// Reads quantities as recipes write them: exact decimals with their unit, never through floating point.
///
/// A number is digits with at most one point; signs, exponents, leading zeros, separators between digits and other
/// bases are refused. Between number and unit may stand one space. Recipes, rigs, profiles and the command line share
/// these readers, each of which throws ``QuantityProblem`` with a right example.
public enum Quantity {
    /// Colour temperatures that recipes take, in kelvin.
    package static let temperatures: ClosedRange<Int64> = 1_000...25_000
    /// CIE 1931 chromaticity coordinates that recipes take, in millionths.
    package static let chromaticities: ClosedRange<Int64> = 10_000...900_000

    /// The longest duration, 10,000 h; sums of many of them still fit an ``Interval``.
    public static let longestDuration = Interval.seconds(36_000_000)

    /// The micro sign of both code points is read as `u`; the longer names are no units, but are understood in hints.
    static let duration = QuantityKind(
        "a duration", example: "8 ms", units: ["ns", "us", "ms", "s", "min", "h"],
        aliases: [
            ("sec", "s"), ("secs", "s"), ("second", "s"), ("seconds", "s"), ("S", "s"),
            ("msec", "ms"), ("millisecond", "ms"), ("milliseconds", "ms"), ("usec", "us"),
            ("microsecond", "us"), ("microseconds", "us"), ("nsec", "ns"),
            ("minute", "min"), ("minutes", "min"), ("hour", "h"), ("hours", "h"), ("hr", "h"),
        ])
    static let rate = QuantityKind(
        "a frame rate", example: "30 fps", units: ["fps"],
        aliases: [
            ("Hz", "fps"), ("hz", "fps"), ("/s", "fps"), ("1/s", "fps"), ("frames/s", "fps"),
            ("FPS", "fps"),
        ])
    static let temperature = QuantityKind(
        "a colour temperature", example: "5200 K", units: ["K"],
        aliases: [("kelvin", "K"), ("Kelvin", "K"), ("k", "K"), ("°K", "K")])
    static let gain = QuantityKind(
        "a gain", example: "2.0x", units: ["x"], aliases: [("×", "x"), ("X", "x")])
    static let iso = QuantityKind("an ISO value", example: "ISO 100")

    /// The names that are accepted, and their nanoseconds.
    private static let durationUnits: [(name: String, nanoseconds: UInt128)] = [
        ("ns", 1), ("us", 1_000), ("\u{B5}s", 1_000), ("\u{3BC}s", 1_000), ("ms", 1_000_000),
        ("s", 1_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    /// Reads a duration: `8 ms`, `1.5 s`, or a fraction such as `1/125 s`.
    ///
    /// A decimal must be a whole number of nanoseconds; a fraction is rounded to the nearest one, half upwards.
    /// - Throws: ``QuantityProblem``; also for more than ``longestDuration``.
    public static func duration(_ text: String) throws(QuantityProblem) -> Interval {
        var scanner = QuantityScanner(text, duration)
        let number = try scanner.number()
        let divisor = try denominator(&scanner, after: number)
        let unit = durationUnits[try scanner.unit(durationUnits.map(\.name))].nanoseconds
        let nanoseconds: Int64
        if let divisor {
            // Both factors are below 10^13 and 10^24; twice the product plus the divisor fits.
            let product = number.digits * unit
            nanoseconds = Int64(clamping: (2 * product + divisor) / (2 * divisor))
        } else {
            switch number.parts(unit) {
            case .exact(let count): nanoseconds = count
            case .tooLarge: nanoseconds = .max
            case .tooFine:
                throw scanner.problem(
                    "too-fine", "\(scanner.quoted) is not a whole number of nanoseconds",
                    hint: "round it to nanoseconds, or write a fraction such as `1/125 s`, "
                        + "which is rounded")
            }
        }
        guard nanoseconds <= longestDuration.nanoseconds else {
            throw scanner.problem(
                "out-of-range", "\(scanner.quoted) is longer than the limit of 10000 h",
                hint: "check the number and its unit")
        }
        return Interval(nanoseconds: nanoseconds)
    }

    /// Takes `/` and a whole number, where they follow a whole number; nil where no `/` follows.
    ///
    /// - Throws: a problem for a fraction of a decimal (`1.5/2 s`), and for a division by zero.
    private static func denominator(
        _ scanner: inout QuantityScanner, after number: DecimalNumber
    ) throws(QuantityProblem) -> UInt128? {
        guard scanner.take("/") else { return nil }
        let divisor = try scanner.wholeNumber()
        guard number.scale == 0 else { throw scanner.notOne }
        guard divisor > 0 else {
            throw scanner.problem("number-format", "\(scanner.quoted) divides by zero")
        }
        return divisor
    }

    /// Reads a frame rate: `30 fps`, `29.97 fps`, `30000/1001 fps`.
    ///
    /// Kept as a fraction in lowest terms: 29.97 fps is 2997/100 and not the 30000/1001 of television.
    ///
    /// - Throws: ``QuantityProblem``; also outside 0.0001 fps to 1,000,000 fps.
    public static func rate(_ text: String) throws(QuantityProblem) -> FrameRate {
        var scanner = QuantityScanner(text, rate)
        let number = try scanner.number()
        let divisor = try denominator(&scanner, after: number) ?? DecimalNumber.power(number.scale)
        _ = try scanner.unit(rate.units)
        let isUsable =
            number.digits * 10_000 >= divisor && number.digits / divisor <= 1_000_000
        guard isUsable, let rate = frameRate(number.digits, over: divisor) else {
            throw scanner.problem(
                "out-of-range", "\(scanner.quoted) is outside 0.0001 fps to 1000000 fps",
                hint: "check the number; for very slow series use `repeat` with `every`")
        }
        return rate
    }

    /// A rate in lowest terms, by Euclid's algorithm; nil for zero, or where a part does not fit into 64 bits.
    private static func frameRate(_ frames: UInt128, over seconds: UInt128) -> FrameRate? {
        var (a, b) = (frames, seconds)
        while b != 0 { (a, b) = (b, a % b) }
        guard a > 0, let frames = Int64(exactly: frames / a),
            let seconds = Int64(exactly: seconds / a)
        else { return nil }
        return FrameRate(frames: frames, seconds: seconds)
    }

    /// Reads a colour temperature in whole kelvin: `5200 K`; its range is the form's business.
    public static func temperature(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, temperature)
        let number = try scanner.number()
        _ = try scanner.unit(temperature.units)
        guard let kelvin = number.whole else {
            throw scanner.problem(
                "number-format", "\(scanner.quoted) is not a whole number of kelvin")
        }
        return kelvin
    }

    /// Reads a linear gain, exact to a millionth: `2.0x`.
    ///
    /// - Returns: 0 too; its range is the form's business.
    public static func gain(_ text: String) throws(QuantityProblem) -> Gain {
        var scanner = QuantityScanner(text, gain)
        let number = try scanner.number()
        _ = try scanner.unit(gain.units)
        return Gain(millionths: try scanner.parts(number, 1_000_000, named: "millionths"))
    }

    /// Reads an ISO value: `ISO 100`, or the plain number.
    ///
    /// - Returns: 0 too; the forms of recipes and profiles take 1 and more.
    public static func iso(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, iso)
        if scanner.take(word: "ISO") { _ = scanner.take(" ") }
        let number = try scanner.wholeNumber()
        try scanner.end()
        guard let value = Int64(exactly: number) else { throw scanner.tooLarge }
        return value
    }
}

extension QuantityScanner {
    /// A number in parts of a whole, or why it can't be.
    ///
    /// - Parameters:
    ///   - number: as it was scanned.
    ///   - partsPerUnit: how many parts make one, at most 10^13.
    ///   - name: the parts in words, for the hint to round to them.
    func parts(
        _ number: DecimalNumber, _ partsPerUnit: UInt128, named name: String
    ) throws(QuantityProblem) -> Int64 {
        switch number.parts(partsPerUnit) {
        case .exact(let count): return count
        case .tooLarge: throw tooLarge
        case .tooFine:
            throw problem(
                "too-fine", "\(quoted) is finer than \(name)", hint: "round it to \(name)")
        }
    }

    /// The number does not fit.
    var tooLarge: QuantityProblem {
        problem("out-of-range", "\(quoted) is too large", hint: "check the number of digits")
    }
}
