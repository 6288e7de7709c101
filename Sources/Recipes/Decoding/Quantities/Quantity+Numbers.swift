import Devices
public import Imaging

extension Quantity {
    static let integer = QuantityKind("a whole number", example: "5")
    static let number = QuantityKind("a number", example: "0.42")
    static let size = QuantityKind("a frame size", example: "1456x1088")
    static let region = QuantityKind("a region", example: "640x480+100+50")
    static let codes = QuantityKind("a range of codes", example: "1..5000")
    static let picoseconds = QuantityKind(
        "a duration", example: "100 us", units: ["ps", "ns", "us", "ms"])

    /// Reads a whole number without sign: `5`.
    public static func integer(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, integer)
        let value = try scanner.wholeNumber()
        try scanner.end()
        guard let value = Int64(exactly: value) else { throw scanner.tooLarge }
        return value
    }

    /// Reads a whole number that may be negative: `-10`; a plus is refused.
    public static func signedInteger(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, integer)
        let isNegative = scanner.take("-")
        let value = try scanner.wholeNumber()
        try scanner.end()
        guard let value = Int64(exactly: value) else { throw scanner.tooLarge }
        return isNegative ? -value : value
    }

    /// Reads a number without sign and unit, in millionths: `0.42` is 420,000.
    public static func millionths(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, number)
        let value = try scanner.number()
        try scanner.endOfPlainNumber()
        return try scanner.parts(value, 1_000_000, named: "millionths")
    }

    /// Reads a number that may be negative, in millionths: `-0.5` is −500,000.
    public static func signedMillionths(_ text: String) throws(QuantityProblem) -> Int64 {
        try signed(text, partsPerUnit: 1_000_000, named: "millionths")
    }

    /// Reads a number that may be negative, in thousandths: `-4.5` is −4500.
    public static func signedThousandths(_ text: String) throws(QuantityProblem) -> Int64 {
        try signed(text, partsPerUnit: 1_000, named: "thousandths")
    }

    /// Reads a number with or without a minus, in parts of one.
    private static func signed(
        _ text: String, partsPerUnit: UInt128, named name: String
    ) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, number)
        let isNegative = scanner.take("-")
        let value = try scanner.number()
        try scanner.endOfPlainNumber()
        let parts = try scanner.parts(value, partsPerUnit, named: name)
        return isNegative ? -parts : parts
    }

    /// Reads a frame size: `1456x1088`, each side 1…65535.
    public static func size(_ text: String) throws(QuantityProblem) -> FrameSize {
        var scanner = QuantityScanner(text, size)
        let size = try frameSize(&scanner)
        try scanner.end()
        return size
    }

    /// Reads a region of the image, size and place of its top left corner: `640x480+100+50`.
    ///
    /// As X11 writes geometries; the place counts from 0. Whether it lies in the frame is not asked here.
    public static func region(_ text: String) throws(QuantityProblem) -> FrameRegion {
        var scanner = QuantityScanner(text, region)
        let size = try frameSize(&scanner)
        guard scanner.take("+") else { throw scanner.notOne }
        let left = try scanner.wholeNumber()
        guard scanner.take("+") else { throw scanner.notOne }
        let top = try scanner.wholeNumber()
        try scanner.end()
        guard left <= 65_535, top <= 65_535,
            let region = FrameRegion(left: Int(left), top: Int(top), size: size)
        else {
            throw scanner.problem(
                "out-of-range", "\(scanner.quoted) lies outside of 65535 pixels and rows")
        }
        return region
    }

    /// Takes width, `x` and height; what follows is the caller's.
    private static func frameSize(
        _ scanner: inout QuantityScanner
    ) throws(QuantityProblem) -> FrameSize {
        let width = try scanner.wholeNumber()
        guard scanner.take("x") else { throw scanner.notOne }
        let height = try scanner.wholeNumber()
        guard let width = Int(exactly: width), let height = Int(exactly: height),
            let size = FrameSize(width: width, height: height)
        else {
            throw scanner.problem(
                "out-of-range", "\(scanner.quoted): width and height must be 1 to 65535")
        }
        return size
    }

    /// Reads the codes that a control takes: `1..5000`, `2800..6500 step 10`, `-64..64`.
    ///
    /// - Throws: ``QuantityProblem``; also where the largest is below the smallest, or the step below 1.
    static func codes(_ text: String) throws(QuantityProblem) -> CodeRange {
        var scanner = QuantityScanner(text, codes)
        let minimum = try code(&scanner)
        guard scanner.take(word: "..") else { throw scanner.notOne }
        let maximum = try code(&scanner)
        var step: Int64 = 1
        if scanner.take(word: " step ") { step = try code(&scanner) }
        try scanner.end()
        guard minimum <= maximum, step >= 1 else {
            throw scanner.problem(
                "out-of-range", "\(scanner.quoted) does not go upwards",
                hint: "write the smallest code first; a step is at least 1")
        }
        return CodeRange(minimum, maximum, step: step)
    }

    /// A control's value; V4L2's are 32 bits, and every sum of two such codes fits.
    private static func code(_ scanner: inout QuantityScanner) throws(QuantityProblem) -> Int64 {
        let isNegative = scanner.take("-")
        let value = try scanner.digits()
        guard value <= 4_294_967_295 else { throw scanner.tooLarge }
        return isNegative ? -Int64(value) : Int64(value)
    }

    /// Reads a duration in exact picoseconds: `100 us`, `14.814 ns`.
    static func picoseconds(_ text: String) throws(QuantityProblem) -> Int64 {
        var scanner = QuantityScanner(text, picoseconds)
        let units: [(name: String, picoseconds: UInt128)] = [
            ("ps", 1), ("ns", 1_000), ("us", 1_000_000), ("\u{B5}s", 1_000_000),
            ("\u{3BC}s", 1_000_000), ("ms", 1_000_000_000),
        ]
        let number = try scanner.number()
        let unit = units[try scanner.unit(units.map(\.name))].picoseconds
        return try scanner.parts(number, unit, named: "picoseconds")
    }
}

extension QuantityScanner {
    /// Throws unless the number was everything; names a unit where none belongs.
    func endOfPlainNumber() throws(QuantityProblem) {
        guard !isAtEnd else { return }
        throw problem("number-format", "\(quoted) is not a plain number; no unit belongs here")
    }
}
