internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What a frame itself shows of its settings, beside what the device was believed to have.
extension RunMachine {
    /// What the frame at hand should have by what was written, read back, and changed by others.
    private var believed: AppliedSettings { external.overlaid(on: applied) }

    /// What a frame had: as its own metadata report, else as the device is believed to have had it.
    ///
    /// An agreement is proof only where metadata are known to be the frame's own; a contradiction that is no proof
    /// leaves the value unknown, since one of the two is wrong.
    mutating func shown(by frame: ArrivedFrame) -> AppliedSettings {
        var shown = believed
        // Exposures are counted in lines: if frames do not take as long as their lines, the length of a line is
        // unknown.
        if !clock.keepsRegisterPeriod { shown.exposure = nil }
        guard let said = said(by: frame.frame) else { return shown }
        let worth = frame.metadataWorth
        if let exposure = said.exposure {
            let agrees = exposure == shown.exposure?.nanoseconds
            let isProven = agrees ? worth.provesExposure : worth.refutes
            if !agrees { shown.exposure = isProven ? Interval(nanoseconds: exposure) : nil }
            if isProven { shown[knownBy: .exposure] = .metadata }
        }
        if let gain = said.gain {
            let agrees = gain == shown.gainMillionths
            let isProven = agrees ? worth.provesGain : worth.refutes
            if !agrees { shown.gainMillionths = isProven ? gain : nil }
            if isProven { shown[knownBy: .gain] = .metadata }
        }
        return shown
    }

    /// What a frame's metadata report; nil without any, and for what they can't show.
    ///
    /// Exposures are counted in lines, so they are nil where the time of a line is unknown.
    private mutating func said(by frame: DequeuedFrame) -> MetadataDelay.Settings? {
        guard let data = frame.embedded else { return nil }
        var said = MetadataDelay.Settings()
        if clock.keepsRegisterPeriod, !external.leavesUnknown(.exposure) {
            said.exposure =
                shared.plan.camera.profile.exposure(
                    of: data, frameLines: shared.plan.timing(of: frameLength.settings)?.frameLines)?
                .nanoseconds
        }
        if !external.leavesUnknown(.gain) {
            said.gain = shared.plan.camera.profile.gainMillionths(of: data)
        }
        return said
    }

    /// Takes note of what the metadata of the frame at hand report, beside what it should have.
    ///
    /// Once for every frame that came: the delay of metadata is found by counting frames.
    mutating func compareMetadata(of frame: inout ArrivedFrame) {
        frame.metadataWorth = metadata.compare(
            said(by: frame.frame), isCounted: frame.frame.embedded?.frameCount != nil,
            expected: believedSettings, at: clock.place)
    }

    /// What the frame at hand should have, in the form of metadata.
    var believedSettings: MetadataDelay.Settings {
        let believed = believed
        return MetadataDelay.Settings(
            exposure: believed.exposure?.nanoseconds, gain: believed.gainMillionths)
    }

    /// The exposure that a frame's times are computed with; nil where it is unknown, since what was asked for does not
    /// prove what was: the bounds then hold whatever it was.
    func knownExposure(_ applied: AppliedSettings) -> Interval? {
        if let exposure = shared.plan.camera.trigger?.exposure, !external[.exposure].isHidden {
            return exposure
        }
        return applied.exposure
    }

    /// Writes down where a frame's metadata contradict what the device was believed to have, or what the plan asks for
    /// where nothing was read back.
    ///
    /// Only frames that a slot has are looked at: the event names the row's settings.
    mutating func reportContradictions(
        _ row: LedgerRow, _ frame: DequeuedFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard let said = said(by: frame) else { return }
        let believed = believed
        report(.exposure, row, believed, found: said.exposure, now, &actions)
        report(.gain, row, believed, found: said.gain, now, &actions)
    }

    /// The same of one component.
    ///
    /// While somebody else's change is under way a frame may show that too, which is no news.
    private mutating func report(
        _ component: SettingComponent, _ row: LedgerRow, _ believed: AppliedSettings, found: Int64?,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var expected = believed[component]
        let change = external[component]
        let isExplained = change.isHidden && found.map(change.explains) ?? false
        if !isExplained {
            let planned = shared.plan.settings[Int(row.settings)].quantised
            expected = expected ?? planned.asked(component)
        }
        let event = metadata.contradiction(
            component.group, row, believed: expected, found: found)
        if let event { actions.push(.log(event, at: now)) }
    }
}
