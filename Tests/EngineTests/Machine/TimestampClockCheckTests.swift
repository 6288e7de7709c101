import Records
import TestSupport
import Testing
import Timebase

@testable import Engine

/// Which clock timestamps are of is found out, not believed.
@Suite struct TimestampClockCheckTests {
    private static let second: Int64 = 1_000_000_000
    /// How far each of the host's clocks is ahead of the monotonic one.
    private static let offsets: [Int64] = [
        1_790_000_000 * second, 1_790_000_037 * second, 86_400 * second, -second / 2,
    ]

    private static func clock(
        _ offsets: [Int64] = offsets, at now: Int64 = 0,
        resolution: ClockResolution = .nanosecond
    ) -> TimestampClockCheck {
        var clock = TimestampClockCheck(resolution: resolution)
        for (source, offset) in zip(ClockSource.host, offsets) {
            clock.note(
                ClockSample(
                    before: Instant(nanoseconds: now), ClockTime(source, now + 40 + offset),
                    after: Instant(nanoseconds: now + 90)))
        }
        return clock
    }

    private static func judge(
        _ clock: inout TimestampClockCheck, _ timestamp: Int64, at time: Int64,
        flight: Int64 = 20_000_000
    ) -> TimestampClockCheck.Reading {
        clock.judge(
            Instant(nanoseconds: timestamp), earliest: Instant(nanoseconds: time - 100_000_000),
            taken: Instant(nanoseconds: time + flight))
    }

    @Test func `timestamps of the monotonic clock are left alone`() {
        var clock = Self.clock()
        for number in 1...100 as ClosedRange<Int64> {
            let time = number * 33_333_000
            let reading = Self.judge(&clock, time, at: time)
            #expect(reading.time.nanoseconds == time)
            #expect(reading.clock == .monotonic)
            #expect(!reading.isNews)
        }
    }

    @Test func `timestamps of another clock that advances in steps have them in their bounds`() {
        var fine = Self.clock()
        var coarse = Self.clock(resolution: ClockResolution(.nanoseconds(53)))
        let timestamp = Self.offsets[0] + 5 * Self.second
        let exact = Self.judge(&fine, timestamp, at: 5 * Self.second)
        let reading = Self.judge(&coarse, timestamp, at: 5 * Self.second)
        // Latest two steps later, earliest one step earlier.
        #expect(reading.time == exact.time + .nanoseconds(104))
        #expect(reading.time - reading.doubt == exact.time - exact.doubt - .nanoseconds(52))
    }

    @Test(arguments: [(ClockSource.realtime, 0), (.tai, 1), (.boottime, 2)])
    func `timestamps of another clock are found out at the first frame, and put right`(
        source: ClockSource, place: Int
    ) {
        var clock = Self.clock()
        for number in 1...100 as ClosedRange<Int64> {
            let time = number * 33_333_000
            let reading = Self.judge(&clock, time + Self.offsets[place], at: time)
            #expect(reading.clock == .host(source))
            #expect(reading.isNews == (number == 1))
            #expect(reading.time.nanoseconds >= time)
            #expect((reading.time - reading.doubt).nanoseconds <= time)
            #expect(reading.doubt <= .nanoseconds(100))
        }
    }

    @Test
    func `timestamps that are half a second away are another clock's only if all of them are`() {
        var clock = Self.clock()
        let timestamps = (1...10 as ClosedRange<Int64>).map { 100 * Self.second + $0 * 33_333_000 }
        let found = timestamps.map { Self.judge(&clock, $0 - Self.second / 2, at: $0) }
        #expect(
            found.map(\.clock) == [.monotonic, .monotonic]
                + Array(repeating: .host(.monotonicRaw), count: 8))
        #expect(found.map(\.isNews).count { $0 } == 1)
        for (time, reading) in zip(timestamps, found).dropFirst(2) {
            #expect(reading.time.nanoseconds >= time)
            #expect((reading.time - reading.doubt).nanoseconds <= time)
        }
        // One late timestamp among good ones is a late timestamp.
        var other = Self.clock()
        for time in timestamps {
            let isLate = time == timestamps[4]
            let reading = Self.judge(&other, time - (isLate ? Self.second / 2 : 0), at: time)
            #expect(reading.clock == .monotonic)
        }
    }

    @Test func `a clock that is as near as timestamps may be late is not named`() {
        var clock = Self.clock([0, 0, 0, 50_000_000])
        for number in 1...20 as ClosedRange<Int64> {
            let time = number * 33_333_000
            let reading = Self.judge(&clock, time + 50_000_000, at: time)
            #expect(reading.clock == .monotonic)
            #expect(!reading.isNews)
        }
    }

    @Test func `timestamps that no clock explains are told once, and left alone`() {
        var clock = Self.clock()
        let timestamps = (1...5 as ClosedRange<Int64>).map { $0 * 33_333_000 }
        let found = timestamps.map { Self.judge(&clock, $0 + 7_000_000 * Self.second, at: $0) }
        #expect(found.allSatisfy { $0.clock == .unknown })
        #expect(found.map(\.isNews) == [true, false, false, false, false])
        // One that keeps to its claim again is not doubted for the others.
        #expect(Self.judge(&clock, 200_000_000, at: 200_000_000).clock == .monotonic)
    }

    @Test func `no timestamp, and any number, is no crash`() {
        var random = SeededGenerator(seed: 3)
        var clock = Self.clock()
        #expect(Self.judge(&clock, 0, at: 5).clock == .monotonic)
        for _ in 0..<2_000 {
            let timestamp = Int64(bitPattern: random.next())
            _ = Self.judge(&clock, timestamp, at: random.number(upTo: 1 << 50))
        }
    }

    @Test func `a step of realtime is followed by the next reading`() {
        var clock = Self.clock()
        _ = Self.judge(&clock, 33_333_000 + Self.offsets[0], at: 33_333_000)
        let stepped = Self.offsets[0] + Self.second / 2
        clock.note(
            ClockSample(
                before: Instant(nanoseconds: 60_000_000),
                ClockTime(.realtime, 60_000_040 + stepped),
                after: Instant(nanoseconds: 60_000_090)))
        let reading = Self.judge(&clock, 66_666_000 + stepped, at: 66_666_000)
        #expect(reading.time.nanoseconds - 66_666_000 <= 100)
        #expect(reading.time.nanoseconds >= 66_666_000)
    }
}
