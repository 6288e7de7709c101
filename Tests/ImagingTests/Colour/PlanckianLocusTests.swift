import Foundation
import Testing

@testable import Imaging

/// The committed table of black bodies against Planck's law and the published observer.
@Suite("Planckian locus")
struct PlanckianLocusTests {
    /// (u, v) of a black body from the colour-matching functions in steps of 5 nm.
    private static func body(mired: Double) -> UniformChromaticity {
        var (x, y, z) = (0.0, 0.0, 0.0)
        for (index, row) in StandardObserver.functions.enumerated() {
            let metres = (360 + 5 * Double(index)) * 1e-9
            let power =
                mired == 0
                ? pow(metres, -4) : pow(metres, -5) / expm1(1.4388e-2 * mired * 1e-6 / metres)
            x += row.x * power
            y += row.y * power
            z += row.z * power
        }
        let sum = x + 15 * y + 3 * z
        return UniformChromaticity(u: 4 * x / sum, v: 6 * y / sum)
    }

    @Test func `every row is a black body of its temperature`() {
        #expect(PlanckianLocus.table.count == 201)
        for (index, row) in PlanckianLocus.table.enumerated() {
            let body = Self.body(mired: Double(index) * 5)
            // What steps of 5 nm instead of 1 nm make.
            #expect(abs(Double(row.0) / 1e12 - body.u) < 8e-6, "row \(index)")
            #expect(abs(Double(row.1) / 1e12 - body.v) < 8e-6, "row \(index)")
        }
    }

    @Test func `between rows the cubic is as good as the rows`() {
        for index in 0..<200 {
            let mired = Double(index) * 5 + 2.5
            let between = PlanckianLocus.chromaticity(mired: mired)
            #expect(between.distance(to: Self.body(mired: mired)) < 8e-6, "\(mired) mired")
        }
    }

    @Test func `isotherms are of length 1, across the locus, towards green`() {
        for mired in stride(from: 5.0, through: 995, by: 7) {
            let green = PlanckianLocus.isotherm(mired: mired)
            let before = PlanckianLocus.chromaticity(mired: mired - 0.5)
            let after = PlanckianLocus.chromaticity(mired: mired + 0.5)
            let along = (after.u - before.u) * green.u + (after.v - before.v) * green.v
            #expect(abs(along) < 1e-6 * before.distance(to: after) + 4e-9)
            #expect(abs(green.u * green.u + green.v * green.v - 1) < 1e-12)
            // v grows towards green, but for the coldest bodies, where the locus turns down.
            #expect(green.v > 0)
        }
    }

    @Test func `the exponential is the library's to the last bits`() {
        for power in stride(from: -40.0, through: 40, by: 0.37) {
            #expect(abs(exponential(power) / exp(power) - 1) < 1e-14, "\(power)")
        }
        #expect(exponential(-1_000) == 0)
        #expect(exponential(1_000) == .infinity)
        #expect(exponential(.nan).isNaN)
        #expect(exponential(0) == 1)
    }
}
