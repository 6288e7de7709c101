internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

extension RunMachine {
    /// Somebody else changed a control that the run has locked, pinned or switched off.
    ///
    /// It is recorded and not undone: a second writer would fight back, and the frames in between would be neither's.
    mutating func arrive(
        _ change: ControlChange, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let frame = frameExposed(at: change.timestamp)
        actions.push(.log(.controlChanged(change, sequence: frame?.first), at: now))
        if change.control.isAutomatic {
            noteAutomatic(change, frame)
        } else {
            note(change)
        }
    }

    /// A value was changed: it shows after the camera's latency, a lens also has to come to rest.
    private mutating func note(_ change: ControlChange) {
        let profile = plan.camera.profile
        if let model = profile.exposure, model.control == change.control {
            foreign.exposure.note(
                settingChange(
                    model.duration(ofCode: change.code).nanoseconds, change,
                    latencyFrames: model.latencyFrames), after: ticket(before: change, .exposure))
        }
        if let model = profile.gain, model.control == change.control {
            foreign.gain.note(
                settingChange(
                    model.gain(ofCode: change.code)?.millionths, change,
                    latencyFrames: model.latencyFrames), after: ticket(before: change, .gain))
        }
        if let model = profile.focus, model.control == change.control {
            foreign.lens.note(
                settingChange(
                    model.position(ofCode: change.code)?.millionths, change,
                    latencyFrames: model.latencyFrames, settle: model.settle),
                after: ticket(before: change, .lens))
        }
        if let model = profile.whiteBalance { note(change, model) }
    }

    private mutating func note(_ change: ControlChange, _ model: WhiteBalanceModel) {
        func shown(_ value: Int64) -> ForeignSettings.Change {
            settingChange(value, change, latencyFrames: model.latencyFrames)
        }
        if model.temperature?.control == change.control {
            foreign.temperature.note(
                shown(change.code), after: ticket(before: change, .whiteBalance))
        }
        guard let components = model.components else { return }
        let gain = components.gain(ofCode: change.code).millionths
        if components.red == change.control {
            foreign.red.note(shown(gain), after: ticket(before: change, .whiteBalance))
        }
        if components.blue == change.control {
            foreign.blue.note(shown(gain), after: ticket(before: change, .whiteBalance))
        }
    }

    /// An automatic was switched: nobody knows what it makes of its values until they are written anew.
    private mutating func noteAutomatic(
        _ change: ControlChange, _ frame: (first: UInt32, sure: UInt32)?
    ) {
        let unknown = ForeignSettings.Change(value: nil, first: frame?.first)
        let profile = plan.camera.profile
        if profile.exposure?.control.automatic == change.control {
            foreign.exposure.note(unknown, after: ticket(before: change, .exposure))
        }
        // Cameras that have an automatic exposure move their gain with it.
        if profile.gain?.control.automatic == change.control
            || profile.exposure?.control.automatic == change.control
        {
            foreign.gain.note(unknown, after: ticket(before: change, .gain))
        }
        if profile.focus?.control.automatic == change.control {
            foreign.lens.note(unknown, after: ticket(before: change, .lens))
        }
        guard let model = profile.whiteBalance else { return }
        if model.temperature?.control.automatic == change.control
            || model.components?.red.automatic == change.control
        {
            foreign.temperature.note(unknown, after: ticket(before: change, .whiteBalance))
            foreign.red.note(unknown, after: ticket(before: change, .whiteBalance))
            foreign.blue.note(unknown, after: ticket(before: change, .whiteBalance))
        }
    }

    /// The run's last write before a change: a later one has undone it.
    private func ticket(before change: ControlChange, _ group: ControlGroup) -> Int64 {
        foreign.ticket(before: change.timestamp, of: group, newest: lastTicket)
    }

    private func settingChange(
        _ value: Int64?, _ change: ControlChange, latencyFrames: Int, settle: Interval = .zero
    ) -> ForeignSettings.Change {
        guard let begun = frameExposed(at: change.timestamp),
            let over = frameExposed(at: change.timestamp + settle)
        else { return ForeignSettings.Change(value: nil, first: nil) }
        return ForeignSettings.Change(
            value: value, first: begun.first,
            sure: over.sure &+ UInt32(clamping: latencyFrames))
    }

    /// The frame that is being exposed at a time, that is the first one whose readout has not begun.
    ///
    /// - Returns: the first that it can be, and the last, since stamps may be late; nil before the first frame.
    private func frameExposed(
        at time: Instant<Monotonic>
    ) -> (first: UInt32, sure: UInt32)? {
        guard let last = clock.last, let readout = clock.readoutStart(of: last) else {
            return nil
        }
        guard let period = clock.period, period > .zero else {
            return (last.sequence, last.sequence &+ 1)
        }
        func frame(_ readout: Instant<Monotonic>) -> UInt32 {
            let elapsed = (time - readout).nanoseconds
            let (quotient, rest) = elapsed.quotientAndRemainder(dividingBy: period.nanoseconds)
            // Rounded down, also where the time lies before the last readout.
            let periods = rest < 0 ? quotient - 1 : quotient
            return last.sequence &+ UInt32(truncatingIfNeeded: periods + 1)
        }
        return (frame(readout.latest), frame(readout.earliest))
    }
}
