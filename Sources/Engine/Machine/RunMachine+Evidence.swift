internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What a frame itself says of its settings, beside what the device was believed to have.
extension RunMachine {
    /// What the frame at hand should have by what was written, read back, and changed by others.
    private var believed: AppliedSettings { external.overlaid(on: applied) }

    /// What a frame had: as its own metadata say, else as the device is believed to have had it.
    func shown(by frame: DequeuedFrame) -> AppliedSettings {
        var shown = believed
        // Exposures are counted in lines: if frames do not take as long as lines say, nobody knows how long a line is.
        if !clock.keepsRegisterPeriod { shown.exposure = nil }
        guard let said = said(by: frame) else { return shown }
        if let exposure = said.exposure {
            let agrees = exposure == shown.exposure?.nanoseconds
            let isProven = agrees ? metadataWorth.provesExposure : metadataWorth.refutes
            if !agrees { shown.exposure = isProven ? Interval(nanoseconds: exposure) : nil }
            if isProven { shown[knownBy: .exposure] = .metadata }
        }
        if let gain = said.gain {
            let agrees = gain == shown.gainMillionths
            let isProven = agrees ? metadataWorth.provesGain : metadataWorth.refutes
            if !agrees { shown.gainMillionths = isProven ? gain : nil }
            if isProven { shown[knownBy: .gain] = .metadata }
        }
        return shown
    }

    /// What a frame's metadata say; nil without any, and for what they can't tell.
    private func said(by frame: DequeuedFrame) -> MetadataDelay.Settings? {
        guard let data = frame.embedded else { return nil }
        var said = MetadataDelay.Settings()
        if clock.keepsRegisterPeriod, !external.leavesUnknown(.exposure) {
            said.exposure =
                plan.camera.profile.exposure(
                    of: data, frameLines: plan.timing(of: frameLength.settings)?.frameLines)?
                .nanoseconds
        }
        if !external.leavesUnknown(.gain) {
            said.gain = plan.camera.profile.gainMillionths(of: data)
        }
        return said
    }

    /// Takes note of what the metadata of the frame at hand say, beside what it should have.
    mutating func compareMetadata(of frame: DequeuedFrame) {
        metadataWorth = metadataDelay.observe(
            said(by: frame), isCounted: frame.embedded?.frameCount != nil,
            expected: believedSettings, at: clock.place)
    }

    /// What the frame at hand should have, as metadata would say it.
    var believedSettings: MetadataDelay.Settings {
        let believed = believed
        return MetadataDelay.Settings(
            exposure: believed.exposure?.nanoseconds, gain: believed.gainMillionths)
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
        guard let said = said(by: frame) else { return }
        let (believed, planned) = (believed, plan.settings[Int(row.settings)].quantised)
        var (exposure, gain) = (believed.exposure?.nanoseconds, believed.gainMillionths)
        // While somebody else's change is under way a frame may show anything.
        if !external[.exposure].isHidden {
            exposure = exposure ?? planned.exposure.asked?.nanoseconds
        }
        if !external[.gain].isHidden { gain = gain ?? planned.gain.asked?.millionths }
        report(.exposure, row, believed: exposure, found: said.exposure, now, &actions)
        report(.gain, row, believed: gain, found: said.gain, now, &actions)
    }

    private mutating func report(
        _ group: ControlGroup, _ row: LedgerRow, believed: Int64?, found: Int64?,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard let sequence = row.deviceSequence, let found, let believed,
            contradicted.note(group, believed: believed, found: found)
        else { return }
        actions.push(
            .log(
                .settingContradicted(
                    settings: row.settings, sequence: sequence, group: group,
                    believed: believed, found: found, by: row.applied[knownBy: group]), at: now))
    }
}
