/// A still that could not be made, in words for the person at the instrument.
///
/// A run notes such a still as missed, with EINVAL, and goes on: the record of the frame does not depend on it.
public struct StillError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried and the library's message.
    public var description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
