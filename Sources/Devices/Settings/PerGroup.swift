/// A value for each ``ControlGroup``.
///
/// Of fixed size, for small values: one that is read is copied.
public struct PerGroup<Value> {
    @usableFromInline var exposure: Value
    @usableFromInline var gain: Value
    @usableFromInline var lens: Value
    @usableFromInline var whiteBalance: Value

    /// Creates the same value for every group.
    @inlinable
    public init(repeating value: Value) {
        (exposure, gain, lens, whiteBalance) = (value, value, value, value)
    }

    /// Creates the value of each group.
    @inlinable
    public init(_ value: (ControlGroup) -> Value) {
        (exposure, gain) = (value(.exposure), value(.gain))
        (lens, whiteBalance) = (value(.lens), value(.whiteBalance))
    }

    /// The value of a group.
    @inlinable
    public subscript(group: ControlGroup) -> Value {
        get {
            switch group {
            case .exposure: exposure
            case .gain: gain
            case .lens: lens
            case .whiteBalance: whiteBalance
            }
        }
        set {
            switch group {
            case .exposure: exposure = newValue
            case .gain: gain = newValue
            case .lens: lens = newValue
            case .whiteBalance: whiteBalance = newValue
            }
        }
    }
}

extension PerGroup: BitwiseCopyable where Value: BitwiseCopyable {}
extension PerGroup: Equatable where Value: Equatable {}
extension PerGroup: Hashable where Value: Hashable {}
extension PerGroup: Sendable where Value: Sendable {}

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
