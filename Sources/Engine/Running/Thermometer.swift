public import Cameras
internal import Records
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

/// Asks a thermometer at the start of a run, every few seconds and at its end.
struct TemperatureLog {
    /// Boards and sensors warm up over minutes.
    static let interval = Interval.seconds(5)

    private let thermometer: (any Thermometer)?
    private var next = Instant<Session>.distantPast

    init(_ thermometer: (any Thermometer)?) {
        self.thermometer = thermometer
    }

    /// What goes into the log at this time; nil if nothing does yet.
    mutating func event(at time: Instant<Session>, isLast: Bool = false) -> RunEvent? {
        guard let thermometer, isLast || time >= next else { return nil }
        next = time + Self.interval
        return .temperature(thermometer.read(at: time))
    }
}
