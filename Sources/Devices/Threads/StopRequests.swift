internal import Synchronization

/// Counts requests to stop, from any thread: the first ends a run in order, the second at once.
public final class StopRequests: Sendable {
    private let requests = Atomic<Int>(0)

    /// Creates a counter at zero.
    public init() {}

    /// Asks to stop once more; returns how often it was asked by now.
    @discardableResult
    public func request() -> Int {
        requests.wrappingAdd(1, ordering: .releasing).newValue
    }

    /// How often it was asked so far.
    public var count: Int { requests.load(ordering: .acquiring) }
}
