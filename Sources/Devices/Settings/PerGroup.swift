/// A value for each ``ControlGroup``.
///
/// Of fixed size, for small values: one that is read is copied.
public struct PerGroup<Value> {
    @usableFromInline var values: GroupArray<Value>

    /// Creates the same value for every group.
    @inlinable
    public init(repeating value: Value) { values = GroupArray(repeating: value) }

    /// Creates the value of each group.
    @inlinable
    public init(_ value: (ControlGroup) -> Value) {
        values = GroupArray { value(ControlGroup.all[$0]) }
    }

    /// The value of a group.
    @inlinable
    public subscript(group: ControlGroup) -> Value {
        get { values[group.rawValue] }
        set { values[group.rawValue] = newValue }
    }
}

extension PerGroup: BitwiseCopyable where Value: BitwiseCopyable {}
extension PerGroup: Sendable where Value: Sendable {}
extension PerGroup: Equatable where Value: Equatable {
    /// Whether every group has the same value.
    @inlinable
    public static func == (a: PerGroup, b: PerGroup) -> Bool {
        for place in a.values.indices where a.values[place] != b.values[place] { return false }
        return true
    }
}
extension PerGroup: Hashable where Value: Hashable {
    /// Hashes the values in the order of raw values.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for place in values.indices { hasher.combine(values[place]) }
    }
}

/// The values that a frame is to have, as numbers that the caller gives them: equal numbers, equal values.
public typealias GroupValues = PerGroup<Int32>

extension PerGroup where Value == Int32 {
    /// Stands for a group that may have any value.
    public static let anything: Int32 = -1
    /// Stands for a group whose value is unknown: no group's value.
    public static let nothing: Int32 = -2

    /// Creates values that leave every group free.
    public init() { self.init(repeating: Self.anything) }
}
