/// Sharpness over the lens's code, measured in one direction.
struct SharpnessCurve: Hashable, Sendable {
    /// A code and how sharp it was.
    struct Point: Hashable, Sendable {
        var code: Int64
        var score: Int64
    }

    /// Ascending by code.
    let points: [Point]

    init(_ points: [Point]) {
        self.points = points.sorted { $0.code < $1.code }
    }

    /// The sharpest point's place among ``points``.
    var peak: Int? { points.indices.max { points[$0].score < points[$1].score } }

    var least: Int64 { points.map(\.score).min() ?? 0 }
    var most: Int64 { points.map(\.score).max() ?? 0 }

    /// Whether there is enough detail to distinguish sharp from blurred: the sharpest is a fifth over the most blurred.
    var hasContrast: Bool { most * 5 >= least * 6 && most > 0 }

    /// Where the curve crosses a score before and after its peak, in thousandths of codes.
    ///
    /// - Returns: nil for a side on which it does not.
    func crossings(of score: Int64) -> (rising: Int64?, falling: Int64?) {
        guard let peak else { return (nil, nil) }
        let rising = points.indices.prefix(peak + 1).dropFirst().last {
            points[$0 - 1].score < score && points[$0].score >= score
        }
        let falling = points.indices.dropFirst(peak + 1).first {
            points[$0 - 1].score >= score && points[$0].score < score
        }
        return (
            rising.map { between($0 - 1, $0, score) }, falling.map { between($0 - 1, $0, score) }
        )
    }

    /// Where the straight line between two neighbouring points has a score, in thousandths of codes.
    private func between(_ one: Int, _ two: Int, _ score: Int64) -> Int64 {
        let (first, second) = (points[one], points[two])
        let part = Int128(score - first.score) * Int128(second.code - first.code) * 1_000
        return first.code * 1_000 + Int64(part / Int128(second.score - first.score))
    }
}
