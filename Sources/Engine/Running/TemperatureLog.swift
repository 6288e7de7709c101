internal import Devices
internal import Records
internal import Timebase

/// Asks a thermometer at the start of a run, every few seconds and at its end; on the thread that writes the record.
struct TemperatureLog {
    /// From reading to reading: boards and sensors warm up over minutes.
    static let interval = Interval.seconds(5)

    private let thermometer: (any Thermometer)?
    private var next = Instant<Session>.distantPast

    init(_ thermometer: (any Thermometer)?) {
        self.thermometer = thermometer
    }

    /// What goes into the log at this time; nil if nothing does yet.
    ///
    /// - Parameters:
    ///   - time: session time; the first reading is made at once.
    ///   - isLast: whether the run has ended, so that it is read once more.
    mutating func event(at time: Instant<Session>, isLast: Bool = false) -> RunEvent? {
        guard let thermometer, isLast || time >= next else { return nil }
        next = time + Self.interval
        return .temperature(thermometer.read(at: time))
    }
}
