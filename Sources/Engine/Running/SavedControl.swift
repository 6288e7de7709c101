internal import Devices

/// A control that is locked where the run found it.
struct SavedControl {
    /// Which of the locked settings it is part of.
    enum Subject {
        case exposure, gain, lens, whiteBalance
    }

    let subject: Subject
    let value: ControlValue

    /// Whether these settings lock it at `current`.
    func isLocked(by settings: FrameSettings) -> Bool { subject.isCurrent(in: settings) }
}

extension SavedControl.Subject {
    /// Whether settings lock this at `current`.
    func isCurrent(in settings: FrameSettings) -> Bool {
        switch self {
        case .exposure: settings.exposure == .current
        case .gain: settings.gain == .current
        case .lens: settings.lens == .current
        case .whiteBalance: settings.whiteBalance == .current
        }
    }
}

extension FrameSettings {
    /// Whether anything is locked at `current`.
    var keepsSomething: Bool {
        exposure == .current || gain == .current || lens == .current || whiteBalance == .current
    }
}
