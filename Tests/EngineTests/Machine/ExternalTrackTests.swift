import Devices
import Testing
import Timebase
import Tracking

@testable import Engine

/// A setting that somebody else changed, beside what the run writes.
struct ExternalTrackTests {
    private static func time(_ milliseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// What a frame had once write 3 shows, which read 9 back after somebody had set 7.
    private static func value(changedAt change: Int64, writtenFrom begun: Int64) -> Int64? {
        var track = ExternalTrack()
        track.note(ExternalChange(value: 7, first: nil), at: time(change), after: 3)
        track.noteReading(9, of: 3, begun: time(begun), ended: time(20))
        let clock = StreamClock(
            model: .init(point: .startOfReadout, delay: .zero, readout: .zero), nominalPeriod: nil)
        track.observe(clock, isCounted: true, shown: 3)
        return track.value(9)
    }

    @Test func `a change while a write was under way is undone by what was read back after it`() {
        #expect(Self.value(changedAt: 12, writtenFrom: 10) == 9)
    }

    @Test func `a reading says nothing of a change from before its write`() {
        #expect(Self.value(changedAt: 8, writtenFrom: 10) == 7)
    }

    @Test(arguments: [true, false])
    func `a change explains a value as long as it is known where it may show first`(
        isCounted: Bool
    ) {
        var track = ExternalTrack()
        track.note(ExternalChange(value: 7, first: 0, sure: 3), at: Self.time(5), after: 3)
        let clock = StreamClock(
            model: .init(point: .startOfReadout, delay: .zero, readout: .zero), nominalPeriod: nil)
        track.observe(clock, isCounted: isCounted, shown: 3)
        #expect(track.isHidden)
        #expect(track.explains(7) == isCounted)
        #expect(!track.explains(9))
    }
}
