import Devices
import TestSupport
import Testing
import Timebase
import Tracking

/// A camera that knows what each of its frames had, against what the delay model claims.
struct SettingsTimelinePropertyTests {
    /// One write as the camera got it: at a moment of its own between begin and end.
    private struct Write {
        var value: Int32
        var from: Int64
    }

    @Test(arguments: 0..<8)
    func `no claim is wrong, whatever is late, lost or slow`(_ batch: UInt64) {
        var claims = 0
        for seed in batch * 250 + 1...batch * 250 + 250 { claims += check(seed) }
        #expect(claims > 5_000)
    }

    /// - Returns: how many frames something was claimed of.
    private func check(_ seed: UInt64) -> Int {
        var random = SeededGenerator(seed: seed)
        let period: Int64 = random.number(4_000...40_000)
        let delay = random.chance(30) ? 0 : random.number(1...period)
        let latency = random.number(0...6)
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .microseconds(delay), readout: .zero))
        profile.exposure = ExposureModel(
            control: CameraControl(rawValue: 1), unitPicoseconds: 1, codes: CodeRange(0, 1),
            latencyFrames: Int(latency))
        // What shows earlier than it was assumed to is no surprise.
        let isExact = random.chance(70)
        profile.exposure?.latencyOrigin = isExact ? .exact : .assumed
        var timeline = SettingsTimeline(
            profile: profile, promisedPeriod: random.chance(85) ? .microseconds(period) : nil)
        let lossRates = (driver: random.number(0...20), inside: random.number(0...10))
        var writes: [Write] = []
        var now: Int64 = 0
        var unseen: Int64 = 0
        var claims = 0
        var ticket: Int64 = 0
        for frame in Int64(0)..<120 {
            let readout = period * (frame + 1)
            // Everything that is written before the frame has arrived.
            let arrival = readout + random.number(0...period * 2)
            while random.chance(35) {
                let begun = max(now, arrival - random.number(0...period))
                let ended = begun + random.number(0...period)
                now = ended
                ticket += 1
                let value = Int32(random.number(0...3))
                let moment = random.number(begun...ended)
                let isTaken = !random.chance(8)
                timeline.beginWrite(value, to: .exposure, ticket: ticket, at: at(begun))
                timeline.endWrite(
                    ticket, of: ControlGroups(.exposure), begun: at(begun), ended: at(ended),
                    succeeded: isTaken)
                // Of a write that failed nobody knows whether it was taken.
                guard isTaken || random.chance(50) else { continue }
                let shown = isExact ? latency : random.number(0...latency)
                // A later write does not show before an earlier one.
                let from = max(moment / period + shown, writes.last?.from ?? 0)
                writes.append(Write(value: value, from: from))
            }
            now = max(now, arrival)
            let draw = random.number(0...99)
            if frame > 0, draw < lossRates.inside { continue }
            unseen += 1
            if frame > 0, draw < lossRates.inside + lossRates.driver { continue }
            let timestamp = at(readout) + .microseconds(random.number(0...delay))
            timeline.observe(
                ObservedFrame(
                    step: unseen, timestamp: timestamp,
                    readout: ObservedFrame.Readout(
                        earliest: timestamp - .microseconds(delay), latest: timestamp)))
            unseen = 0
            guard case .exactly(let claimed, _) = timeline.shown(.exposure) else { continue }
            claims += 1
            let truth = writes.last { $0.from <= frame }?.value
            #expect(truth == claimed, "seed \(seed), frame \(frame)")
        }
        return claims
    }

    private func at(_ microseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: microseconds * 1_000)
    }
}
