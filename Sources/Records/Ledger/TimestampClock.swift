public import Timebase

/// What is known of the clock that a driver timestamped a frame with.
///
/// V4L2's flag is only the driver's claim; the engine tests it (`timestamp-clock` in the log).
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

    /// The names that a ledger can have: those of the host's clocks, and `unknown`.
    private static let named = ([.monotonic, .unknown] + ClockSource.host.map(Self.host)).map {
        (name: $0.name, clock: $0)
    }

    /// Reads what ``name`` writes; nil for anything else.
    init?(name: String) {
        guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
        self = known.clock
    }
}
