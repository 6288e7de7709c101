import Testing
import Timebase

@testable import Reports

struct MeasureTests {
    @Test(arguments: [
        (0, "0 ns"), (7, "7 ns"), (-333, "-333 ns"), (8_333, "8.333 us"), (33_333_333, "33.33 ms"),
        (999_960_000, "1000 ms"), (1_234_567_890, "1.235 s"), (86_400_000_000_000, "86400 s"),
        (-1_500_000, "-1.5 ms"),
    ])
    func `times have four digits and the largest unit`(nanoseconds: Int, text: String) {
        #expect(Measure.time.text(Int64(nanoseconds)) == text)
    }

    @Test func `moments and shares are rounded the same everywhere`() {
        #expect(Measure.moment(Instant(nanoseconds: 12_345_999_999)) == "12.345 s")
        #expect(Measure.moment(Instant(nanoseconds: -7_000_000)) == "-0.007 s")
        #expect(Measure.percent(98_987, of: 100_000) == "98.987 %")
        #expect(Measure.percent(1, of: 3) == "33.333 %")
        #expect(Measure.percent(0, of: 0) == "-")
    }

    @Test(arguments: [(0, 1), (1, 1), (3, 5), (6, 10), (11, 20), (1_000, 1_000), (1_001, 2_000)])
    func `ticks are round`(least: Int, step: Int) {
        #expect(PlotArea.roundStep(Int64(least)) == Int64(step))
    }
}
