public import Timebase

/// What is known of the clock that a driver timestamped a frame with.
public enum TimestampClock: BitwiseCopyable, Hashable, Sendable {
    /// The one that it claims, which nothing contradicts.
    case monotonic
    /// Another of the host's.
    case host(ClockSource)
    /// None that was read: the timestamp means no moment that anybody knows.
    case unknown

    /// As the ledger names it.
    var name: String {
        switch self {
        case .monotonic: "\(Monotonic.clockName)"
        case .host(let source): source.fixedName ?? "unknown"
        case .unknown: "unknown"
        }
    }

    private static let named = ([.monotonic, .unknown] + ClockSource.host.map(Self.host)).map {
        (name: $0.name, clock: $0)
    }

    /// Reads what ``name`` writes; nil for anything else.
    init?(name: String) {
        guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
        self = known.clock
    }
}
