/// What was measured on one frame.
public struct FrameReading: Hashable, Sendable {
    /// Light by cells; nil if it was not measured.
    public var light: BrightnessGrid?
    /// Colour of the middle; nil if it was not measured, or the format has no colour.
    public var balance: GrayWorld?
    /// Detail in the focus window; nil if it was not measured, or the window is black.
    public var focus: FocusScore?

    /// Creates a reading.
    public init(light: BrightnessGrid? = nil, balance: GrayWorld? = nil, focus: FocusScore? = nil) {
        self.light = light
        self.balance = balance
        self.focus = focus
    }
}
