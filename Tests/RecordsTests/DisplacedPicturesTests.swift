import Devices
import Testing
import Timebase
import Tracking

@testable import Records

/// Frames that a receiver completed with the picture of a later one.
struct DisplacedPicturesTests {
    private static let (period, readout) = (Interval.milliseconds(25), Interval.milliseconds(20))

    /// The middle of a frame's readout, where its centre's exposure ends; slots are 33.333 ms apart.
    private static func complete(_ row: LedgerRow, periodsLate: Int64) -> Instant<Session> {
        let end = row.exposureTime?.end ?? Instant(nanoseconds: 0)
        return end + readout / 2 + .microseconds(100) + period * periodsLate
    }

    private static func gap(before: UInt32, counted: Int64, most: Int64) -> RunEvent {
        .sequenceTimestampMismatch(
            before: before, bySequence: counted, fewest: most, most: most, bySlot: nil)
    }

    private static func judged(
        periodsLate: Int64, _ events: RunEvent...
    ) -> LedgerRow? {
        var displaced = DisplacedPictures(period: period, readout: readout)
        var row = Sample.row(7)
        for event in events { displaced.note(event) }
        guard displaced.isBeforeGap(row),
            displaced.isLate(row, at: complete(row, periodsLate: periodsLate))
        else { return nil }
        displaced.leaveOutUnknown(&row)
        return row
    }

    @Test
    func
        `a frame that was complete a period late, before a gap nobody counted, says nothing of its settings`()
        throws
    {
        let row = try #require(
            Self.judged(periodsLate: 1, Self.gap(before: 8, counted: 0, most: 1)))
        #expect(row.applied.exposure == nil && row.applied.gainMillionths == nil)
        let before = try #require(Sample.row(7).exposureTime)
        let after = try #require(row.exposureTime)
        // It may be its own picture, or that of the next frame with any exposure.
        for shift in [Interval.zero, Self.period] {
            #expect(
                (after.end - (before.end + shift)).nanoseconds.magnitude
                    <= after.halfWidth.nanoseconds.magnitude)
            for exposure in [Interval.zero, Self.period] {
                let start = before.end + shift - exposure
                #expect(
                    (after.start - start).nanoseconds.magnitude
                        <= after.halfWidth.nanoseconds.magnitude)
            }
        }
    }

    /// What is left of a row of a camera without registers, by what happens behind it.
    private static func stale(
        lateBy: Interval = .milliseconds(33), _ note: (inout DisplacedPictures, LedgerRow) -> Void
    ) throws -> Bool {
        var displaced = DisplacedPictures(period: nil, readout: .zero)
        var row = Sample.row(7)
        row.lateBy = lateBy
        note(&displaced, row)
        guard displaced.isBeforeGap(row), displaced.isLate(row, at: Instant(nanoseconds: 0)) else {
            return false
        }
        let before = try #require(row.exposureTime)
        displaced.leaveOutUnknown(&row)
        let after = try #require(row.exposureTime)
        #expect(row.applied.exposure == nil && row.applied.gainMillionths == nil)
        for shift in [Interval.zero, lateBy] {
            #expect(
                abs((after.end - before.end - shift).nanoseconds) <= after.halfWidth.nanoseconds)
        }
        return true
    }

    @Test
    func
        `a frame that came a period late, and behind which a loss shows, has no timestamp of its own`()
        throws
    {
        func missing(_ count: Int64, before: UInt32, _ reason: HoleReason) -> RunEvent {
            .framesMissing(count: count, before: before, reason: reason)
        }
        #expect(
            try Self.stale { displaced, _ in displaced.note(missing(1, before: 8, .droppedByDevice))
            })
        #expect(
            try Self.stale { displaced, _ in displaced.note(missing(1, before: 8, .uncertain)) })
        // The numbers of lost frames lie before those that have none.
        #expect(
            try Self.stale { displaced, _ in
                displaced.note(missing(2, before: 10, .hostStalled))
                displaced.note(missing(1, before: 11, .droppedByDriver))
                displaced.note(missing(1, before: 11, .droppedByDevice))
            })
        #expect(
            try Self.stale { displaced, row in
                var next = row
                next.deviceSequence = 8
                displaced.note(next, after: row)
            })
        #expect(
            try Self.stale { displaced, _ in
                displaced.note(.timestampInvalid(count: 3, from: 8, why: .repeated))
            })
    }

    @Test func `a host that was late, or a loss elsewhere, is no reason to doubt a timestamp`()
        throws
    {
        func missing(_ count: Int64, before: UInt32, _ reason: HoleReason) -> RunEvent {
            .framesMissing(count: count, before: before, reason: reason)
        }
        #expect(try !Self.stale { _, _ in })
        #expect(
            try !Self.stale { displaced, _ in displaced.note(missing(1, before: 8, .hostStalled)) })
        #expect(
            try !Self.stale { displaced, _ in
                displaced.note(missing(1, before: 9, .droppedByDevice))
            })
        #expect(
            try !Self.stale(lateBy: .zero) { displaced, _ in
                displaced.note(missing(1, before: 8, .droppedByDevice))
            })
        #expect(
            try !Self.stale { displaced, row in
                var next = row
                next.deviceSequence = 8
                next.rawTimestamp = row.rawTimestamp.map { $0 + .milliseconds(33) }
                displaced.note(next, after: row)
            })
    }

    @Test func `frames that the sequence counts, or that lie elsewhere, are no reason`() {
        #expect(Self.judged(periodsLate: 0, Self.gap(before: 8, counted: 0, most: 1)) == nil)
        #expect(Self.judged(periodsLate: 1) == nil)
        #expect(Self.judged(periodsLate: 1, Self.gap(before: 9, counted: 0, most: 1)) == nil)
        #expect(Self.judged(periodsLate: 1, Self.gap(before: 8, counted: 0, most: 0)) == nil)
        #expect(Self.judged(periodsLate: 2, Self.gap(before: 9, counted: 1, most: 2)) != nil)
    }
}
