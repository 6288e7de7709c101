public import Devices
public import Timebase

/// A line that a recipe uses: a whole definition of its own, or a need that a rig must meet.
///
/// What is nil is not stated: of a definition it gets the default, of a need it is the rig's. Rigs are read into the
/// same type, where chip, line and direction must be there.
public struct LineNeed: Sendable {
    /// The name that steps use, and the rig.
    public var name: Located<String>
    /// Chip and position, where the recipe defines the line itself; nil for a need.
    public var place: Place?
    /// Input or output, seen from the host; nil takes the rig's, or what the first step makes of it.
    public var direction: Located<LineRequest.Direction>?
    /// Which edges of an input count; rising ones by default.
    public var edge: Located<LineRequest.Edge>?
    /// Pull resistor of an input; left as it is by default.
    public var bias: Located<LineRequest.Bias>?
    /// Whether a low level means active; false by default.
    public var isActiveLow: Located<Bool>?
    /// How long a level must hold to count; zero by default.
    public var debounce: Located<Interval>?
    /// How late the timestamps of its edges may be; 300 µs by default.
    public var delay: Located<Interval>?
    /// The input that sees what an output does; nil where nothing is looped back.
    public var sensedBy: Located<String>?

    /// Where a line is.
    public struct Place: Sendable {
        /// The chip's label, never its number, which changes between boots.
        public var chip: Located<String>
        /// The line on it, by name or by number from 0.
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
