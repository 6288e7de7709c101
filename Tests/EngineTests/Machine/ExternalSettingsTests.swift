import Devices
import Records
import Testing
import Timebase
import Tracking

@testable import Engine

/// Somebody's change, heard of after the write that it may have been undone by: from 10 to 12 ms, and read after it.
struct ExternalSettingsTests {
    private static func time(_ milliseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// The exposure of the next frame, where somebody set 7 ms and a reading said otherwise.
    private static func exposure(changedAt milliseconds: Int64, reading: Interval) -> Interval? {
        let model = TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero)
        var timeline = SettingsTimeline(
            profile: CameraProfile(name: "test", timestamps: model),
            promisedPeriod: .milliseconds(10))
        timeline.beginWrite(0, to: .exposure, ticket: 5, at: time(10))
        timeline.endWrite(
            5, of: ControlGroups(.exposure), begun: time(10), ended: time(12), succeeded: true)
        timeline.observe(
            ObservedFrame(
                step: 1, timestamp: time(30), readout: .init(earliest: time(30), latest: time(30))))
        var external = ExternalSettings()
        external.noteWrite(
            5, of: ControlGroups(.exposure), begun: time(10), ended: time(12))
        external.noteReading(5, AppliedSettings(exposure: reading))
        external.note(
            ExternalChange(value: 7_000_000, first: nil), to: .exposure, at: time(milliseconds),
            newest: 5)
        external.observe(
            StreamClock(model: model, nominalPeriod: .milliseconds(10)), isCounted: true, timeline)
        return external.overlaid(on: AppliedSettings(exposure: reading)).exposure
    }

    @Test func `a change that a write undid is over once the write shows`() {
        #expect(Self.exposure(changedAt: 11, reading: .milliseconds(4)) == .milliseconds(4))
    }

    @Test func `a change that came after the write holds`() {
        #expect(Self.exposure(changedAt: 14, reading: .milliseconds(4)) == .milliseconds(7))
    }
}
