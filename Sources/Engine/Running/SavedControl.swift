internal import Devices

/// A control that is locked where the run found it (`current` in a recipe), with the code that it had then.
struct SavedControl {
    /// Which of the locked settings it is part of.
    let group: ControlGroup
    let value: ControlValue

    /// Whether these settings lock it at `current`.
    func isLocked(by settings: FrameSettings) -> Bool { settings.kind(of: group) == .current }
}
