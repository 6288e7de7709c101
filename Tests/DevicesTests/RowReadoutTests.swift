import Devices
import TestSupport
import Testing
import Timebase

/// When each row was exposed.
@Suite struct RowReadoutTests {
    private static let start = BoundedInstant(
        Instant<Monotonic>(nanoseconds: 1_000_000_000), halfWidth: .microseconds(5))

    private static func times(
        _ readout: RowReadout, _ row: Int64, exposure: Interval = .milliseconds(4)
    ) -> RowReadout.Exposure<Monotonic>? {
        readout.exposure(ofRow: row, frameStart: start, exposure: exposure)
    }

    @Test func `rows follow each other by the time of a line`() throws {
        // 480 rows, 2 embedded lines before them, lines of 20 us: (2 + 479) lines.
        let readout = RowReadout(
            rows: 480, embeddedLines: 2, duration: .microseconds(20 * 481))
        for row in [0, 1, 239, 479] as [Int64] {
            let times = try #require(Self.times(readout, row))
            let end = 1_000_000_000 + (2 + row) * 20_000
            #expect(times.end.nanoseconds == end)
            #expect(times.mid.nanoseconds == end - 2_000_000)
            #expect(times.start.nanoseconds == end - 4_000_000)
            #expect(times.halfWidth == .nanoseconds(5_001))
        }
        #expect(Self.times(readout, 480) == nil)
        #expect(Self.times(readout, -1) == nil)
    }

    @Test func `what a sensor counts by a clock of its own is off by no more than that clock`()
        throws
    {
        var readout = RowReadout(rows: 480, embeddedLines: 2, duration: .microseconds(20 * 481))
        readout.clockPerMillion = 600
        for row in [0, 1, 239, 479] as [Int64] {
            let times = try #require(Self.times(readout, row))
            for rate in [0.9994, 0.9999, 1.0004, 1.0006] {
                let end = 1_000_000_000 + Double((2 + row) * 20_000) * rate
                let bound = Double(times.halfWidth.nanoseconds - 5_000)
                #expect(abs(Double(times.end.nanoseconds) - end) <= bound)
                #expect(abs(Double(times.mid.nanoseconds) - (end - 2_000_000 * rate)) <= bound)
                #expect(abs(Double(times.start.nanoseconds) - (end - 4_000_000 * rate)) <= bound)
            }
            #expect(times.halfWidth < .microseconds(5 + 9))
        }
    }

    @Test func `a flipped image has its last row first`() throws {
        var readout = RowReadout(rows: 480, embeddedLines: 2, duration: .microseconds(20 * 481))
        let first = try #require(Self.times(readout, 0))
        let last = try #require(Self.times(readout, 479))
        readout.isBottomUp = true
        #expect(Self.times(readout, 479) == first)
        #expect(Self.times(readout, 0) == last)
    }

    @Test func `a global shutter closes for all rows at once, before the readout`() throws {
        let readout = RowReadout(
            rows: 1_088, duration: .zero,
            offset: .init(.microseconds(-14), halfWidth: .microseconds(2)))
        let rows = try [0, 500, 1_087].map { try #require(Self.times(readout, $0)) }
        #expect(Set(rows).count == 1)
        #expect(rows[0].end.nanoseconds == 1_000_000_000 - 14_000)
        #expect(rows[0].halfWidth == .microseconds(7))
    }

    @Test func `where the readout's length is not known it is as long as a frame at most`() throws {
        let readout = RowReadout(rows: 101, duration: nil, longest: .milliseconds(33))
        let first = try #require(Self.times(readout, 0))
        #expect(first.end.nanoseconds - first.halfWidth.nanoseconds <= 1_000_000_000)
        let last = try #require(Self.times(readout, 100))
        #expect((last.end - last.halfWidth).nanoseconds <= 1_000_000_000)
        #expect((last.end + last.halfWidth).nanoseconds >= 1_033_000_000)
        #expect(Self.times(RowReadout(rows: 101, duration: nil), 50) == nil)
    }

    /// Against sums of whole lines, of which this shares nothing with the product.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `every row of a seeded sensor lies where its lines add up to`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (rows, embedded) = (random.number(1...4_000), random.number(0...3))
        let line = random.number(1_000...60_000)
        let isBottomUp = random.chance(50)
        let readout = RowReadout(
            rows: rows, embeddedLines: embedded, isBottomUp: isBottomUp,
            duration: .nanoseconds(line * (embedded + rows - 1)))
        let exposure = Interval.nanoseconds(random.number(1...30_000_000))
        let centreEnd = Self.start.instant + .nanoseconds(line * (embedded + rows - 1) / 2)
        let centre = RowReadout.Exposure(
            start: centreEnd - exposure, mid: centreEnd - exposure / 2, end: centreEnd,
            halfWidth: Self.start.halfWidth)
        for _ in 0..<20 {
            let row = random.number(0...rows - 1)
            let lines = embedded + (isBottomUp ? rows - 1 - row : row)
            let truth =
                Self.start.instant.nanoseconds + (0..<lines).reduce(0) { sum, _ in sum + line }
            let times = try #require(Self.times(readout, row, exposure: exposure))
            #expect(abs(times.end.nanoseconds - truth) <= 1)
            #expect(times.end - times.start == exposure)
            let byCentre = try #require(readout.exposure(ofRow: row, centre: centre))
            #expect(abs(byCentre.end.nanoseconds - truth) <= 2)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a row of unknown readout lies within what is said of it by the centre`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let rows = random.number(2...2_000)
        let period = Interval.nanoseconds(random.number(5_000_000...50_000_000))
        let truth = RowReadout(
            rows: rows, duration: .nanoseconds(random.number(0...period.nanoseconds)))
        let known = RowReadout(rows: rows, duration: nil, longest: period)
        // The ledger's centre where the readout is not known.
        let end = Self.start.instant + period / 4
        let centre = RowReadout.Exposure(
            start: end, mid: end, end: end, halfWidth: Self.start.halfWidth + period / 4)
        for _ in 0..<20 {
            let row = random.number(0...rows - 1)
            let real = try #require(Self.times(truth, row))
            let stated = try #require(known.exposure(ofRow: row, centre: centre))
            let distance = (stated.end - real.end).nanoseconds.magnitude
            #expect(distance <= stated.halfWidth.nanoseconds.magnitude + 2)
            // The centre is in doubt because the readout is: the row does not count that doubt twice.
            let byStart = try #require(Self.times(known, row))
            #expect((stated.halfWidth - byStart.halfWidth).nanoseconds.magnitude <= 2)
        }
    }
}
