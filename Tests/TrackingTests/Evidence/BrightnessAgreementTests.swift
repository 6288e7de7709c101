import Testing
import Timebase
import Tracking

struct BrightnessAgreementTests {
    private func frame(
        _ level: Int64, exposure: Int64, gain: Int64 = 1_000_000, saturated: Int64 = 0
    ) -> BrightnessAgreement.Frame {
        BrightnessAgreement.Frame(
            levelMillionths: level, saturatedMillionths: saturated,
            exposure: .microseconds(exposure), gainMillionths: gain)
    }

    @Test func `light that goes by the settings confirms them`() {
        let before = frame(100_000, exposure: 5_000)
        #expect(BrightnessAgreement(frame(210_000, exposure: 10_000), beside: before) == .confirmed)
        #expect(
            BrightnessAgreement(frame(390_000, exposure: 5_000, gain: 4_000_000), beside: before)
                == .confirmed)
        #expect(BrightnessAgreement(frame(26_000, exposure: 1_250), beside: before) == .confirmed)
    }

    @Test func `light that stays although the settings change contradicts them`() {
        let before = frame(100_000, exposure: 5_000)
        #expect(
            BrightnessAgreement(frame(103_000, exposure: 10_000), beside: before) == .contradicted)
        #expect(
            BrightnessAgreement(frame(96_000, exposure: 2_500), beside: before) == .contradicted)
    }

    @Test func `small changes, a changing scene, the dark and saturation say nothing`() {
        let before = frame(100_000, exposure: 5_000)
        #expect(BrightnessAgreement(frame(100_000, exposure: 6_000), beside: before) == .undecided)
        #expect(BrightnessAgreement(frame(140_000, exposure: 10_000), beside: before) == .undecided)
        #expect(BrightnessAgreement(frame(5_000, exposure: 250), beside: before) == .undecided)
        #expect(
            BrightnessAgreement(frame(200_000, exposure: 10_000, saturated: 50_000), beside: before)
                == .undecided)
        let black = frame(0, exposure: 5_000)
        #expect(BrightnessAgreement(before, beside: black) == .undecided)
    }
}
