import Devices
import Imaging
import Testing
import Timebase
import Tracking

@testable import Records

/// What becomes of a row whose pixels contradict it: 8 ms were believed, from 6 to 14 ms of the session.
struct PixelEvidenceTests {
    private static let both: ControlGroups = {
        var groups = ControlGroups(.exposure)
        groups.insert(ControlGroups(.gain))
        return groups
    }()

    private static func row(_ verdict: PixelVerdict) throws -> (row: LedgerRow, events: [RunEvent])
    {
        let plan = try Sample.plan()
        let evidence = PixelEvidence(plan, try Sample.description(plan).accepted.layout)
        var row = Sample.row(0)
        let events = evidence.apply(
            PerGroup { $0 == .exposure ? verdict : .unseen }, to: &row)
        return (row, events)
    }

    @Test func `an exposure that pixels show moves the start and the middle, and not the end`()
        throws
    {
        let (row, events) = try Self.row(.contradicted(shown: 2_000_000))
        let time = try #require(row.exposureTime)
        #expect(time.start.nanoseconds == 12_000_000)
        #expect(time.mid.nanoseconds == 13_000_000)
        #expect(time.end.nanoseconds == 14_000_000)
        #expect(time.halfWidth == .microseconds(25))
        #expect(row.applied.exposure == .milliseconds(2))
        #expect(row.applied[knownBy: .exposure] == .pixels)
        #expect(events.count == 1)
    }

    @Test func `an exposure that nobody knows is anything up to the longest one, and times say so`()
        throws
    {
        let (row, _) = try Self.row(.contradicted(shown: nil))
        let time = try #require(row.exposureTime)
        #expect(time.start.nanoseconds == 6_000_000 && time.end.nanoseconds == 14_000_000)
        #expect(time.halfWidth == .microseconds(8_025))
        #expect(row.applied.exposure == nil)
    }

    /// Which groups are refuted once so many of 90 frames are doubted.
    private static func refuted(_ doubted: Int64, unresponsive: [ControlGroup] = []) throws
        -> ControlGroups
    {
        let plan = try Sample.plan()
        var evidence = PixelEvidence(plan, try Sample.description(plan).accepted.layout)
        var tally = RunTally()
        tally.doubted[.exposure] = doubted
        tally.knownBy[.exposure] = [.readBack: 90]
        tally.unresponsive = unresponsive
        evidence.refute(tally)
        return evidence.refuted
    }

    @Test func `too many doubts refute what was read back of exposure and gain`() throws {
        #expect(try Self.refuted(30) == [])
        #expect(try Self.refuted(31) == Self.both)
        // They are those of a control that does nothing.
        #expect(try Self.refuted(31, unresponsive: [.exposure]) == [])
    }

    @Test func `a value that nothing replaces refutes a read-back where no metadata are sent`() {
        func refuted(_ evidence: SettingEvidence, sendsMetadata: Bool) -> ControlGroups {
            RunEvent.settingContradicted(
                settings: 0, sequence: 0, group: .exposure, believed: 1, found: nil, by: evidence
            ).refutedReadBacks(sendsMetadata: sendsMetadata)
        }
        #expect(refuted(.pixels, sendsMetadata: true) == .all)
        #expect(refuted(.none, sendsMetadata: false) == .all)
        // These may be of another frame.
        #expect(refuted(.none, sendsMetadata: true) == [])
        #expect(refuted(.metadata, sendsMetadata: true) == [])
    }
}
