import Devices
import Imaging
import Notation

/// Colour curve and matrices of a camera profile: what `calibrate white-balance` measures, or a tuning file has.
enum CurveKeys {
    /// In kelvin; points and matrices ascend by it.
    private static let temperature = Key(
        "temperature", .temperature, required: true, "Colour temperature of the illuminant.")

    // MARK: Curve

    /// In millionths, as blue; a camera's channels need not be near 1.
    private static let red = Key("red", .ratio, required: true, "Raw red of a grey over its green.")
    private static let blue = Key(
        "blue", .ratio, required: true, "Raw blue of a grey over its green.")

    /// A point; what a curve does between two of them is ``ColourCurve``'s business.
    private static let pointForm = Form<ColourCurve.Point>.mapping(
        MappingShape(
            "a point of the curve", "What a grey gives at one colour temperature.",
            keys: [temperature.shape, red.shape, blue.shape])
    ) { read in
        let (kelvin, red, blue) = (read(temperature), read(Self.red), read(Self.blue))
        guard let kelvin, let red, let blue else { return nil }
        return .init(kelvin: kelvin, redMillionths: red, blueMillionths: blue)
    }

    /// One point makes no curve, so there are two at least.
    private static let points = pointForm.list(count: 2...1_000)

    /// A curve; refused where temperatures do not ascend, or two neighbours could not be distinguished by their colour.
    static let curve = Form<ColourCurve>(points.shape) { node, context in
        guard let list = points.read(node, context) else { return nil }
        if let curve = ColourCurve(points: list) { return curve }
        context.report(
            "not-ascending", at: SourceRange(at: node.range.start, columns: 1),
            "the temperatures of a curve must grow from point to point, and no two neighbours may be"
                + " the same colour")
        return nil
    }

    // MARK: Matrices

    /// In millionths.
    private static let matrix = Key(
        "matrix", Form<Int64>.matrixElement.list(count: 9...9), required: true,
        "Nine elements, row by row; each row adds up to 1.")

    /// A matrix whose rows add up to 1 within a thousandth: published ones are rounded to four or five places.
    private static let matrixForm = Form<WhiteBalanceModel.Matrix>.mapping(
        MappingShape(
            "a colour matrix", "A matrix at one colour temperature.",
            keys: [temperature.shape, matrix.shape])
    ) { read in
        let (kelvin, elements) = (read(temperature), read(matrix))
        guard let kelvin, let elements else { return nil }
        for row in 0..<3 {
            let sum = elements[row * 3..<row * 3 + 3].reduce(0, +)
            // Published matrices are rounded to four or five places.
            guard (sum - 1_000_000).magnitude <= 1_000 else {
                read.context.report(
                    "row-sum", at: read.keyRange(matrix),
                    "row \(row + 1) of the matrix does not add up to 1, so grey would not stay grey"
                )
                return nil
            }
        }
        return .init(kelvin: kelvin, millionths: elements)
    }

    private static let list = matrixForm.list(count: 1...100)

    /// Matrices, ascending by temperature.
    static let matrices = Form<[WhiteBalanceModel.Matrix]>(list.shape) { node, context in
        guard let matrices = list.read(node, context) else { return nil }
        guard zip(matrices, matrices.dropFirst()).allSatisfy({ $0.kelvin < $1.kelvin }) else {
            context.report(
                "not-ascending", at: SourceRange(at: node.range.start, columns: 1),
                "the temperatures of matrices must grow from one to the next")
            return nil
        }
        return matrices
    }
}
