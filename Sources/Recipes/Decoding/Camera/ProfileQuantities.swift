import Devices

extension Quantity {
    private static let decibels = QuantityKind(
        "a gain in decibels", example: "0.3 dB", units: ["dB"])
    private static let frequency = QuantityKind(
        "a frequency", example: "840 MHz", units: ["Hz", "kHz", "MHz", "GHz"])
    private static let dioptres = QuantityKind(
        "a reciprocal distance", example: "2.5 D", units: ["D"],
        aliases: [("dpt", "D"), ("1/m", "D")])
    private static let nanometres = QuantityKind(
        "a length", example: "1550 nm", units: ["nm", "um"], aliases: [("µm", "um")])
    private static let aperture = QuantityKind("an aperture", example: "f/1.8")
    private static let date = QuantityKind("a date", example: "2026-11-20")

    /// Reads thousandths of a decibel: `0.3 dB` is 300.
    static func millidecibels(_ text: String) throws(QuantityProblem) -> Int64 {
        try whole(text, decibels, [1_000], named: "thousandths of a decibel")
    }

    /// Reads a frequency in whole hertz: `182.4 MHz`.
    static func hertz(_ text: String) throws(QuantityProblem) -> Int64 {
        try whole(text, frequency, [1, 1_000, 1_000_000, 1_000_000_000], named: "hertz")
    }

    /// Reads thousandths of a dioptre: `2.5 D` is 2,500.
    static func millidioptres(_ text: String) throws(QuantityProblem) -> Int64 {
        try whole(text, dioptres, [1_000], named: "thousandths of a dioptre")
    }

    /// Reads a length in whole nanometres: `1550 nm`, `1.55 um`.
    static func nanometres(_ text: String) throws(QuantityProblem) -> Int64 {
        try whole(text, nanometres, [1, 1_000], named: "nanometres")
    }

    /// Reads a number and its unit as a whole count of parts.
    ///
    /// - Parameters:
    ///   - parts: those of each of the kind's units, in their order.
    ///   - name: the parts in words, for the message about a number that is finer.
    private static func whole(
        _ text: String, _ kind: QuantityKind, _ parts: [UInt128], named name: String
    ) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, kind)
        let number = try scanner.number()
        let unit = try scanner.unit(kind.units)
        return try scanner.parts(number, parts[unit], named: name)
    }

    /// Reads an f-number in thousandths: `f/1.8` is 1,800.
    static func aperture(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, aperture)
        guard scanner.take(word: "f/") else { throw scanner.notOne }
        let number = try scanner.number()
        try scanner.end()
        return try scanner.parts(number, 1_000, named: "thousandths")
    }

    /// Reads a day as `2026-11-20`; whether the calendar has it is not asked.
    static func date(_ text: String) throws(QuantityProblem) -> String {
        let scanner = QuantityScanner(text, date)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap {
            $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil
        }
        guard parts.map(\.utf8.count) == [4, 2, 2], numbers.count == 3,
            (2_000...2_999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2])
        else { throw scanner.notOne }
        return text
    }
}

extension ScalarShape {
    private static let number = #"(0|[1-9][0-9]*)(\.[0-9]+)?"#

    static let decibels = ScalarShape(
        "decibels", "a gain in decibels", .text(pattern: "^" + number + " ?dB$"),
        "A gain in decibels, for example `0.3 dB`.")
    static let frequency = ScalarShape(
        "frequency", "a frequency", .text(pattern: "^" + number + " ?(Hz|kHz|MHz|GHz)$"),
        "A frequency in whole hertz, for example `182.4 MHz`.")
    static let dioptres = ScalarShape(
        "dioptres", "a reciprocal distance", .text(pattern: "^" + number + " ?D$"),
        "A reciprocal distance in dioptres (1/m), for example `2.5 D`; 0 D is infinity.")
    static let nanometres = ScalarShape(
        "nanometres", "a length", .text(pattern: "^" + number + " ?(nm|um)$"),
        "A length in whole nanometres, for example `1550 nm`.")
    static let aperture = ScalarShape(
        "aperture", "an aperture", .text(pattern: "^f/" + number + "$"),
        "An f-number, for example `f/1.8`.")
    static let date = ScalarShape(
        "date", "a date", .text(pattern: "^2[0-9]{3}-[0-9]{2}-[0-9]{2}$"),
        "A day, for example `2026-11-20`.")
    static let ratio = ScalarShape.number(
        "ratio", "A raw channel of a grey over its green, for example `0.4307`.", from: "0.001",
        to: "100")
    static let matrixElement = ScalarShape.number(
        "matrix_element", "An element of a colour matrix, for example `-0.5146`.", from: "-20",
        to: "20")
}

extension Form where Value == Int64 {
    /// The gain of one code, in thousandths of a decibel.
    static let decibels = Form.scalar(
        .decibels, limits: "0.001 dB to 20 dB", isTaken: { (1...20_000).contains($0) },
        parse: Quantity.millidecibels)
    /// A pixel rate, in whole hertz.
    static let frequency = Form.scalar(
        .frequency, limits: "1 kHz to 10 GHz", isTaken: { (1_000...10_000_000_000).contains($0) },
        parse: Quantity.hertz)
    /// In thousandths of a dioptre; 0 is infinity, 100 a centimetre.
    static let dioptres = Form.scalar(
        .dioptres, limits: "0 D to 100 D", isTaken: { (0...100_000).contains($0) },
        parse: Quantity.millidioptres)
    /// A pixel's pitch, in whole nanometres.
    static let nanometres = Form.scalar(
        .nanometres, limits: "100 nm to 100 um", isTaken: { (100...100_000).contains($0) },
        parse: Quantity.nanometres)
    /// A raw channel over green, in millionths.
    static let ratio = Form.scalar(
        .ratio, limits: "0.001 to 100", isTaken: { (1_000...100_000_000).contains($0) },
        parse: Quantity.millionths)
    /// In millionths; elements off the diagonal are often negative.
    static let matrixElement = Form.scalar(
        .matrixElement, limits: "-20 to 20", isTaken: { (-20_000_000...20_000_000).contains($0) },
        parse: Quantity.signedMillionths)
}

extension Form where Value == Aperture {
    /// An f-number in thousandths, f/0.1 to f/1000.
    static let aperture = Form<Int64>.scalar(
        .aperture, limits: "f/0.1 to f/1000", isTaken: { (100...1_000_000).contains($0) },
        parse: Quantity.aperture
    ).mapOrNil { Aperture(thousandths: $0) }
}
