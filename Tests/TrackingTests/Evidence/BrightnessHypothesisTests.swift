import Devices
import Foundation
import Testing

@testable import Tracking

/// What one hypothesis learns and expects: exposures in milliseconds, at a gain that nobody has.
struct BrightnessHypothesisTests {
    /// Variance of a scene from frame to frame.
    private static let noise = 1e-4

    private static func values(_ exposure: Double) -> PerGroup<Int64> {
        PerGroup { $0 == .exposure ? Int64(exposure * 1e6) : 1_000_000 }
    }

    /// ln of the product of an exposure.
    private static func product(_ exposure: Double) -> Double {
        log(exposure * 1e6) + log(1e6)
    }

    private static func frame(_ exposure: Double, scene: Int = 0, _ level: Double)
        -> BrightnessFrame
    {
        BrightnessFrame(
            name: 0, claimed: values(exposure), certainty: PerGroup(repeating: .reported),
            scene: scene, level: level)
    }

    /// A camera that has what it should, and was seen with the first exposure.
    private static func seen(
        _ exposure: Double, _ level: Double, isLinear: Bool = true
    ) -> BrightnessHypothesis {
        var one = BrightnessHypothesis(
            logWeight: 0, actual: values(exposure), first: values(exposure), isLinear: isLinear)
        _ = one.see(frame(exposure, level), number: 1, first: values(exposure), noise: noise)
        return one
    }

    @Test func `a large change that brightness does not follow is none that it showed`() {
        for (level, isVisible) in [(-2.0, false), (-2 + log(4), true)] {
            var one = Self.seen(1, -2, isLinear: false)
            one.actual = Self.values(4)
            _ = one.see(
                Self.frame(4, level), number: 2, first: Self.values(1), noise: Self.noise)
            #expect(one.changes[.exposure].large == 1)
            #expect(one.changes[.exposure].visible == (isVisible ? 1 : 0))
        }
    }

    @Test func `what was at full scale is so again, and what is darker is not`() {
        var one = Self.seen(1, -1, isLinear: false)
        one.seeFullScale(0, Self.product(4), 0, 2, Self.noise)
        #expect(one.expectation(Self.product(4), 0, 3, Self.noise).level == 0)
        #expect(one.expectation(Self.product(8), 0, 3, Self.noise).level == 0)
        #expect(one.expectation(Self.product(1), 0, 3, Self.noise).level == -1)
    }

    @Test func `a light that changes nothing is likelier one that does nothing`() {
        func weight(_ level: Double) -> Double {
            var one = Self.seen(1, -2)
            _ = one.see(
                Self.frame(1, scene: 1, level), number: 2, first: Self.values(1), noise: Self.noise)
            return one.logWeight
        }
        // The same brightness, to the noise, is what a light without effect predicts and no other does.
        #expect(weight(-2) > weight(-1) + 1)
        // How bright a light that shines makes a scene nobody knows.
        #expect(abs(weight(-1) - weight(-1.1)) < 0.1)
    }

    @Test(arguments: [7, BrightnessFrame.provisional(7)])
    func `a frame at full scale is weighed by what is measured behind it, also by other cells`(
        key: Int
    ) {
        var one = BrightnessHypothesis(
            logWeight: 0, actual: Self.values(4), first: Self.values(4), isLinear: true)
        one.seeFullScale(key, Self.product(4), nil, 1, Self.noise)
        #expect(one.logWeight == 0)
        one.actual = Self.values(1)
        _ = one.see(
            Self.frame(1, scene: 7, -5), number: 2, first: Self.values(4), noise: Self.noise)
        // With a quarter of the exposure it is at 0.7 % of full scale: it was no scene that reaches it with four times.
        #expect(one.logWeight < -3)
        #expect(one.jumpedAt.count == 1)
    }

    @Test func `an offset of black counts by how unlike a setting is those that were seen`() {
        let one = Self.seen(4, -2)
        func variance(_ exposure: Double, bias: Double) -> Double {
            one.expectation(Self.product(exposure), 0, 2, Self.noise, bias: bias).response.here
        }
        // A quarter of it at half the light, none of it where that was seen.
        #expect(abs(variance(2, bias: 1) - variance(2, bias: 0) - 0.25) < 1e-9)
        #expect(variance(4, bias: 1) == variance(4, bias: 0))
    }
}
