internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Somebody else changed a control that the run has locked, pinned or switched off.
    ///
    /// It is recorded and not undone: a second writer would fight back, and the frames in between would be neither's.
    ///
    /// The log has the sequence of the first frame that may show it, where one came before.
    mutating func arrive(
        _ change: ControlChange, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let ahead = framesTo(change.timestamp)?.fewest
        let sequence = ahead.flatMap { ahead in
            clock.last.map { $0.sequence &+ UInt32(truncatingIfNeeded: ahead) }
        }
        actions.push(.log(.controlChanged(change, sequence: sequence), at: now))
        if change.control.isAutomatic {
            noteAutomatic(change, from: ahead.map { clock.place + $0 })
        } else {
            note(change)
        }
    }

    /// A value was changed: it shows after the camera's latency, a lens also has to come to rest.
    private mutating func note(_ change: ControlChange) {
        let profile = shared.plan.camera.profile
        if profile.sensor != nil { noteRegister(change) }
        guard let component = profile.component(of: change.control) else { return }
        // Where nothing is locked the camera's automatic is on, and the control's value means nothing.
        let value =
            shared.locked.has(component.group)
            ? profile.value(of: component, code: change.code) : nil
        note(value, change, to: component, profile.delay(of: component.group))
    }

    /// A register of a raw sensor was changed on which others depend.
    ///
    /// Blanking makes frames longer, so that their period is learned again; the length of a line also changes what an
    /// exposure is, and a digital gain what pixels are multiplied with.
    private mutating func noteRegister(_ change: ControlChange) {
        let (control, time) = (change.control, change.timestamp)
        let first = framesTo(time).map { clock.place + $0.fewest }
        if control.isBlanking { clock.forgetRegisterPeriod() }
        // Exposures are counted in lines, which take another time then.
        if control == .horizontalBlanking { external.noteLineChange(from: first, at: time) }
        if control == .digitalGain, shared.plan.camera.profile.gain?.control != control {
            external.noteAmplification(from: first, at: time)
        }
    }

    /// An automatic was switched: its values are unknown until they are written again.
    ///
    /// - Parameter first: the first frame that may show it, as frames are counted that came or are missing; nil for
    ///   any.
    private mutating func noteAutomatic(_ change: ControlChange, from first: Int64?) {
        let profile = shared.plan.camera.profile
        for component in SettingComponent.all {
            guard let control = profile.control(of: component),
                control.automatic == change.control
                    // Cameras that have an automatic exposure move their gain with it.
                    || component == .gain
                        && profile.exposure?.control.automatic == change.control
            else { continue }
            external.note(
                ExternalChange(value: nil, first: first), to: component, at: change.timestamp,
                newest: planner.lastTicket)
        }
    }

    /// A component has another value from some frame on.
    ///
    /// - Parameters:
    ///   - value: in the component's unit; nil where the profile makes none of the code.
    ///   - change: when it was made.
    ///   - component: which one it is of.
    ///   - delay: after how many frames such a change shows.
    private mutating func note(
        _ value: Int64?, _ change: ControlChange, to component: SettingComponent,
        _ delay: ControlDelay
    ) {
        var external = ExternalChange(value: nil, first: nil)
        if let begun = framesTo(change.timestamp),
            let over = framesTo(change.timestamp + delay.settle)
        {
            external = ExternalChange(
                value: value, first: clock.place + begun.fewest,
                sure: clock.surePlace + over.most + Int64(delay.latencyFrames))
        }
        self.external.note(
            external, to: component, at: change.timestamp, newest: planner.lastTicket)
    }

    /// How many frames after the last one the frame is that is being exposed at a time: the first one whose readout has
    /// not begun.
    ///
    /// - Returns: the fewest that it can be, and the most, since timestamps may be late; nil before the first frame.
    private func framesTo(_ time: Instant<Monotonic>) -> (fewest: Int64, most: Int64)? {
        guard let last = clock.last, let readout = clock.readoutStart(of: last) else {
            return nil
        }
        guard let period = clock.period, period > .zero else { return (0, 1) }
        func frames(_ readout: Instant<Monotonic>) -> Int64 {
            let elapsed = (time - readout).nanoseconds
            // The time may lie before the last readout.
            return elapsed.flooredQuotientAndRemainder(dividingBy: period.nanoseconds).quotient + 1
        }
        // A camera that is triggered makes no more frames than its rate allows, and may make none.
        let fewest = frames(readout.latest)
        return (triggers.isOn ? min(1, fewest) : fewest, frames(readout.earliest))
    }
}
