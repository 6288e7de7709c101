import Testing
import Timebase

@testable import LinuxDevices

/// What drivers of PTP hardware clocks answer, played.
@Suite struct PTPReadingTests {
    /// Realtime is this far ahead of the monotonic clock.
    private static let ahead: Int64 = 1_790_000_000_000_000_000

    private static func sandwich(
        _ before: Int64, _ after: Int64, ahead: Int64 = ahead
    ) -> ClockSample {
        ClockSample(
            before: Instant(nanoseconds: before),
            ClockTime(.realtime, (before + after) / 2 + ahead), after: Instant(nanoseconds: after))
    }

    @Test func `the narrowest sandwich of an answer counts, and no impossible one`() {
        let times: [Int64] = [100, 7, 200, 300, 8, 340, 400, 9, 390, 500, 10, 545]
        #expect(
            PTPReading.narrowest(times, host: .realtime)
                == .between(.realtime, before: 300, clock: 8, after: 340))
        #expect(PTPReading.narrowest([100, 7, 90], host: .realtime) == nil)
        #expect(PTPReading.narrowest([], host: .realtime) == nil)
        #expect(PTPReading.narrowest([100, 7], host: .realtime) == nil)
    }

    @Test func `a kernel that reads the monotonic clock itself needs no way back`() {
        let reading = PTPReading.between(.monotonic, before: 1_000, clock: 77, after: 1_400)
        #expect(
            reading.sample(.planned(0), first: nil, second: nil)
                == ClockSample(
                    before: Instant(nanoseconds: 1_000), ClockTime(.planned(0), 77),
                    after: Instant(nanoseconds: 1_400)))
    }

    @Test(arguments: [0, 10, 35, 50])
    func `the way back through realtime keeps the truth inside`(skew: Int64) throws {
        // The truth: the hardware clock shows 77 at 2,200 of the monotonic clock.
        let reading = PTPReading.between(
            .realtime, before: 2_000 + Self.ahead, clock: 77, after: 2_400 + Self.ahead)
        // Realtime is not read in the middle of its sandwich, but somewhere in it.
        var first = Self.sandwich(1_000, 1_100)
        first.time = ClockTime(first.clock, first.time.count + skew)
        var second = Self.sandwich(3_000, 3_100)
        second.time = ClockTime(second.clock, second.time.count - skew)
        let sample = try #require(reading.sample(.planned(0), first: first, second: second))
        #expect(sample.time.count == 77)
        #expect(sample.before.nanoseconds <= 2_000)
        #expect(sample.after.nanoseconds >= 2_400)
        #expect(sample.width.nanoseconds <= 400 + 200 + 2 * skew + 2)
    }

    @Test func `the way back allows for the steps of the host's clocks`() throws {
        let reading = PTPReading.between(
            .realtime, before: 2_000 + Self.ahead, clock: 77, after: 2_400 + Self.ahead)
        func sample(_ resolution: ClockResolution) throws -> ClockSample {
            try #require(
                reading.sample(
                    .planned(0), first: Self.sandwich(1_000, 1_100),
                    second: Self.sandwich(3_000, 3_100), resolution: resolution))
        }
        let (fine, coarse) = (try sample(.nanosecond), try sample(.init(.nanoseconds(53))))
        #expect(coarse.before == fine.before - .nanoseconds(52))
        #expect(coarse.after == fine.after + .nanoseconds(52))
    }

    @Test func `a reading during which realtime was stepped is worth nothing`() {
        let reading = PTPReading.between(
            .realtime, before: 2_000 + Self.ahead, clock: 77, after: 2_400 + Self.ahead)
        let first = Self.sandwich(1_000, 1_100)
        let second = Self.sandwich(3_000, 3_100, ahead: Self.ahead + 1_000)
        #expect(reading.sample(.planned(0), first: first, second: second) == nil)
        #expect(reading.sample(.planned(0), first: first, second: nil) == nil)
    }

    @Test func `what the hardware latches at once is as wide as the way back`() throws {
        let reading = PTPReading.simultaneous(.monotonicRaw, host: 2_200 - 500, clock: 77)
        func raw(_ before: Int64) -> ClockSample {
            ClockSample(
                before: Instant(nanoseconds: before), ClockTime(.monotonicRaw, before + 20 - 500),
                after: Instant(nanoseconds: before + 40))
        }
        let sample = try #require(
            reading.sample(.planned(1), first: raw(1_000), second: raw(3_000)))
        #expect(sample.before.nanoseconds <= 2_200)
        #expect(sample.after.nanoseconds >= 2_200)
        #expect(sample.width.nanoseconds <= 42)
    }
}
