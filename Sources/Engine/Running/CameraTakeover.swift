internal import Devices
internal import Glibc
internal import Recipes
internal import Records
internal import Timebase

/// Takes a camera over from its automatics, before the stream starts.
///
/// Automatics go off first, each in a call of its own: drivers send a batch in an order of their own, and a camera may
/// refuse a value while its automatic is on. What any settings of the plan lock at `current` is read before that and
/// written again after it. Then the first settings are written and read back, and everything else that changes pixels
/// is pinned. Whatever the camera reports that it can't keep is refused here. Nothing of it is on the capture path.
struct CameraTakeover {
    let plan: Plan
    let camera: any CameraDriver
    /// Has the codes of all settings, and takes those that are read here.
    let writer: SettingsWriter
    /// Lets time pass, while a lens comes to rest; does nothing unless set.
    var rest: (Interval) -> Void = { _ in }

    /// Sets what changes how pixels lie in memory, before the format is set: a flip moves the Bayer order.
    ///
    /// - Throws: ``DeviceError`` where the camera can't be pinned at such a value. Pins of controls that it does not
    ///   have, or that change no layout, are passed over.
    static func setLayout(
        _ profile: CameraProfile, _ camera: any CameraDriver
    ) throws(DeviceError) {
        let status = try ControlStatus(camera)
        for value in profile.layoutPins where status[value.control]?.changesLayout == true {
            if let refusal = status.refusal(ofPin: value) { throw refusal }
            if !status.has(value) { try camera.set([value]) }
        }
    }

    /// Takes the camera over.
    ///
    /// - Parameter report: takes what happened, for the log of the run.
    /// - Returns: what the device has now.
    /// - Throws: ``DeviceError`` naming the control that the camera refused.
    func perform(_ report: (RunEvent) -> Void) throws(DeviceError) -> AppliedSettings {
        if let obstacle = try ControlStatus(camera).obstacle { throw obstacle }
        guard !plan.settings.isEmpty else { return AppliedSettings() }
        let kept = try readCurrent()
        try switchAutomaticsOff(report)
        writer.keep(kept)
        // Only now do flags show whether a value can be locked.
        let status = try ControlStatus(camera)
        for value in lockedControls {
            if let refusal = status.refusal(of: value) { throw refusal }
        }
        var applied = AppliedSettings()
        for control in kept { try write(control.value, status, report) }
        try writeSettings(status, into: &applied, report)
        camera.watch(watchedControls)
        return applied
    }

    /// Does it all once more, for a camera that forgets its settings when its stream starts.
    ///
    /// - Parameters:
    ///   - applied: what the device had before the stream started.
    ///   - report: takes what happened.
    /// - Returns: what the device has now.
    func repeatAfterStart(
        _ applied: AppliedSettings, _ report: (RunEvent) -> Void
    ) throws(DeviceError) -> AppliedSettings {
        var applied = applied
        try switchAutomaticsOff(report)
        try writeSettings(try ControlStatus(camera), into: &applied, report)
        return applied
    }

    /// Each in a call of its own; those that the camera lacks, or that are off for good, are passed over.
    private func switchAutomaticsOff(_ report: (RunEvent) -> Void) throws(DeviceError) {
        let status = try ControlStatus(camera)
        for value in automatics where !status.lacks(value.control) && !status.has(value) {
            try write(value, status, optional: true, report)
        }
    }

    /// Writes and reads back the first settings, then everything that is pinned.
    ///
    /// In this order: blanking alone, since the range of exposures depends on it; the lens to the side it comes from;
    /// all other codes; then the pins.
    private func writeSettings(
        _ status: ControlStatus, into applied: inout AppliedSettings,
        _ report: (RunEvent) -> Void
    ) throws(DeviceError) {
        let codes = writer.codes(of: 0)
        for value in codes where value.control.isBlanking { try write(value, status, report) }
        try approachLens(status, report)
        for value in codes where !value.control.isBlanking { try write(value, status, report) }
        writer.readBack(0, .all, into: &applied, report)
        if let mode = plan.camera.trigger?.mode, status.lacks(mode.control) {
            throw DeviceError(
                .unsupported,
                "the camera has no control \(mode.control.name), which should make it follow its"
                    + " trigger line: correct `trigger` in the camera profile")
        }
        for value in plan.camera.profile.pinned where !status.lacks(value.control) {
            if let refusal = status.refusal(ofPin: value) { throw refusal }
            guard !status.has(value), try write(value, status, optional: true, report) else {
                continue
            }
            guard case .success(let found) = camera.read(value.control) else { continue }
            report(
                .readBack(settings: 0, control: value.control, asked: value.code, found: found))
        }
    }

    /// Sends the lens beyond its first place, where the settings ask for it, and lets it come to rest there.
    ///
    /// The read-back is for the log; its own place is read back with the other settings.
    private func approachLens(
        _ status: ControlStatus, _ report: (RunEvent) -> Void
    ) throws(DeviceError) {
        guard let start = writer.approach(of: 0) else { return }
        try write(start, status, report)
        switch camera.read(start.control) {
        case .success(let found):
            report(
                .lensApproach(
                    settings: 0, control: start.control, asked: start.code, found: found))
        case .failure: report(.readBackFailed(settings: 0, control: start.control))
        }
        rest(plan.camera.profile.delay(of: .lens).settle)
    }

    /// The automatics of what the recipe locks, with the values that switch them off.
    ///
    /// Nothing is switched off that drives only what the recipe leaves free.
    private var automatics: [ControlValue] {
        plan.camera.profile.automaticsOff.filter { value in
            plan.settings.contains { $0.requested.controls(automatic: value.control) }
                || plan.camera.profile.pinned.contains { $0.control.automatic == value.control }
        }
    }

    /// Each control that any settings lock, with one of its values.
    private var lockedControls: [ControlValue] {
        var locked: [ControlValue] = []
        for settings in plan.settings.indices {
            for value in writer.codes(of: Int32(settings))
            where !locked.contains(where: { $0.control == value.control }) {
                locked.append(value)
            }
        }
        return locked
    }

    /// Everything whose change by somebody else would make frames other than the recipe asks for.
    ///
    /// The privacy switch and a raw sensor's blanking and digital gain are among them, though no recipe locks them.
    private var watchedControls: [CameraControl] {
        let locked = lockedControls.map(\.control)
        let pinned = plan.camera.profile.pinned.map(\.control)
        let privacy = [CameraControl(name: "privacy")].compactMap { $0 }
        let registers: [CameraControl] =
            plan.camera.profile.sensor == nil
            ? [] : [.verticalBlanking, .horizontalBlanking, .digitalGain]
        return locked + locked.compactMap(\.automatic) + automatics.map(\.control) + pinned
            + privacy + registers
    }

    /// The codes of everything that is locked where it is.
    ///
    /// - Throws: ``DeviceError`` if one can't be read: it could not be written again.
    private func readCurrent() throws(DeviceError) -> [SavedControl] {
        var kept: [SavedControl] = []
        for group in ControlGroup.all
        where plan.settings.contains(where: { $0.requested.kind(of: group) == .current }) {
            for control in plan.camera.profile.controls(of: group) {
                let code = try camera.read(control).get()
                kept.append(SavedControl(group: group, value: ControlValue(control, code)))
            }
        }
        return kept
    }

    /// Writes one control; one that the camera does not have is passed over if it is optional.
    ///
    /// - Returns: whether it was written.
    /// - Throws: ``DeviceError`` naming control and profile, or with the kernel's reason.
    @discardableResult
    private func write(
        _ value: ControlValue, _ status: ControlStatus, optional: Bool = false,
        _ report: (RunEvent) -> Void
    ) throws(DeviceError) -> Bool {
        if !optional, status.lacks(value.control) {
            throw DeviceError(
                .unsupported,
                "camera \(camera.identity.id) has no control \(value.control.name), which the camera profile `"
                    + "\(plan.camera.profile.name)` names; `framelock devices` lists those it has")
        }
        return try camera.set([value], isOptional: optional) {
            report(.writeRepeated(settings: 0, errno: $0))
        }
    }
}

extension FrameSettings {
    /// Whether one of the locked settings is driven by this automatic.
    func controls(automatic control: CameraControl) -> Bool {
        let driven = ControlGroups(drivenBy: control)
        return ControlGroup.all.contains { driven.has($0) && kind(of: $0) != .free }
    }
}
