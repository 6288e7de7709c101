/// Where a run is recorded.
public enum RunDestination: Hashable, Sendable {
    /// A new folder of exactly this path.
    case exactly(String)
    /// A new folder in this one, named after time and recipe.
    case new(in: String)
}
