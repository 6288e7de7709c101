public import Timebase

/// The line that exposes a recipe's camera: hardware does it, and the host only sees the edges.
public struct CameraTrigger: Sendable {
    /// The input line that sees the camera's edges.
    public var line: Located<String>
    /// How long a pulse lasts; nil where the recipe does not state it.
    ///
    /// Needed where the profile's trigger exposes by the pulse, refused where the exposure control does it.
    public var pulse: Located<Interval>?

    /// Creates a trigger.
    public init(line: Located<String>, pulse: Located<Interval>? = nil) {
        self.line = line
        self.pulse = pulse
    }
}
