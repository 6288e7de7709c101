/// A clock of the machine that a run is to read: a PTP hardware clock.
public struct ClockRequest: Hashable, Sendable {
    /// How the clock is found.
    public enum Place: Hashable, Sendable {
        /// Its device file, for example `/dev/ptp0`.
        case device(String)
        /// The network interface that it belongs to, for example `eth0`; its number may change between boots.
        case interface(String)
    }

    /// The name that the recipe gives it.
    public var name: String
    /// How it is found.
    public var place: Place

    /// Creates a request.
    public init(name: String, place: Place) {
        self.name = name
        self.place = place
    }

    /// What marks the name of such a clock in records, so that none can be taken for one of the host's.
    public static let prefix = "ptp:"
    /// The name in records, for example `ptp:grandmaster`.
    public var recordedName: String { Self.prefix + name }
}
