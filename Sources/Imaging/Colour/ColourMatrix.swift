/// Three rows of three numbers, in doubles: what ``ColourMatrices`` mixes and inverts.
struct ColourMatrix {
    typealias Row = (Double, Double, Double)

    let rows: (Row, Row, Row)

    init(_ rows: (Row, Row, Row)) {
        self.rows = rows
    }

    /// Elements in fractions; the calibration has exactly nine, which ``ColourMatrices/init(calibrations:)`` has
    /// checked.
    init(_ calibration: ColourMatrices.Calibration) {
        let e = calibration.elementsMillionths.map { Double($0) / 1e6 }
        rows = ((e[0], e[1], e[2]), (e[3], e[4], e[5]), (e[6], e[7], e[8]))
    }

    static func * (matrix: ColourMatrix, column: Row) -> Row {
        func sum(_ row: Row) -> Double {
            row.0 * column.0 + row.1 * column.1 + row.2 * column.2
        }
        return (sum(matrix.rows.0), sum(matrix.rows.1), sum(matrix.rows.2))
    }

    /// A part of this matrix and the rest of another, element by element.
    ///
    /// - Parameter part: of this matrix, 0…1. DNG mixes by reciprocal temperature, which the caller works out.
    func mixed(with other: ColourMatrix, part: Double) -> ColourMatrix {
        func mix(_ a: Row, _ b: Row) -> Row {
            (
                a.0 * part + b.0 * (1 - part), a.1 * part + b.1 * (1 - part),
                a.2 * part + b.2 * (1 - part)
            )
        }
        return ColourMatrix(
            (
                mix(rows.0, other.rows.0), mix(rows.1, other.rows.1), mix(rows.2, other.rows.2)
            ))
    }

    /// The inverse by cofactors; nil where the determinant is at most 10⁻¹² in magnitude.
    var inverse: ColourMatrix? {
        let ((a, b, c), (d, e, f), (g, h, i)) = rows
        let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        guard determinant.magnitude > 1e-12 else { return nil }
        func row(_ x: Double, _ y: Double, _ z: Double) -> Row {
            (x / determinant, y / determinant, z / determinant)
        }
        return ColourMatrix(
            (
                row(e * i - f * h, c * h - b * i, b * f - c * e),
                row(f * g - d * i, a * i - c * g, c * d - a * f),
                row(d * h - e * g, b * g - a * h, a * e - b * d)
            ))
    }
}
