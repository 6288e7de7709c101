internal import Notation
internal import Timebase

/// All readings of a run's clocks, from its events.
struct RecordedReadings {
    /// One clock against the monotonic one.
    struct Clock {
        let source: ClockSource
        var readings: [ClockReading<Monotonic, DeviceClock>] = []
    }

    /// In the order in which they were first read.
    private(set) var clocks: [Clock] = []
    private let cameraTicksPerSecond: Int64?

    /// Reads the events of a run; what is no event is left to `verify`.
    init(_ run: RecordedRun) throws(StorageError) {
        cameraTicksPerSecond =
            run.manifest["configuration"]?["camera_ticks_per_second"]?.integerValue
        let reader = try EventReader(run.folder.events, run.names)
        while let item = try reader.next() {
            guard case .event(let logged, _) = item, case .clockSample(let sample) = logged.event,
                let reading = reading(sample)
            else { continue }
            if let index = clocks.firstIndex(where: { $0.source == sample.clock }) {
                clocks[index].readings.append(reading)
            } else {
                clocks.append(Clock(source: sample.clock, readings: [reading]))
            }
        }
    }

    /// A sample as a fit takes it; nil if it says nothing.
    private func reading(_ sample: ClockSample) -> ClockReading<Monotonic, DeviceClock>? {
        guard sample.clock == .camera else {
            return ClockReading(
                before: sample.before, reading: Instant(nanoseconds: sample.reading),
                after: sample.after)
        }
        guard let rate = cameraTicksPerSecond, rate > 0,
            let time = Int64(exactly: Int128(sample.reading) * 1_000_000_000 / Int128(rate))
        else { return nil }
        return ClockReading(
            before: sample.before, reading: Instant(nanoseconds: time), after: sample.after,
            resolution: .nanoseconds(1_000_000_000 / rate + 1))
    }
}

extension RecordedReadings.Clock {
    /// The relation that all readings give.
    func relation(
        covering range: ClosedRange<Instant<Monotonic>>?
    ) -> ClockSegments<Monotonic, DeviceClock> {
        let behaviour: ClockBehaviour =
            switch source {
            case .realtime, .tai, .boottime: .sameOscillator
            // What NTP does to the monotonic clock shows in both.
            case .monotonicRaw, .planned, .camera: .steered
            }
        return ClockFit(readings, behaviour: behaviour).relation(covering: range)
    }
}
