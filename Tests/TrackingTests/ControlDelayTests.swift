import Devices
import Testing
import Timebase
import Tracking

struct ControlDelayTests {
    @Test func `how a latency is known says when a write may show at the earliest`() {
        let day = "2026-11-20"
        let origins: [(FigureOrigin, Int)] = [
            (.exact, 3), (.libcamera, 0), (.measured(on: day), 3), (.assumed, 0),
            (.measuredFrom(least: 1, on: day), 1),
        ]
        for (origin, earliest) in origins {
            let delay = ControlDelay(latencyFrames: 3, origin: origin)
            #expect(delay.latencyFrames == 3 && delay.earliestFrames == earliest)
            #expect(delay.isExact == (earliest == 3))
        }
        // A lens that takes its time moves at once.
        let lens = ControlDelay(latencyFrames: 3, settle: .milliseconds(5))
        #expect(lens.earliestFrames == 0 && lens.isExact)
    }

    @Test func `between the least and the most a frame is uncertain`() {
        var profile = CameraProfile(
            name: "wide",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        profile.gain = GainModel(
            control: CameraControl(rawValue: 0x0098_0913), law: .linear(unity: 16),
            codes: CodeRange(16, 255), isoAtUnity: 100, latencyFrames: 3,
            latencyOrigin: .measuredFrom(least: 1, on: "2026-11-20"))
        let period = Interval.milliseconds(10)
        var timeline = SettingsTimeline(profile: profile, promisedPeriod: period)
        func readout(_ frame: Int64) -> Instant<Monotonic> {
            Instant(nanoseconds: 1_000_000_000) + period * frame
        }
        timeline.beginWrite(1, to: .gain, ticket: 0, at: readout(-1))
        timeline.endWrite(
            0, of: ControlGroups(.gain), begun: readout(-1), ended: readout(-1), succeeded: true)
        var shown: [SettingsTimeline.Shown] = []
        for frame in Int64(0)..<12 {
            timeline.observe(
                ObservedFrame(
                    step: 1, timestamp: readout(frame),
                    readout: .init(earliest: readout(frame), latest: readout(frame))))
            shown.append(timeline.shown(.gain))
            // In the exposure of frame 6.
            if frame == 5 {
                let now = readout(5) + .milliseconds(3)
                timeline.beginWrite(2, to: .gain, ticket: 1, at: now)
                timeline.endWrite(
                    1, of: ControlGroups(.gain), begun: now, ended: now, succeeded: true)
            }
        }
        #expect(shown[5] == .exactly(value: 1, reading: nil))
        #expect(shown[6] == .exactly(value: 1, reading: nil))
        #expect(shown[7] == .uncertain && shown[8] == .uncertain)
        #expect(shown[9] == .exactly(value: 2, reading: nil))
    }
}
