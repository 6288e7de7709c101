import Devices
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Engine

/// When frames were captured, by the camera's own clock.
@Suite struct CameraClockTests {
    private static let rate: Int64 = 48_000_000
    private static let delay = Interval.milliseconds(2)

    /// A camera whose clock runs at a rate and whose readings come late.
    private struct Camera {
        var fastPartsPerMillion: Int64
        var random: SeededGenerator
        var steppedBy: Int64 = 0

        func ticks(_ time: Int64) -> Int64 {
            (time + time / 1_000_000 * fastPartsPerMillion) / 1_000 * 48 + steppedBy
        }

        /// The timestamp of a frame that was captured at a time, and when its reading came.
        mutating func frame(_ time: Int64) -> (CameraTimestamp, Instant<Monotonic>) {
            let read = time + random.number(0...1_000) * 1_000
            let arrival = read + random.number(120...1_900) * 1_000
            let timestamp = CameraTimestamp(
                capture: ticks(time), reading: ticks(read), arrival: Instant(nanoseconds: arrival))
            return (timestamp, timestamp.arrival)
        }
    }

    private static func clock() -> CameraClock {
        CameraClock(
            CameraClockModel(
                source: .packetHeaders, point: .startOfReadout, delay: Self.delay),
            ticksPerSecond: rate)
    }

    @Test func `a clock that jumps now and then is followed after each of its jumps`() throws {
        var camera = Camera(fastPartsPerMillion: 20, random: SeededGenerator(seed: 7))
        var clock = Self.clock()
        var jumps = 0
        for number in 0..<600 as Range<Int64> {
            if number % 30 == 29 { camera.steppedBy += 10 * Self.rate }
            let time = 5_000_000_000 + number * 33_333_000
            let (timestamp, arrival) = camera.frame(time)
            let finding = clock.observe(timestamp, arrival: arrival)
            jumps += finding.hasStepped ? 1 : 0
            let capture = try #require(finding.capture, "frame \(number)")
            #expect(capture.earliest.nanoseconds <= time + 1_000)
            #expect(capture.latest.nanoseconds >= time - 1_000)
        }
        #expect(jumps == 20)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the truth is always within, and better known than by one reading`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var camera = Camera(
            fastPartsPerMillion: random.number(-300...300), random: SeededGenerator(seed: seed + 1))
        var clock = Self.clock()
        var widths: [Int64] = []
        for number in 0..<300 as Range<Int64> {
            let time = 5_000_000_000 + number * 33_333_000
            let (timestamp, arrival) = camera.frame(time)
            let finding = clock.observe(timestamp, arrival: arrival)
            #expect(!finding.hasStepped)
            let capture = try #require(finding.capture)
            #expect(capture.earliest.nanoseconds <= time + 1_000)
            #expect(capture.latest.nanoseconds >= time - 1_000)
            widths.append((capture.latest - capture.earliest).nanoseconds)
        }
        #expect(widths.last ?? 0 < 500_000)
        #expect(widths.allSatisfy { $0 <= Self.delay.nanoseconds + 10_000 })
    }

    @Test func `a reading a second is recorded`() {
        var camera = Camera(fastPartsPerMillion: 50, random: SeededGenerator(seed: 1))
        var clock = Self.clock()
        var samples: [ClockSample] = []
        for number in 0..<300 as Range<Int64> {
            let (timestamp, arrival) = camera.frame(5_000_000_000 + number * 33_333_000)
            if let sample = clock.observe(timestamp, arrival: arrival).sample {
                samples.append(sample)
            }
        }
        #expect((9...11).contains(samples.count))
        #expect(samples.allSatisfy { $0.clock == .camera && $0.width == Self.delay })
    }

    @Test func `a clock that starts anew is noticed, and related anew`() throws {
        var camera = Camera(fastPartsPerMillion: 50, random: SeededGenerator(seed: 1))
        var clock = Self.clock()
        var stepped: [Int64] = []
        for number in 0..<100 as Range<Int64> {
            if number == 50 { camera.steppedBy = -1_000_000_000 }
            let time = 5_000_000_000 + number * 33_333_000
            let (timestamp, arrival) = camera.frame(time)
            let finding = clock.observe(timestamp, arrival: arrival)
            if finding.hasStepped { stepped.append(number) }
            let capture = try #require(finding.capture)
            #expect(capture.earliest.nanoseconds <= time + 1_000)
            #expect(capture.latest.nanoseconds >= time - 1_000)
        }
        #expect(stepped == [50])
    }

    @Test func `a clock that tells nonsense is given up after some frames`() {
        var random = SeededGenerator(seed: 4)
        var clock = Self.clock()
        var steps = 0
        for number in 0..<200 as Range<Int64> {
            let timestamp = CameraTimestamp(
                capture: Int64(bitPattern: random.next()), reading: random.number(0...1 << 60),
                arrival: Instant(nanoseconds: 5_000_000_000 + number * 33_333_000))
            if clock.observe(timestamp, arrival: timestamp.arrival).hasStepped { steps += 1 }
        }
        #expect(steps <= 50)
    }
}
