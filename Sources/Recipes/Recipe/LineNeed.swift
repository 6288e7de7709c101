public import Devices
public import Timebase

/// A line that a recipe uses: a whole definition of its own, or a need that a rig must meet.
public struct LineNeed: Sendable {
    /// The name that steps use, and the rig.
    public var name: Located<String>
    /// Chip and position, where the recipe defines the line itself.
    public var place: Place?
    /// Input or output.
    public var direction: Located<LineRequest.Direction>?
    /// Which edges.
    public var edge: Located<LineRequest.Edge>?
    /// Pull resistor.
    public var bias: Located<LineRequest.Bias>?
    /// Whether a low level means active.
    public var isActiveLow: Located<Bool>?
    /// Debounce time.
    public var debounce: Located<Interval>?
    /// How late the timestamps of its edges may be.
    public var delay: Located<Interval>?
    /// The input that sees what an output does.
    public var sensedBy: Located<String>?

    /// Where a line is.
    public struct Place: Sendable {
        /// The chip's label.
        public var chip: Located<String>
        /// The line on it.
        public var position: Located<LineRequest.Position>
        /// Creates a place.
        public init(chip: Located<String>, position: Located<LineRequest.Position>) {
            self.chip = chip
            self.position = position
        }
    }

    /// Creates a need for a line of this name, without conditions.
    public init(name: Located<String>, place: Place? = nil) {
        self.name = name
        self.place = place
    }
}
