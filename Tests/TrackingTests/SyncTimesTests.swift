import Devices
import Testing
import Timebase
import Tracking

/// Completions of writes: frame k is read out at 10 (k + 1) ms, exposure shows after 2 frames, gain after 1.
struct SyncTimesTests {
    private var timeline: SettingsTimeline
    private var times = SyncTimes()

    init() {
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        let codes = CodeRange(1, 1_000)
        profile.exposure = ExposureModel(
            control: CameraControl(rawValue: 1), unitPicoseconds: 1_000, codes: codes,
            latencyFrames: 2)
        profile.gain = GainModel(
            control: CameraControl(rawValue: 2), law: .linear(unity: 1), codes: codes,
            isoAtUnity: 100, latencyFrames: 1)
        profile.exposure?.latencyOrigin = .exact
        profile.gain?.latencyOrigin = .exact
        timeline = SettingsTimeline(profile: profile, promisedPeriod: .milliseconds(10))
    }

    private func at(_ milliseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    private mutating func write(
        _ ticket: Int64, _ groups: ControlGroups, at time: Int64, succeeds: Bool = true
    ) {
        var line = timeline
        groups.forEach { line.beginWrite(Int32(ticket), to: $0, ticket: ticket, at: at(time)) }
        line.endWrite(
            ticket, of: groups, begun: at(time), ended: at(time), succeeded: succeeds)
        timeline = line
        times.issue(ticket, of: groups)
        if !succeeds { times.fail(ticket) }
    }

    /// The writes that are done with a frame, as ticket and milliseconds of the timestamp; −1 for a failure.
    private mutating func frame(_ number: Int64) -> [[Int64]] {
        let timestamp = at(10 * (number + 1))
        timeline.observe(
            ObservedFrame(
                step: 1, timestamp: timestamp,
                readout: ObservedFrame.Readout(earliest: timestamp, latest: timestamp)))
        var done: [[Int64]] = []
        while let next = times.next(by: timeline) {
            done.append([next.ticket, next.time.map { $0.nanoseconds / 1_000_000 } ?? -1])
        }
        return done
    }

    @Test mutating func `a write is done with the timestamp of the first frame that shows it`() {
        _ = frame(0)
        write(1, ControlGroups(.exposure), at: 12)
        #expect(frame(1) == [])
        #expect(frame(2) == [])
        #expect(frame(3) == [[1, 40]])
        #expect(frame(4) == [])
    }

    @Test mutating func `writes are done in order of issue`() {
        _ = frame(0)
        write(1, ControlGroups(.exposure), at: 12)
        write(2, ControlGroups(.gain), at: 13)
        // The gain shows in frame 2, a frame before the exposure that was written first.
        #expect(frame(1) == [])
        #expect(frame(2) == [])
        #expect(frame(3) == [[1, 40], [2, 40]])
    }

    @Test mutating func `a write of two groups is done when both show`() {
        _ = frame(0)
        write(1, [ControlGroups(.exposure), ControlGroups(.gain)], at: 12)
        #expect(frame(1) == [] && frame(2) == [])
        #expect(frame(3) == [[1, 40]])
    }

    @Test mutating func `a write that is overtaken is done with the later one`() {
        _ = frame(0)
        write(1, ControlGroups(.exposure), at: 12)
        write(2, ControlGroups(.exposure), at: 14)
        #expect(frame(1) == [] && frame(2) == [])
        #expect(frame(3) == [[1, 40], [2, 40]])
    }

    @Test mutating func `a write that failed is done without a time`() {
        _ = frame(0)
        write(1, ControlGroups(.exposure), at: 12, succeeds: false)
        #expect(frame(1) == [[1, -1]])
    }
}
