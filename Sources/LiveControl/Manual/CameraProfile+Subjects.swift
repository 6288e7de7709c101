public import Devices

extension CameraProfile {
    /// The controls that hold a subject's values: those that are read and kept.
    public func controls(of subject: ManualSubject) -> [CameraControl] {
        switch subject {
        case .exposure: return [exposure?.control, gain?.control].compactMap { $0 }
        case .focus: return [focus?.control].compactMap { $0 }
        case .whiteBalance:
            if let components = whiteBalance?.components {
                return [components.red, components.blue]
            }
            return [whiteBalance?.temperature?.control].compactMap { $0 }
        }
    }

    /// What switches the automatics of a subject off, in the order in which it is to be written.
    public func automaticsOff(of subject: ManualSubject) -> [ControlValue] {
        automaticsOff.filter { subject.isDriven(by: $0.control) }
    }

    /// Frames from a write of a subject's values to the first frame that surely shows all of them.
    func latencyFrames(of subject: ManualSubject) -> Int {
        switch subject {
        case .exposure: max(exposure?.latencyFrames ?? 0, gain?.latencyFrames ?? 0)
        case .focus: focus?.latencyFrames ?? 0
        case .whiteBalance: whiteBalance?.latencyFrames ?? 0
        }
    }
}

extension ManualSubject {
    /// Whether an automatic drives it; an unknown one is taken to drive everything.
    func isDriven(by automatic: CameraControl) -> Bool {
        switch automatic.name {
        case "auto_exposure", "exposure_dynamic_framerate", "gain_automatic": self == .exposure
        case "focus_automatic_continuous": self == .focus
        case "white_balance_automatic": self == .whiteBalance
        default: true
        }
    }
}
