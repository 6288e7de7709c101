internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

/// What a frame itself says of its settings, beside what the device was believed to have.
extension RunMachine {
    /// What the frame at hand should have by what was written, read back, and changed by others.
    private var believed: AppliedSettings { external.overlaid(on: applied) }

    /// What a frame had: as its own metadata say, else as the device is believed to have had it.
    func shown(by frame: DequeuedFrame) -> AppliedSettings {
        var shown = believed
        // Exposures are counted in lines: if frames do not take as long as lines say, nobody knows how long a line is.
        if !clock.keepsRegisterPeriod { shown.exposure = nil }
        guard let data = frame.embedded else { return shown }
        if clock.keepsRegisterPeriod, !external.leavesUnknown(.exposure),
            let exposure = plan.camera.profile.exposure(
                of: data, frameLines: plan.timing(of: frameLength.settings)?.frameLines)
        {
            shown.exposure = exposure
            shown[knownBy: .exposure] = .metadata
        }
        if !external.leavesUnknown(.gain),
            let gain = plan.camera.profile.gainMillionths(of: data)
        {
            shown.gainMillionths = gain
            shown[knownBy: .gain] = .metadata
        }
        return shown
    }

    /// Leaves out metadata that are not the frame's own by the sensor's count.
    mutating func judgeMetadata(
        _ frame: inout DequeuedFrame, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard let count = frame.embedded?.frameCount else { return }
        let judgement = metadataCounter.judge(
            count, at: clock.place, unnumbered: clock.place - clock.surePlace)
        if judgement != .own { frame.embedded = nil }
        if judgement == .otherFrame {
            strange.add(frame.sequence, true)
        } else {
            flushStrange(now, &actions)
        }
    }

    /// The exposure that a frame's times go by; nil where nobody knows it, since what was asked for is no measure of
    /// what was: the bounds then hold whatever it was.
    func knownExposure(_ applied: AppliedSettings) -> Interval? {
        if let exposure = plan.camera.trigger?.exposure, !external[.exposure].isHidden {
            return exposure
        }
        return applied.exposure
    }

    /// Writes down where a frame's metadata contradict what the device was believed to have, or what the plan asks for
    /// where nothing was read back.
    mutating func reportContradictions(
        _ row: LedgerRow, _ frame: DequeuedFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard frame.embedded != nil else { return }
        let (believed, planned) = (believed, plan.settings[Int(row.settings)].quantised)
        var (exposure, gain) = (believed.exposure?.nanoseconds, believed.gainMillionths)
        // While somebody else's change is under way a frame may show anything.
        if !external[.exposure].isHidden {
            exposure = exposure ?? planned.exposure.asked?.nanoseconds
        }
        if !external[.gain].isHidden { gain = gain ?? planned.gain.asked?.millionths }
        report(.exposure, row, believed: exposure, frame.sequence, now, &actions)
        report(.gain, row, believed: gain, frame.sequence, now, &actions)
    }

    private mutating func report(
        _ group: ControlGroup, _ row: LedgerRow, believed: Int64?, _ sequence: UInt32,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard row.applied[knownBy: group] == .metadata, let found = row.applied[group],
            let believed, contradicted.note(group, believed: believed, found: found)
        else { return }
        actions.push(
            .log(
                .settingContradicted(
                    settings: row.settings, sequence: sequence, group: group,
                    believed: believed, found: found, by: .metadata), at: now))
    }
}
