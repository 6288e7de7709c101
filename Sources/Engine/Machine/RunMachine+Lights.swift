internal import Cameras
internal import Recipes
internal import Timebase

extension RunMachine {
    /// Lights are planned at least this far ahead, so that the timer that switches them can be set in time.
    private static let lightLead = Interval.milliseconds(1)

    /// Plans the lights of the pending slot for the first frame that can have them from its first row on.
    ///
    /// The stream is periodic, so the exposures of frames to come are known from the last stamp. Lights stay on until the last
    /// row has been exposed.
    mutating func planLights(_ now: Instant<Monotonic>) {
        guard let slot = pending?.slot, slot.lights != 0, pending?.litFrom == nil, lights.isIdle,
            startupFramesLeft == 0, let last = clock.last, let period = clock.period,
            period > .zero, let earliestFrame = framesUntilSure(last.stamp, period)
        else { return }
        let target = max(pending?.notBefore ?? .distantPast, now + Self.lightLead)
        func window(_ count: Int64) -> ExposureWindow {
            exposureWindow(slot, clock.readoutStart(of: last.stamp + period * count))
        }
        let toGo = target - window(0).earliestStart
        var count = max(earliestFrame, toGo.nanoseconds / period.nanoseconds)
        while window(count).earliestStart < target { count += 1 }
        let exposure = window(count)
        let readout = clock.readoutStart(of: last.stamp + period * count)
        lights.arm(
            lines: slot.lights, on: exposure.earliestStart,
            off: readout.latest + (plan.camera.profile.timestamps.readout ?? .zero))
        pending?.litFrom = last.sequence &+ UInt32(clamping: count)
    }

    /// How many frames after the last one the settings are surely in force.
    private func framesUntilSure(_ stamp: Instant<Monotonic>, _ period: Interval) -> Int64? {
        guard let last = clock.last else { return nil }
        let readout = clock.readoutStart(of: stamp).earliest
        return barrier.framesAhead(ofLast: last.sequence) { time in
            let toGo = (time - readout).nanoseconds
            return toGo < 0 ? 1 : max(1, toGo / period.nanoseconds + 1)
        }
    }
}
