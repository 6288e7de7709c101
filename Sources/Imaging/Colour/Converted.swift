/// The result of a conversion, with what of it is out of range.
public struct Converted<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The result, not clamped.
    public var value: Value
    /// The limits that it is beyond; empty if it is good.
    public var limits: [ColourLimit]

    /// Creates a result.
    public init(_ value: Value, limits: [ColourLimit] = []) {
        self.value = value
        self.limits = limits
    }
}
