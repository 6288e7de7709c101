import Devices
import Testing

@testable import Engine

/// When a difference between what was believed and what was found is news.
struct ContradictedSettingsTests {
    @Test func `a difference is told once, and again after a frame that agreed`() {
        var contradicted = ContradictedSettings()
        let found: [Int64] = [8, 9, 9, 8, 9, 7, 7, 8, 8]
        let news = found.map { contradicted.note(.exposure, believed: 8, found: $0) }
        #expect(news == [false, true, false, false, true, true, false, false, false])
    }

    @Test func `each group has its own, and another belief is another difference`() {
        var contradicted = ContradictedSettings()
        let exposure = contradicted.note(.exposure, believed: 8, found: 9)
        let gain = contradicted.note(.gain, believed: 8, found: 9)
        let again = contradicted.note(.exposure, believed: 7, found: 9)
        #expect(exposure && gain && again)
    }
}
