public import Devices

extension ManualSubject {
    /// The groups of controls that hold its values.
    public var groups: ControlGroups {
        switch self {
        case .exposure: [ControlGroups(.exposure), ControlGroups(.gain)]
        case .focus: ControlGroups(.lens)
        case .whiteBalance: ControlGroups(.whiteBalance)
        }
    }
}

extension CameraProfile {
    /// The controls that hold a subject's values: those that are read and kept.
    public func controls(of subject: ManualSubject) -> [CameraControl] {
        let groups = subject.groups
        return ControlGroup.all.filter(groups.has).flatMap { controls(of: $0) }
    }

    /// What switches the automatics of a subject off, in the order in which it is to be written.
    public func automaticsOff(of subject: ManualSubject) -> [ControlValue] {
        automaticsOff.filter {
            !ControlGroups(drivenBy: $0.control).isDisjoint(with: subject.groups)
        }
    }
}
