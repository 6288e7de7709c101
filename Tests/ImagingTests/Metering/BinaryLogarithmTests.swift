import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Binary logarithm")
struct BinaryLogarithmTests {
    @Test func `logarithms of quotients are right to the thousandth`() {
        #expect(BinaryLogarithm.thousandths(1, over: 1) == 0)
        #expect(BinaryLogarithm.thousandths(1 << 90, over: 1) == 90_000)
        #expect(BinaryLogarithm.thousandths(1, over: 1 << 90) == -90_000)
        #expect(BinaryLogarithm.thousandths(3, over: 1) == 1_585)
        #expect(BinaryLogarithm.thousandths(1, over: 3) == -1_585)
        var random = SeededGenerator(seed: 41)
        for _ in 0..<2_000 {
            let above = max(random.number(upTo: .max), 1)
            let below = max(random.number(upTo: .max), 1)
            let exact = log2(Double(above) / Double(below)) * 1_000
            let found = BinaryLogarithm.thousandths(Int128(above), over: Int128(below))
            #expect(abs(Double(found) - exact) < 0.5001, "\(above) / \(below)")
        }
    }

    @Test func `powers are right to the millionth`() {
        #expect(BinaryLogarithm.powerMillionths(thousandths: 0) == 1_000_000)
        #expect(BinaryLogarithm.powerMillionths(thousandths: 3_000) == 8_000_000)
        #expect(BinaryLogarithm.powerMillionths(thousandths: -2_000) == 250_000)
        for exponent: Int64 in stride(from: -40_000, through: 40_000, by: 37) {
            let exact = exp2(Double(exponent) / 1_000) * 1e6
            let found = Double(BinaryLogarithm.powerMillionths(thousandths: exponent))
            #expect(abs(found - exact) <= 0.501 + exact * 1e-11, "\(exponent)")
        }
    }

    @Test func `square roots are the largest whole ones`() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<2_000 {
            let number = UInt128(random.next()) << UInt128(random.below(64)) | 1
            let root = BinaryLogarithm.squareRoot(number)
            #expect(root * root <= number && (root + 1) * (root + 1) > number)
        }
        #expect(BinaryLogarithm.squareRoot(0) == 0)
    }
}
