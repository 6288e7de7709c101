import Cameras
import Testing
import Timebase

@testable import Engine

/// The timeline of a stream by itself.
struct StreamClockTests {
    private static let exact = TimestampModel(
        point: .startOfReadout, lateness: .zero, readout: .zero)

    private func frame(_ sequence: UInt32, _ milliseconds: Int64) -> StreamClock.Candidate {
        StreamClock.Candidate(
            sequence: sequence, stamp: Instant(nanoseconds: milliseconds * 1_000_000))
    }

    @Test func `before the first frame nothing is known`() {
        let clock = StreamClock(model: Self.exact, nominalPeriod: nil)
        #expect(clock.period == nil)
        #expect(clock.stamp(framesAhead: 1) == nil)
    }

    @Test func `a promised rate is known before any frame`() {
        let clock = StreamClock(model: Self.exact, nominalPeriod: .milliseconds(10))
        #expect(clock.period == .milliseconds(10))
    }

    @Test func `the mean of the stamps is the period where none is promised`() {
        var clock = StreamClock(model: Self.exact, nominalPeriod: nil)
        #expect(clock.advance(to: frame(0, 0)) == StreamClock.Gap())
        #expect(clock.period == nil)
        #expect(clock.advance(to: frame(1, 11)) == StreamClock.Gap())
        #expect(clock.advance(to: frame(4, 40)) == StreamClock.Gap(bySequence: 2))
        #expect(clock.period == .milliseconds(10))
        #expect(clock.stamp(framesAhead: 2) == Instant(nanoseconds: 60_000_000))
    }

    @Test(arguments: [(17, 0), (18, 1), (24, 1), (26, 2), (40, 3), (47, 4)] as [(Int64, Int64)])
    func `spaces are frames only where they are far too long`(_ span: Int64, _ missing: Int64) {
        var clock = StreamClock(model: Self.exact, nominalPeriod: .milliseconds(10))
        _ = clock.advance(to: frame(5, 100))
        #expect(clock.advance(to: frame(6, 100 + span)).bySpacing == missing)
    }

    @Test func `gaps up to the largest one are believed`() {
        for (step, isJump): (UInt32, Bool) in [
            (StreamClock.largestGap, false), (StreamClock.largestGap + 1, true), (0, true),
            (.max, true), (.max / 2, true),
        ] {
            var clock = StreamClock(model: Self.exact, nominalPeriod: nil)
            _ = clock.advance(to: frame(77, 0))
            let gap = clock.advance(to: frame(77 &+ step, 50))
            #expect(gap.isJump == isJump)
            #expect(gap.bySequence == (isJump ? 0 : Int64(step) - 1))
        }
    }

    @Test func `a jump forgets the mean of before`() {
        var clock = StreamClock(model: Self.exact, nominalPeriod: nil)
        _ = clock.advance(to: frame(100, 0))
        _ = clock.advance(to: frame(101, 10))
        _ = clock.advance(to: frame(0, 15))
        #expect(clock.period == nil)
        _ = clock.advance(to: frame(1, 35))
        #expect(clock.period == .milliseconds(20))
    }

    @Test func `a readout begins between the stamp's lateness before it and a microsecond after`()
        throws
    {
        let stamp = Instant<Monotonic>(nanoseconds: 100_000_000)
        let late = TimestampModel(
            point: .startOfReadout, lateness: .milliseconds(3), readout: .milliseconds(5))
        let clock = StreamClock(model: late, nominalPeriod: nil)
        let readout = try #require(clock.readoutStart(of: stamp))
        #expect(readout.earliest == Instant(nanoseconds: 97_000_000))
        #expect(readout.latest == Instant(nanoseconds: 100_001_000))
        var end = late
        end.point = .endOfReadout
        let ended = try #require(
            StreamClock(model: end, nominalPeriod: nil).readoutStart(of: stamp))
        #expect(ended.earliest == Instant(nanoseconds: 92_000_000))
        #expect(ended.latest == Instant(nanoseconds: 95_001_000))
    }

    @Test func `a readout of unknown length begins up to a period before its end`() throws {
        let stamp = Instant<Monotonic>(nanoseconds: 100_000_000)
        let model = TimestampModel(point: .endOfReadout, lateness: .zero, readout: nil)
        let clock = StreamClock(model: model, nominalPeriod: .milliseconds(10))
        let readout = try #require(clock.readoutStart(of: stamp))
        #expect(readout.earliest == Instant(nanoseconds: 90_000_000))
        #expect(readout.latest == Instant(nanoseconds: 100_001_000))
        #expect(StreamClock(model: model, nominalPeriod: nil).readoutStart(of: stamp) == nil)
    }
}
