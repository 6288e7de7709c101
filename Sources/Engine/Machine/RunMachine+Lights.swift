internal import Cameras
internal import Recipes
internal import Timebase

extension RunMachine {
    /// Lights are planned at least this far ahead, so that the timer that switches them can be set in time.
    private static let lightLead = Interval.milliseconds(1)

    /// Lights are switched on so much before the exposure: a host wakes up later than it asked to.
    private static let lightGuard = Interval.milliseconds(1)

    /// Lights that may come too late for one slot: a host that never is in time must not keep a run from ending.
    static let mostLateLights = 16

    /// Plans the lights of the pending slot for the first frame that can have them from its first row on.
    ///
    /// The stream is periodic, so the exposures of frames to come are known from the last stamp. Lights stay on until
    /// the last row has been exposed.
    mutating func planLights(_ now: Instant<Monotonic>) {
        guard case .frame = waiting, let pending, !pending.isRefused, pending.slot.lights != 0,
            pending.litFrame == nil, lights.isIdle, startupFramesLeft == 0, !timeline.isWriting,
            let last = clock.last, let period = clock.period, period > .zero,
            let earliestFrame = timeline.firstFrame(
                with: values[pending.slot.settings], from: 1, period: period),
            let readout = clock.readoutStart(of: last),
            let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return }
        let target = max(pending.notBefore, now + Self.lightLead + Self.lightGuard)
        // Rounded up: the first frame whose exposure begins at the target or later.
        let toGo = (target - window.earliestStart).nanoseconds + period.nanoseconds - 1
        let ahead = period * max(earliestFrame, toGo / period.nanoseconds)
        let start = window.earliestStart + ahead
        lights.arm(
            lines: pending.slot.lights, on: start - Self.lightGuard,
            off: readout.latest + ahead + (plan.camera.profile.timestamps.readout ?? period))
        self.pending?.litFrame = LitFrame(stamp: last.stamp + ahead, start: start)
    }

    /// An output was switched, or could not be.
    mutating func noteLight(
        _ line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool,
        _ now: Instant<Monotonic>
    ) {
        guard active, let lit = pending?.litFrame, planned == lit.start - Self.lightGuard else {
            return
        }
        if !succeeded || now <= lit.start { pending?.litFrame?.settled |= 1 << UInt32(line) }
    }

    /// What a frame is to the lights of the pending slot.
    enum Light {
        /// It has them, or needs none.
        case lit
        /// It is not the one that they are planned for.
        case unplanned
        /// They came too late for it, and are planned anew.
        case late
    }

    /// Whether the slot's lights, if it has any, were on for the frame with this stamp.
    ///
    /// If they were planned for an earlier one, that one could not be used: they are planned anew. So they are where
    /// stamps may be so late that it can't be told from its neighbour.
    mutating func light(
        _ stamp: Instant<Monotonic>, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Light {
        guard let pending, pending.slot.lights != 0 else { return .lit }
        guard let lit = pending.litFrame, let period = clock.period else { return .unplanned }
        if stamp > lit.stamp + period / 2 { self.pending?.litFrame = nil }
        // This stamp and the one that was planned by may both be late, in whichever order.
        let lateness = plan.camera.profile.timestamps.lateness
        let tolerance =
            lateness < period ? min(period / 2, period - lateness - .microseconds(2)) : period / 2
        guard stamp >= lit.stamp - tolerance, stamp <= lit.stamp + tolerance else {
            return .unplanned
        }
        guard lit.settled & pending.slot.lights != pending.slot.lights else { return .lit }
        lights.cancel(now, &actions)
        self.pending?.litFrame = nil
        self.pending?.lateLights += 1
        return .late
    }
}
