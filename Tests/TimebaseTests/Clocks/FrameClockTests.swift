import TestSupport
import Testing
import Timebase

struct FrameClockTests {
    /// A camera of 33.366,700,1 ms whose timestamps are up to 40 µs late, and rarely milliseconds.
    private static func stream(
        _ random: inout SeededGenerator, lostPercent: Int64 = 5, latePercent: Int64 = 2
    ) -> (frames: [FrameClock.Frame], truth: [Int64: Int64]) {
        var frames: [FrameClock.Frame] = []
        var truth: [Int64: Int64] = [:]
        for number: Int64 in 0..<600 {
            let time = 5_000_000_000 + number * 333_667_001 / 10
            truth[number] = time
            if random.chance(lostPercent) { continue }
            let delay =
                random.chance(latePercent)
                ? random.number(100_000...9_000_000) : random.number(0...40_000)
            frames.append(
                .init(sequence: number + 7, timestamp: Instant(nanoseconds: time + delay)))
        }
        return (frames, truth)
    }

    @Test func `late timestamps, lost frames and outliers do not hide when frames really were`()
        throws
    {
        var random = SeededGenerator(seed: 21)
        let (frames, truth) = Self.stream(&random)
        let clock = try #require(FrameClock(frames, delay: .microseconds(40)))
        var widths: [Int64] = []
        for (number, time) in truth {
            guard let found = clock.time(of: number + 7) else {
                // Frames before the first and after the last are not known.
                #expect(number < 5 || number > 595)
                continue
            }
            #expect(
                (found.instant.nanoseconds - time).magnitude
                    <= found.halfWidth.nanoseconds.magnitude, "\(number)")
            widths.append(found.halfWidth.nanoseconds)
        }
        // Alone each timestamp says ±20 µs.
        #expect(widths.sorted()[widths.count / 2] < 3_000)
        #expect(clock.outliers > 3)
        #expect(clock.outliers < 30)
        let period = try #require(clock.periodFemtoseconds)
        #expect(period.contains(33_366_700_100_000))
        #expect(period.upperBound - period.lowerBound < 1_000_000_000)
    }

    @Test func `a count of arrivals instead of the camera's numbers would bend the clock`() throws {
        var random = SeededGenerator(seed: 22)
        let (frames, _) = Self.stream(&random)
        let counted = frames.enumerated().map {
            FrameClock.Frame(sequence: Int64($0), timestamp: $1.timestamp)
        }
        let clock = FrameClock(counted, delay: .microseconds(40))
        #expect(clock?.periodFemtoseconds?.contains(33_366_700_100_000) != true)
    }

    @Test func `too few frames, and frames out of order, make no clock`() {
        func frame(_ sequence: Int64, _ timestamp: Int64) -> FrameClock.Frame {
            .init(sequence: sequence, timestamp: Instant(nanoseconds: timestamp))
        }
        #expect(FrameClock([], delay: .zero) == nil)
        #expect(FrameClock([frame(0, 0), frame(1, 1_000)], delay: .zero) == nil)
        #expect(
            FrameClock([frame(9, 0), frame(8, 1_000), frame(7, 2_000)], delay: .zero) == nil)
        #expect(
            FrameClock([frame(.min, .min), frame(0, 0), frame(.max, .max)], delay: .zero) == nil)
    }
}
