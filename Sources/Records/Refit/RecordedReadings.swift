internal import Devices
internal import Timebase

/// All readings of a run's clocks, from its events.
///
/// Kept in memory all at once: a second has one reading of each clock, and a fit needs those before and after a time.
struct RecordedReadings {
    /// One clock against the monotonic one.
    struct Clock {
        let source: ClockSource
        /// In the order of the log.
        var readings: [ClockReading<Monotonic, DeviceClock>] = []
    }

    /// In the order in which they were first read.
    private(set) var clocks: [Clock] = []

    /// Reads the events of a run; what is no event is left to `verify`.
    ///
    /// - Throws: ``StorageError`` if the log can't be read.
    init(_ run: RecordedRun) throws(StorageError) {
        let reader = try EventReader(run.folder.events, run.names)
        while let item = try reader.next() {
            guard case .event(let logged, _) = item, case .clockSample(let sample) = logged.event,
                let reading = sample.reading(
                    cameraTicksPerSecond: run.manifest.configuration.cameraTicksPerSecond,
                    resolution: run.manifest.clockResolution)
            else { continue }
            if let index = clocks.firstIndex(where: { $0.source == sample.clock }) {
                clocks[index].readings.append(reading)
            } else {
                clocks.append(Clock(source: sample.clock, readings: [reading]))
            }
        }
    }
}

extension RecordedReadings.Clock {
    /// The relation that all readings give.
    ///
    /// - Parameter range: the times that it is to cover before the first reading and after the last; nil for no
    ///   more than the readings themselves.
    func relation(
        covering range: ClosedRange<Instant<Monotonic>>?
    ) -> ClockSegments<Monotonic, DeviceClock> {
        ClockFit(readings, behaviour: source.behaviour).relation(covering: range)
    }
}
