/// One straight piece of a camera's colour curve, with the normals at its ends.
struct ColourCurveSegment {
    /// A point of the curve, ratios as fractions.
    struct Place {
        let kelvin: Double
        let red: Double
        let blue: Double

        init(_ point: ColourCurve.Point) {
            kelvin = Double(point.kelvin)
            red = Double(point.redMillionths) / 1e6
            blue = Double(point.blueMillionths) / 1e6
        }

        /// The distance from another place in (r, b).
        func distance(from other: Place) -> Double {
            let (red, blue) = (red - other.red, blue - other.blue)
            return (red * red + blue * blue).squareRoot()
        }
    }

    typealias Vector = (red: Double, blue: Double)

    let start: Place
    let end: Place
    /// Unit vectors towards greener illuminants, at the start and at the end; of neighbouring segments, they agree.
    let normals: (start: Vector, end: Vector)

    /// The temperature from start to end.
    var kelvin: Double { end.kelvin - start.kelvin }
    /// The length in (r, b).
    var length: Double { end.distance(from: start) }
    private var step: Vector { (end.red - start.red, end.blue - start.blue) }
    private var turn: Vector {
        (normals.end.red - normals.start.red, normals.end.blue - normals.start.blue)
    }

    /// The ratios at a part of the way, off the curve along the normal there.
    ///
    /// - Parameters:
    ///   - part: 0 at the start, 1 at the end; below and above, the piece is continued in a straight line.
    ///   - offset: in (r, b), positive towards greener illuminants.
    func place(at part: Double, offset: Double) -> Vector {
        let normal = normal(at: part)
        return (
            start.red + part * step.red + offset * normal.red,
            start.blue + part * step.blue + offset * normal.blue
        )
    }

    /// The normal at a part of the way; before the start and behind the end it turns no further.
    private func normal(at part: Double) -> Vector {
        let inside = min(max(part, 0), 1)
        return Self.unit(
            (normals.start.red + inside * turn.red, normals.start.blue + inside * turn.blue))
    }

    /// How far ratios lie off the curve, by the normal at a part of the way.
    func offset(of grey: Vector, at part: Double) -> Double {
        let normal = normal(at: part)
        return (grey.red - start.red - part * step.red) * normal.red
            + (grey.blue - start.blue - part * step.blue) * normal.blue
    }

    /// The parts of the way whose normal leads to ratios; at most four, none if no normal does.
    ///
    /// `cross(start + t·step − grey, normal(t)) = 0` with a normal that turns linearly: inside, that is a quadratic
    /// equation; beyond the ends, where it turns no further, a linear one. The caller takes the nearest.
    func parts(of grey: Vector) -> [Double] {
        func cross(_ a: Vector, _ b: Vector) -> Double { a.red * b.blue - a.blue * b.red }
        let away: Vector = (start.red - grey.red, start.blue - grey.blue)
        let behind: Vector = (end.red - grey.red, end.blue - grey.blue)
        var parts: [Double] = []
        let before = -cross(away, normals.start) / cross(step, normals.start)
        if before < 0 { parts.append(before) }
        let after = 1 - cross(behind, normals.end) / cross(step, normals.end)
        if after > 1 { parts.append(after) }
        let constant = cross(away, normals.start)
        let linear = cross(step, normals.start) + cross(away, turn)
        let square = cross(step, turn)
        let discriminant = linear * linear - 4 * square * constant
        guard discriminant >= 0 else { return parts }
        // The form that loses no digits, and that holds where the equation is linear.
        let root = discriminant.squareRoot()
        let sum = -(linear + (linear < 0 ? -root : root)) / 2
        for part in [sum / square, constant / sum] where (0...1).contains(part) {
            parts.append(part)
        }
        return parts
    }

    /// A vector of length 1.
    static func unit(_ vector: Vector) -> Vector {
        let length = (vector.red * vector.red + vector.blue * vector.blue).squareRoot()
        return (vector.red / length, vector.blue / length)
    }
}
