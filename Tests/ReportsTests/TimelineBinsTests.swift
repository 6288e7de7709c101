import TestSupport
import Testing
import Timebase

@testable import Reports

struct TimelineBinsTests {
    @Test func `however long a run is, its columns are bounded and nothing of it is lost`() {
        var random = SeededGenerator(seed: 5)
        var bins = TimelineBins()
        var lumas: [Int64] = []
        for slot in 0..<20_000 as Range<Int64> {
            let luma = Int64.random(in: 0...4_095_000, using: &random)
            lumas.append(luma)
            // A day at a frame every 4.32 s.
            bins.note(Instant(nanoseconds: slot * 4_320_000_000)) { bin in
                bin.frames += 1
                bin.luma = bin.luma.joined(luma...luma)
            }
        }
        #expect(bins.bins.count <= TimelineBins.capacity)
        #expect(bins.bins.reduce(0) { $0 + $1.frames } == 20_000)
        #expect(bins.bins.compactMap { $0.luma?.lowerBound }.min() == lumas.min())
        #expect(bins.bins.compactMap { $0.luma?.upperBound }.max() == lumas.max())
        let overview = bins.overview(columns: 500)
        #expect(overview.bins.count <= 500)
        #expect(overview.bins.reduce(0) { $0 + $1.frames } == 20_000)
    }

    @Test func `what happened before the zero of session time stands in the first column`() {
        var bins = TimelineBins()
        bins.note(Instant(nanoseconds: -5_000_000)) { $0.writes += 1 }
        #expect(bins.bins.count == 1 && bins.bins[0].writes == 1)
    }
}
