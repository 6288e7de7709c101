public import Timebase

/// Says how warm the instrument is.
///
/// Asked by the thread that writes the record, never by the one that captures: a sensor behind a slow bus may take its
/// time.
public protocol Thermometer: Sendable {
    /// Which one it is, for the manifest: `thermal_zone0 (cpu-thermal)`.
    var name: String { get }
    /// The temperature at this time; nil if it can't be read.
    func read(at time: Instant<Session>) -> Temperature?
}
