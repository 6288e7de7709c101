/// The version of framelock, as the record names it.
public enum FramelockVersion {
    /// By Semantic Versioning.
    public static let text = "0.1.0"
}
