import TestSupport
import Testing

@testable import Timebase

struct HalfPlanesTests {
    /// The greatest offset by trying every pair of borders, in fractions; nil if nothing satisfies all.
    private static func greatestOffset(
        _ planes: [(Int64, Int64, Int64)]
    ) -> (numerator: Int128, denominator: Int128)? {
        var best: (numerator: Int128, denominator: Int128)?
        for (index, p) in planes.enumerated() {
            for q in planes[..<index] {
                var determinant = Int128(p.0 * q.1 - q.0 * p.1)
                var offset = Int128(p.2 * q.1 - q.2 * p.1)
                var rate = Int128(p.0 * q.2 - q.0 * p.2)
                if determinant == 0 { continue }
                if determinant < 0 { (determinant, offset, rate) = (-determinant, -offset, -rate) }
                let holds = planes.allSatisfy {
                    Int128($0.0) * offset + Int128($0.1) * rate <= Int128($0.2) * determinant
                }
                guard holds else { continue }
                if best.map({ offset * $0.denominator > $0.numerator * determinant }) ?? true {
                    best = (offset, determinant)
                }
            }
        }
        return best
    }

    @Test func `the extreme is the best corner of all, and nothing is found where there is none`() {
        var random = SeededGenerator(seed: 3)
        var impossible = 0
        for _ in 0..<2_000 {
            // The rate within ±9, and constraints on lines through offset and rate.
            var planes: [(Int64, Int64, Int64)] = [(0, 1, 9), (0, -1, 9)]
            for _ in 0..<random.number(1...12) {
                let sign: Int64 = random.chance(50) ? 1 : -1
                planes.append((sign, random.number(-20...20), random.number(-100...300)))
            }
            planes.append((1, 0, 400))
            planes.append((-1, 0, 400))
            var set = HalfPlanes()
            for plane in planes {
                set.add(HalfPlane(offset: plane.0, rate: plane.1, limit: plane.2))
            }
            let found = set.maximum(of: (1, 0), from: (planes.count - 2, 0))
            if let best = Self.greatestOffset(planes) {
                guard case .bounded(let numerator, let denominator) = found else {
                    Issue.record("\(planes) have a solution")
                    continue
                }
                #expect(numerator * best.denominator == best.numerator * denominator)
            } else {
                impossible += 1
                #expect(found == .impossible)
            }
        }
        #expect(impossible > 100)
    }

    @Test func `a constraint with numbers beyond all reason is left out`() {
        var set = HalfPlanes()
        set.add(HalfPlane(offset: 1, rate: 0, limit: .max))
        set.add(HalfPlane(offset: 1, rate: .min, limit: 0))
        #expect(set.count == 0)
    }
}
