public import Notation

/// A value and where it was written, so that whatever is wrong with it later can be shown there.
///
/// The compiler works long after the file was read; these are all it keeps of the text. A value that came by `$NAME`
/// has the place where it is used.
public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Where it was written.
    public var range: SourceRange

    /// Creates a located value.
    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }
}

/// Equal are values at equal places: two of the same value are not.
extension Located: Equatable where Value: Equatable {}
