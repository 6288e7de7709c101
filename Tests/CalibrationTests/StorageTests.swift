import Calibration
import TestSupport
import Testing
import Timebase

@Suite struct `What a disk can take` {
    /// Writes with stalls, from a seed.
    static func writes(_ random: inout SeededGenerator) -> [Interval] {
        (0..<200).map { _ in
            random.chance(3)
                ? .milliseconds(random.number(50...2_000))
                : .microseconds(random.number(500...3_000))
        }
    }

    /// Whether a pool of buffers loses no frame, told as a queue that is walked through event by event.
    static func survives(
        _ durations: [Interval], buffers: Int64, period: Interval
    ) -> Bool {
        var waiting: Int64 = 0
        var left = Int64(0)
        var next = 0
        var time = Int64(0)
        for frame in 0..<durations.count {
            let arrival = Int64(frame) * period.nanoseconds
            while waiting > 0, time + left <= arrival {
                time += left
                waiting -= 1
                next += 1
                left = waiting > 0 ? durations[next].nanoseconds : 0
            }
            if waiting > 0 { left -= arrival - time }
            time = arrival
            waiting += 1
            if waiting > buffers { return false }
            if waiting == 1 { left = durations[next].nanoseconds }
        }
        return true
    }

    @Test(arguments: 0..<200)
    func `the buffers outlast what was seen, and a stall twice as long as the worst`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let writes = Self.writes(&random)
        let report = StorageReport(writes: writes, bytesPerWrite: 1_000_000)
        let period = Interval.milliseconds(random.number(5...100))
        let need = report.need(bytesPerFrame: 1_000_000, period: period)
        let mean = report.total.nanoseconds / 200
        #expect(need.isSustained == (mean * 10 <= period.nanoseconds * 9), "\(mean) \(period)")
        guard let buffers = need.buffers else { return }
        #expect(Self.survives(writes, buffers: buffers, period: period))
        let stall = Interval(nanoseconds: report.worstStall.nanoseconds * 2)
        let quiet = Array(repeating: Interval.microseconds(100), count: 600)
        #expect(Self.survives([stall] + quiet, buffers: buffers, period: period))
        let waiting = (stall.nanoseconds + period.nanoseconds - 1) / period.nanoseconds
        #expect(!Self.survives([stall] + quiet, buffers: waiting - 1, period: period))
    }

    @Test func `rate, worst stall and histogram are those of the writes`() {
        let report = StorageReport(
            writes: [.microseconds(500), .milliseconds(9), .milliseconds(90), .seconds(5)],
            bytesPerWrite: 10_000_000)
        #expect(report.bytesPerSecond == 7_843_906)
        #expect(report.worstStall == .seconds(5))
        #expect(report.histogram.map(\.count) == [1, 1, 1, 0, 1, 0])
        // SD cards stall for 4 to 7 s; 187 MB/s is beyond them (domain facts).
        let need = report.need(bytesPerFrame: 4_669_440, period: .milliseconds(25))
        #expect(need.bytesPerSecond == 186_777_600)
        #expect(!need.isSustained && need.buffers == nil)
    }
}
