/// A still that could not be made, in words for the person at the instrument.
public struct StillError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried and what the library said.
    public var description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
