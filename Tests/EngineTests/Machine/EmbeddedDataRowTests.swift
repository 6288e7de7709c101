import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// What becomes of a row whose frame says itself what it was exposed with.
///
/// Registers count microseconds here; settings n are exposures of 4 + n ms.
struct EmbeddedDataRowTests {
    private static func sensor(_ microseconds: UInt16) throws -> EmbeddedData {
        let line: [UInt8] = [
            0x0a, 0xaa, 0x02, 0xa5, 0x02, 0x5a, UInt8(microseconds >> 8), 0x5a,
            UInt8(microseconds & 0xff), 0x07, 0x07,
        ]
        let result = line.withUnsafeBytes { bytes in
            Result { try EmbeddedData(bytes, lineByteCount: bytes.count, packing: .bits8) }
        }
        return try result.get()
    }

    private static func contradictions(_ story: MachineDriver) -> [RunEvent] {
        story.events.filter { if case .settingContradicted = $0 { true } else { false } }
    }

    @Test func `metadata that agree are the better evidence, and no news`() throws {
        let story = try MachineDriver(SamplePlan([.capture(2)]))
        story.frame(0, embedded: try Self.sensor(4_000))
        story.frame(1)
        #expect(story.frames.map(\.applied.exposure) == [.milliseconds(4), .milliseconds(4)])
        #expect(story.frames.map { $0.applied[knownBy: .exposure] } == [.metadata, .readBack])
        #expect(Self.contradictions(story) == [])
    }

    @Test func `a row says what its metadata say, and a difference is told once`() throws {
        let story = try MachineDriver(SamplePlan([.capture(6)]))
        let sent: [UInt16?] = [4_000, 2_500, 2_500, nil, 2_500, 3_000]
        for (place, found) in sent.enumerated() {
            story.frame(place, embedded: try found.map { try Self.sensor($0) })
        }
        #expect(
            story.frames.map { ($0.applied.exposure?.nanoseconds ?? 0) / 1_000 }
                == [4_000, 2_500, 2_500, 4_000, 2_500, 3_000])
        func event(_ sequence: UInt32, _ found: Int64) -> RunEvent {
            .settingContradicted(
                settings: 0, sequence: sequence, group: .exposure, believed: 4_000_000,
                found: found, by: .metadata)
        }
        #expect(Self.contradictions(story) == [event(1, 2_500_000), event(5, 3_000_000)])
    }

    @Test(arguments: [4_000, 7_000, 2_500] as [UInt16])
    func `while another's change may show, a frame that shows neither value is told`(
        _ found: UInt16
    ) throws {
        let story = try MachineDriver(ExternalChangeTests.plan(latency: 2))
        story.frames(0..<6)
        ExternalChangeTests.meddle(story, at: MachineDriver.at(65))
        story.frame(6, embedded: try Self.sensor(found))
        story.frames(7..<15)
        #expect(story.frames[6 - 2].applied.exposure == .microseconds(Int64(found)))
        let event = RunEvent.settingContradicted(
            settings: 0, sequence: 6, group: .exposure, believed: 4_000_000,
            found: 2_500_000, by: .metadata)
        #expect(Self.contradictions(story) == (found == 2_500 ? [event] : []))
    }

    @Test func `the times of a frame go by the exposure that it had`() throws {
        let story = try MachineDriver(SamplePlan([.capture(1)]))
        story.frame(0, embedded: try Self.sensor(2_500))
        let time = try #require(story.frames.first?.exposureTime)
        #expect(time.end - time.start == .microseconds(2_500))
    }

    @Test func `what was never read back is held against the plan`() throws {
        let story = try MachineDriver(SamplePlan([.capture(1), .capture(1, settings: 1)]))
        story.applied = { _ in AppliedSettings() }
        story.frame(0)
        story.frame(1, embedded: try Self.sensor(4_000))
        #expect(story.frames.last?.applied.exposure == .milliseconds(4))
        #expect(
            Self.contradictions(story) == [
                .settingContradicted(
                    settings: 1, sequence: 1, group: .exposure, believed: 5_000_000,
                    found: 4_000_000, by: .metadata)
            ])
    }

    @Test func `while somebody else's change is under way, metadata say what it came to`() throws {
        let story = try MachineDriver(ExternalChangeTests.plan(latency: 2, [.capture(6)]))
        story.frames(0..<2)
        ExternalChangeTests.meddle(story, at: MachineDriver.at(25))
        for place in 2..<8 {
            story.frame(place, embedded: try Self.sensor(place < 4 ? 4_000 : 7_000))
        }
        #expect(
            story.frames.map { ($0.applied.exposure?.nanoseconds ?? 0) / 1_000_000 }
                == [4, 4, 7, 7, 7, 7])
        #expect(Self.contradictions(story) == [])
    }

    @Test func `an exposure that nobody knows makes the times as wide as it can be`() throws {
        let story = try MachineDriver(SamplePlan([.capture(1), .capture(1, settings: 1)]))
        story.applied = { _ in AppliedSettings() }
        story.frames(0..<2)
        let row = try #require(story.frames.last)
        #expect(row.applied.exposure == nil)
        let time = try #require(row.exposureTime)
        // Anything between nothing and the period of 10 ms, and half of that is nearest to all of it.
        #expect(time.end - time.start == .milliseconds(5))
        #expect(time.halfWidth >= .milliseconds(5) && time.halfWidth < .microseconds(5_100))
        let first = try #require(story.frames.first?.exposureTime)
        #expect(first.halfWidth < .milliseconds(1))
    }
}
