/// Where a run is recorded.
public enum RunDestination: Hashable, Sendable {
    /// A new folder of exactly this path.
    case exactly(String)
    /// A new folder in this one, named after time and recipe.
    case new(in: String)

    /// Where runs are recorded that nobody says another folder for.
    package static let defaultFolder = "runs"

    /// The folder of the run, or of all runs.
    var place: String {
        switch self {
        case .exactly(let path), .new(let path): path
        }
    }
}
