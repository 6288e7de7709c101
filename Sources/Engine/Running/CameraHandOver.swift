internal import Cameras
internal import Glibc
internal import Recipes
internal import Records

/// Takes a camera over from its automatics, before the stream starts.
///
/// Automatics go off first, each in a call of its own: drivers send a batch in an order of their own, and a camera
/// may refuse a value while its automatic is on. What any settings of the plan lock at `current` is read before that
/// and written again after it. Then everything else that changes pixels is pinned, and the first settings are written
/// and read back.
struct CameraHandOver {
    let plan: Plan
    let camera: any CameraDriver
    let writer: SettingsWriter

    /// Takes the camera over.
    ///
    /// - Returns: what the device has now.
    /// - Throws: ``CameraError`` naming the control that the camera refused.
    func perform(_ report: (RunEvent) -> Void) throws(CameraError) -> AppliedSettings {
        guard !plan.settings.isEmpty else { return AppliedSettings() }
        var applied = AppliedSettings()
        let kept = try readCurrent()
        for value in plan.camera.profile.automaticsOff
        where plan.settings.contains(where: { $0.requested.controls(automatic: value.control) }) {
            try write(value, optional: true)
        }
        for control in kept {
            try write(control.value, optional: false)
            writer.note(control.value, in: &applied)
        }
        writer.keep(kept)
        for value in plan.camera.profile.pinned { try write(value, optional: true) }
        for value in writer.codes(of: 0) { try write(value, optional: false) }
        writer.readBack(0, .all, into: &applied, report)
        return applied
    }

    /// The codes of everything that is locked where it is.
    private func readCurrent() throws(CameraError) -> [KeptControl] {
        let profile = plan.camera.profile
        let balance = profile.whiteBalance
        let components = balance?.components
        let candidates: [(KeptControl.Subject, CameraControl?)] = [
            (.exposure, profile.exposure?.control), (.gain, profile.gain?.control),
            (.lens, profile.focus?.control), (.whiteBalance, components?.red),
            (.whiteBalance, components?.blue),
            (.whiteBalance, components == nil ? balance?.temperature?.control : nil),
        ]
        var kept: [KeptControl] = []
        for (subject, control) in candidates {
            guard let control,
                plan.settings.contains(where: { subject.isCurrent(in: $0.requested) })
            else { continue }
            let code = try camera.read(control).get()
            kept.append(KeptControl(subject: subject, value: ControlValue(control, code)))
        }
        return kept
    }

    /// Writes one control; one that the camera does not have is passed over if it is optional.
    private func write(_ value: ControlValue, optional: Bool) throws(CameraError) {
        var status: Int32 = 0
        withUnsafePointer(to: value) { pointer in
            status = camera.write(UnsafeBufferPointer(start: pointer, count: 1))
        }
        // EINVAL: the camera has no such control.
        if status == 0 || (optional && status == -EINVAL) { return }
        throw refusal(of: value, errno: -status)
    }

    private func refusal(of value: ControlValue, errno: Int32) -> CameraError {
        let what = "camera \(camera.identity.id) refused \(value.control.name) = \(value.code)"
        let reason = String(cString: strerror(errno))
        switch errno {
        case ENODEV:
            return CameraError(.notFound, "\(what): it is gone")
        case ETIMEDOUT:
            return CameraError(
                .refused,
                "\(what): it did not answer in time; unplug it and plug it in again, and leave the"
                    + " setting out of the recipe if that does not help")
        case EBUSY:
            return CameraError(.busy, "\(what): another program has the control")
        default:
            return CameraError(
                .refused,
                "\(what): \(reason); `framelock devices` shows the control's range, and whether an"
                    + " automatic still drives it")
        }
    }
}

extension FrameSettings {
    /// Whether one of the locked settings is driven by this automatic; an unknown one is taken to drive them all.
    func controls(automatic control: CameraControl) -> Bool {
        switch control.name {
        case "auto_exposure", "exposure_dynamic_framerate", "gain_automatic":
            exposure != .free || gain != .free
        case "focus_automatic_continuous": lens != .free
        case "white_balance_automatic": whiteBalance != .free
        default: true
        }
    }
}
