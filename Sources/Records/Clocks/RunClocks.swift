internal import Timebase

/// What the readings of a run say of its clocks: a relation for each, made while the run goes on.
///
/// Allocates: it belongs to the writers, not to the capture.
struct RunClocks {
    /// One clock against the monotonic one.
    private struct Clock {
        let source: ClockSource
        var estimator: ClockEstimator<Monotonic, DeviceClock>
        var readings = 0
    }

    /// Knots of a relation in the manifest, however long the run: it is thinned out.
    private static let knots = 64

    private let names: RunNames
    private let cameraTicksPerSecond: Int64?
    private let resolution: ClockResolution
    /// In the order in which they were first read.
    private var clocks: [Clock] = []

    init(_ names: RunNames, cameraTicksPerSecond: Int64?, resolution: ClockResolution) {
        self.names = names
        self.resolution = resolution
        self.cameraTicksPerSecond = cameraTicksPerSecond
    }

    /// Takes note of an event, if it is a reading of a clock.
    mutating func note(_ event: RunEvent) {
        guard case .clockSample(let sample) = event,
            let reading = sample.reading(
                cameraTicksPerSecond: cameraTicksPerSecond, resolution: resolution)
        else { return }
        var place = clocks.firstIndex { $0.source == sample.clock }
        if place == nil {
            place = clocks.count
            clocks.append(
                Clock(
                    source: sample.clock,
                    estimator: ClockEstimator(sample.clock.behaviour, knots: Self.knots)))
        }
        guard let place else { return }
        clocks[place].readings += 1
        _ = clocks[place].estimator.add(reading)
    }

    /// The relations so far.
    var relations: [RelatedClock] {
        clocks.map { clock in
            RelatedClock(
                name: names.name(clock.source), readings: Int64(clock.readings),
                ticksPerSecond: clock.source == .camera ? cameraTicksPerSecond : nil,
                relation: clock.estimator.relation)
        }
    }
}
