import Testing

@testable import Tracking

/// A period that slowly shows to be another than the registers say.
struct PhaseDriftTests {
    @Test(arguments: [-50_000, 50_000] as [Int64])
    func `the period that is found is the one that frames have`(_ excess: Int64) throws {
        var drift = PhaseDrift(period: 10_000_000, delay: 0)
        let period = 10_000_000 + excess
        let found = (0..<400).compactMap { drift.observe(Int64($0) * period, frames: 1) }
        let first = try #require(found.first)
        #expect(abs(first - period) <= 1)
    }

    @Test func `two timestamps that are late by most of a period are no frame that was lost`() {
        var drift = PhaseDrift(period: 10_000_000, delay: 400_000)
        // Each pair a little less, as if the one before had moved the phase.
        let late: [Int: Int64] = [
            12: 7_800_000, 13: 7_800_000, 37: 7_000_000, 38: 7_000_000, 62: 6_200_000,
            63: 6_200_000, 87: 5_400_000, 88: 5_400_000,
        ]
        let found = (0..<400).compactMap {
            drift.observe(Int64($0) * 10_000_000 + late[$0, default: 0], frames: 1)
        }
        #expect(found.isEmpty)
    }

    @Test func `a period that is as said is never found to be another`() {
        var drift = PhaseDrift(period: 10_000_000, delay: 0)
        #expect(!(0..<400).contains { drift.observe(Int64($0) * 10_000_000, frames: 1) != nil })
    }
}
