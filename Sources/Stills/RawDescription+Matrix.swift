internal import Imaging

extension RawDescription {
    /// DNG's `ColorMatrix1`: from XYZ to raw colours, so that a converter that balances by `AsShotNeutral` ends with
    /// the colours that our own development has.
    ///
    /// The inverse of (linear sRGB to XYZ · matrix · gains); without a measured matrix, camera colours count as linear
    /// sRGB, as they do in development. Nine elements, row by row: raw red, green, blue from X, Y, Z. With rows of the
    /// matrix that add up to 1, the white of D65 gives exactly ``neutral``. A matrix without an inverse counts as none.
    /// Good for one illuminant: no second calibration is written, so converters do not interpolate.
    var colourMatrix: [Double] {
        let matrix = matrixMillionths.map { $0.map { Double($0) / 1e6 } } ?? Self.identity
        let inverse = Self.inverse(matrix) ?? Self.identity
        let product = Self.product(inverse, Self.linearFromXYZ)
        let green = Double(gains.greenMillionths)
        let raw = [green / Double(gains.redMillionths), 1, green / Double(gains.blueMillionths)]
        return product.indices.map { product[$0] * raw[$0 / 3] }
    }

    private static let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]

    /// XYZ (D65) to linear sRGB, IEC 61966-2-1.
    private static let linearFromXYZ: [Double] = [
        3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570,
    ]

    /// The product of two matrices of nine elements, row by row.
    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for index in 0..<3 {
                    product[row * 3 + column] += a[row * 3 + index] * b[index * 3 + column]
                }
            }
        }
        return product
    }

    /// By cofactors; nil for a matrix that is not of nine elements, or whose determinant is at most 10⁻⁹ in magnitude.
    private static func inverse(_ m: [Double]) -> [Double]? {
        guard m.count == 9 else { return nil }
        func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[b] - m[c] * m[d] }
        let first = [minor(4, 8, 5, 7), minor(2, 7, 1, 8), minor(1, 5, 2, 4)]
        let second = [minor(5, 6, 3, 8), minor(0, 8, 2, 6), minor(2, 3, 0, 5)]
        let third = [minor(3, 7, 4, 6), minor(1, 6, 0, 7), minor(0, 4, 1, 3)]
        let cofactors = first + second + third
        let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
        guard determinant.magnitude > 1e-9 else { return nil }
        return cofactors.map { $0 / determinant }
    }
}
