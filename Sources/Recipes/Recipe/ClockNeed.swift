public import Timebase

/// A PTP hardware clock that a recipe wants recorded: a whole definition of its own, or a name that the rig must have.
public struct ClockNeed: Sendable {
    /// The name that records use, and the rig.
    public var name: Located<String>
    /// How the clock is found, where the recipe itself states it; nil leaves it to the rig.
    public var place: ClockRequest.Place?

    /// Creates a need.
    public init(name: Located<String>, place: ClockRequest.Place? = nil) {
        self.name = name
        self.place = place
    }

    /// The clock, where this is a definition; nil where it is a name.
    var request: ClockRequest? {
        place.map { ClockRequest(name: name.value, place: $0) }
    }
}
