import Testing

@testable import Timebase

struct ClockReadingTests {
    private typealias Reading = ClockReading<Monotonic, DeviceClock>

    private static func host(_ nanoseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: nanoseconds)
    }

    private static func device(_ nanoseconds: Int64) -> Instant<DeviceClock> {
        Instant(nanoseconds: nanoseconds)
    }

    @Test func `a sandwich says what the clock had not passed before, and had reached afterwards`()
        throws
    {
        let reading = try #require(
            Reading(before: Self.host(10), reading: Self.device(700), after: Self.host(30)))
        // It showed 700, so it was anything below 701; and the host's 30 lasted until 31.
        #expect(reading.ceiling == .init(Self.host(10), Self.device(701)))
        #expect(reading.floor == .init(Self.host(31), Self.device(700)))
    }

    @Test func `a device that counts microseconds is known to a microsecond`() throws {
        let reading = try #require(
            Reading(
                before: Self.host(10), reading: Self.device(7_000), after: Self.host(30),
                resolution: .microseconds(1)))
        #expect(reading.ceiling?.to == Self.device(8_000))
        #expect(reading.floor?.to == Self.device(7_000))
    }

    @Test func `the other way round, the first clock lies between two readings of the second`()
        throws
    {
        let reading = try #require(
            Reading(reading: Self.host(10), after: Self.device(700), before: Self.device(720)))
        #expect(reading.ceiling == .init(Self.host(10), Self.device(721)))
        #expect(reading.floor == .init(Self.host(11), Self.device(700)))
        let same = try #require(
            ClockReading<DeviceClock, Monotonic>(
                before: Self.device(700), reading: Self.host(10), after: Self.device(720)))
        #expect(same.reversed == reading)
    }

    @Test func `a timestamp that comes late has a ceiling alone, unless it is known how late`()
        throws
    {
        let late = try #require(
            ClockReading<DeviceClock, Monotonic>(timestamp: Self.device(5), arrival: Self.host(90)))
        #expect(late.ceiling == .init(Self.device(5), Self.host(91)))
        #expect(late.floor == nil)
        let bounded = try #require(
            ClockReading<DeviceClock, Monotonic>(
                timestamp: Self.device(5), arrival: Self.host(90), longestDelay: .nanoseconds(40)))
        #expect(bounded.floor == .init(Self.device(6), Self.host(50)))
    }

    @Test func `readings that can't be are none`() {
        #expect(Reading(before: Self.host(2), reading: Self.device(0), after: Self.host(1)) == nil)
        #expect(
            Reading(before: Self.host(1), reading: Self.device(.max), after: Self.host(2)) == nil)
        #expect(
            Reading(before: Self.host(1), reading: Self.device(1), after: Self.host(.max)) == nil)
        #expect(
            ClockReading<DeviceClock, Monotonic>(
                timestamp: Self.device(0), arrival: Self.host(.min), longestDelay: .seconds(1))
                == nil)
        #expect(
            ClockReading<DeviceClock, Monotonic>(
                timestamp: Self.device(0), arrival: Self.host(0), longestDelay: .nanoseconds(-1))
                == nil)
    }
}
