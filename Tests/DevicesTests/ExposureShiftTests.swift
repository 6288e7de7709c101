import Devices
import Testing
import Timebase

struct ExposureShiftTests {
    private func shift(_ twelfths: Int64) throws -> ExposureShift {
        try #require(ExposureShift(twelfths: twelfths))
    }

    @Test func `whole stops double and halve`() throws {
        for stops in Int64(-8)...8 {
            let shifted = try shift(stops * 12).applied(to: .nanoseconds(256_000_000))
            let exact: Int64 = stops >= 0 ? 256_000_000 << stops : 256_000_000 >> -stops
            #expect(shifted == Interval(nanoseconds: exact))
        }
    }

    @Test func `twelve twelfths of a part are that part twelve times`() throws {
        // The twelfth power of what a shift does is 2 to the number of its twelfths: checked in whole numbers.
        for twelfths in Int64(-95)...95 {
            let base: Int64 = 1_000_000_000
            let shifted = try shift(twelfths).applied(to: .nanoseconds(base)).nanoseconds
            func power(_ value: Int64) -> Double {
                (0..<12).reduce(1.0) { product, _ in product * (Double(value) / Double(base)) }
            }
            let wanted =
                twelfths >= 0
                ? Double(sign: .plus, exponent: Int(twelfths), significand: 1)
                : 1 / Double(sign: .plus, exponent: Int(-twelfths), significand: 1)
            #expect(power(shifted - 1) < wanted && wanted < power(shifted + 1), "\(twelfths)")
        }
    }

    @Test func `one third of a stop is 1.2599 times the light`() throws {
        #expect(try shift(4).applied(to: .seconds(1)) == .nanoseconds(1_259_921_050))
        #expect(try shift(-4).applied(to: .seconds(1)) == .nanoseconds(793_700_526))
        #expect(try shift(6).applied(to: .seconds(1)) == .nanoseconds(1_414_213_562))
    }

    @Test func `shifts are told in lowest terms and end at eight stops`() throws {
        let texts = try [-24, 4, 6, -3, 0, 16, 1].map { try shift($0).description }
        #expect(texts == ["-2 EV", "1/3 EV", "1/2 EV", "-1/4 EV", "0 EV", "4/3 EV", "1/12 EV"])
        #expect(ExposureShift(twelfths: 97) == nil)
        #expect(ExposureShift(twelfths: -97) == nil)
    }
}
