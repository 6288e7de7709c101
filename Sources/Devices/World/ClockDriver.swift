public import Timebase

/// Reads the clocks of a run once a second, whoever's they are.
///
/// Order of calls: `open`, `start`, any number of `read`, `stop`, then `read` until nothing is left. `read` allocates
/// and locks nothing and never waits: readings are made elsewhere and wait to be fetched. At `start` and at `stop` all
/// clocks are read before it returns.
public protocol ClockDriver: AnyObject {
    /// Opens the clocks that a plan asks for beside the host's own.
    ///
    /// - Throws: ``DeviceError`` if one is not there or can't be read.
    func open(_ clocks: [ClockRequest]) throws(DeviceError)

    /// Reads every clock, and goes on to do so once a second.
    func start()

    /// Takes the oldest reading that waits.
    func read() -> ClockReport?

    /// Reads every clock once more, and ends; harmless if it never started.
    func stop()
}

/// What a reading of clocks gives.
public enum ClockReport: BitwiseCopyable, Hashable, Sendable {
    /// A clock against the monotonic one.
    case sample(ClockSample)
    /// How the host's realtime is disciplined.
    case discipline(ClockDiscipline)
}

/// No clocks beside the monotonic one: for worlds of tests.
public final class NoClocks: ClockDriver {
    /// Creates a driver of nothing.
    public init() {}
    /// Refuses every clock.
    public func open(_ clocks: [ClockRequest]) throws(DeviceError) {
        guard let first = clocks.first else { return }
        throw DeviceError(.notFound, "there is no clock `\(first.name)` here")
    }
    /// Does nothing.
    public func start() {}
    /// Nothing was read.
    public func read() -> ClockReport? { nil }
    /// Does nothing.
    public func stop() {}
}
