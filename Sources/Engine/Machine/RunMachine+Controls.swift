internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Somebody else changed a control that the run has locked, pinned or switched off.
    ///
    /// It is recorded and not undone: a second writer would fight back, and the frames in between would be neither's.
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
        let profile = plan.camera.profile
        if profile.sensor != nil { noteRegister(change) }
        if let model = profile.exposure, model.control == change.control {
            note(
                model.duration(ofCode: change.code).nanoseconds, change, to: .exposure,
                latencyFrames: model.latencyFrames)
        }
        if let model = profile.gain, model.control == change.control {
            note(
                model.gain(ofCode: change.code)?.millionths, change, to: .gain,
                latencyFrames: model.latencyFrames)
        }
        if let model = profile.focus, model.control == change.control {
            note(
                model.position(ofCode: change.code)?.millionths, change, to: .lens,
                latencyFrames: model.latencyFrames, settle: model.settle)
        }
        guard let model = profile.whiteBalance else { return }
        if model.temperature?.control == change.control {
            note(change.code, change, to: .temperature, latencyFrames: model.latencyFrames)
        }
        guard let components = model.components else { return }
        let gain = components.gain(ofCode: change.code).millionths
        if components.red == change.control {
            note(gain, change, to: .red, latencyFrames: model.latencyFrames)
        }
        if components.blue == change.control {
            note(gain, change, to: .blue, latencyFrames: model.latencyFrames)
        }
    }

    /// A register of a raw sensor was changed on which others depend.
    private mutating func noteRegister(_ change: ControlChange) {
        let (control, time) = (change.control, change.timestamp)
        let first = framesTo(time).map { clock.place + $0.fewest }
        if control.isBlanking { clock.forgetRegisterPeriod() }
        // Exposures are counted in lines, which take another time then.
        if control == .horizontalBlanking { external.noteLasting(.line, from: first, at: time) }
        if control == .digitalGain, plan.camera.profile.gain?.control != control {
            external.noteLasting(.amplification, from: first, at: time)
        }
    }

    /// An automatic was switched: nobody knows what it makes of its values until they are written anew.
    private mutating func noteAutomatic(_ change: ControlChange, from first: Int64?) {
        func note(_ setting: ExternalSettings.Setting) {
            external.note(
                ExternalChange(value: nil, first: first), to: setting, at: change.timestamp,
                newest: lastTicket)
        }
        let profile = plan.camera.profile
        if profile.exposure?.control.automatic == change.control { note(.exposure) }
        // Cameras that have an automatic exposure move their gain with it.
        if profile.gain?.control.automatic == change.control
            || profile.exposure?.control.automatic == change.control
        {
            note(.gain)
        }
        if profile.focus?.control.automatic == change.control { note(.lens) }
        guard let model = profile.whiteBalance else { return }
        if model.temperature?.control.automatic == change.control
            || model.components?.red.automatic == change.control
        {
            note(.temperature)
            note(.red)
            note(.blue)
        }
    }

    private mutating func note(
        _ value: Int64?, _ change: ControlChange, to setting: ExternalSettings.Setting,
        latencyFrames: Int, settle: Interval = .zero
    ) {
        var external = ExternalChange(value: nil, first: nil)
        if let begun = framesTo(change.timestamp), let over = framesTo(change.timestamp + settle) {
            external = ExternalChange(
                value: value, first: clock.place + begun.fewest,
                sure: clock.surePlace + over.most + Int64(latencyFrames))
        }
        self.external.note(external, to: setting, at: change.timestamp, newest: lastTicket)
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
        return (frames(readout.latest), frames(readout.earliest))
    }
}
