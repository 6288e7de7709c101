import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// A raw sensor whose driver counts more frames than its timestamps leave time for.
struct EarlyTimestampTests {
    private static let period = Interval.microseconds(11_111)

    /// Twelve frames in time, then one whose number, place and timestamp are so many further on.
    private static func last(number: Int64, place: Int64, timestamped: Int64) throws -> (
        gap: FrameGap, readout: ObservedFrame.Readout, truth: Instant<Monotonic>
    ) {
        let model = TimestampModel(
            point: .startOfReadout, delay: .microseconds(76), readout: .zero)
        var clock = StreamClock(model: model, nominalPeriod: nil, registerPeriod: period)
        var emptyAt: Instant<Monotonic>?
        func truth(_ place: Int64) -> Instant<Monotonic> {
            Instant(nanoseconds: 1_000_000_000_000) + period * place
        }
        func advance(_ number: Int64, _ place: Int64, _ timestamped: Int64) -> FrameGap {
            let takenAt = truth(place) + .milliseconds(9)
            defer { emptyAt = takenAt }
            return clock.advance(
                to: FrameArrival(
                    sequence: UInt32(number), timestamp: truth(timestamped), takenAt: takenAt,
                    notBefore: emptyAt))
        }
        for place in 0..<Int64(12) { _ = advance(place, place, place) }
        let gap = advance(11 + number, 11 + place, 11 + timestamped)
        let readout = try #require(clock.last.flatMap { clock.readoutStart(of: $0) })
        return (gap, readout, truth(11 + place))
    }

    /// Of timestamps that are all late by something else, the earlier ones are the better ones.
    @Test func `while nobody knows when frames begin, none is too early for its number`() {
        var clock = StreamClock(
            model: TimestampModel(
                point: .startOfReadout, delay: .microseconds(76), readout: .zero),
            nominalPeriod: nil, registerPeriod: Self.period)
        var emptyAt: Instant<Monotonic>?
        var doubts: [TimestampDefect?] = []
        for place in Int64(0)..<80 {
            let begin = Instant<Monotonic>(nanoseconds: 1_000_000_000_000) + Self.period * place
            let late = Interval.microseconds(place * 7_919 % 101 * 100)
            let arrival = FrameArrival(
                sequence: UInt32(place), timestamp: begin + late,
                takenAt: begin + late + .microseconds(500), notBefore: emptyAt)
            emptyAt = arrival.takenAt
            doubts.append(clock.advance(to: arrival).doubt)
        }
        #expect(!doubts.contains(.disputed))
    }

    @Test func `a timestamp that repeats that of a frame lost before is no time of its own`() throws
    {
        let frame = try Self.last(number: 83, place: 83, timestamped: 65)
        #expect(frame.gap.isDisputed)
        #expect(frame.gap.doubt == .disputed)
        #expect(frame.readout.earliest <= frame.truth && frame.truth <= frame.readout.latest)
    }

    @Test func `a timestamp as long ago as others is believed, whatever the driver counts`() throws
    {
        let frame = try Self.last(number: 83, place: 3, timestamped: 3)
        #expect(frame.gap.isDisputed)
        #expect(frame.gap.doubt == nil)
        #expect(frame.readout.earliest <= frame.truth && frame.truth <= frame.readout.latest)
    }
}
