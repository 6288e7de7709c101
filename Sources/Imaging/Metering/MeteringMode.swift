/// Which part of a frame its exposure is metered on.
public enum MeteringMode: String, Hashable, Sendable, CaseIterable {
    /// Everything alike.
    case uniform
    /// A box of a tenth of the width and height around the point of interest.
    case spot
    /// Most around the point of interest, less and less away from it.
    case weighted
}
