public import Devices
public import Timebase

/// The line that exposes a plan's camera, and what to expect of it.
public struct PlannedTrigger: Hashable, Sendable {
    /// The input line, as an index into the plan's lines.
    public var line: Int32
    /// When frames are read out after their edges, and how close edges may be.
    public var window: TriggerWindow
    /// The exposure, where a pulse makes it and no setting has it; nil where the exposure is the control's.
    public var exposure: Interval?
    /// The control that switches to the line, which the camera then must have; nil where that is done outside.
    ///
    /// It is one of the pinned controls, so it is written before the stream starts.
    public var mode: ControlValue?

    /// Creates a trigger.
    public init(
        line: Int32, window: TriggerWindow, exposure: Interval? = nil, mode: ControlValue? = nil
    ) {
        self.line = line
        self.window = window
        self.exposure = exposure
        self.mode = mode
    }
}
