internal import Timebase

/// What the readings of a run show of its clocks: a relation for each, made while the run goes on.
///
/// Allocates: it belongs to the writers, not to the capture.
///
/// The record thread feeds it every event. `verify` feeds another one from the log and holds the relations against
/// those of the manifest: the same readings in the same order give the same relations.
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
    /// Nil for a camera whose own clock is not followed; then its readings are of no use.
    private let cameraTicksPerSecond: Int64?
    private let resolution: ClockResolution
    /// In the order in which they were first read.
    ///
    /// A run has few, so that looking through them costs less than a dictionary, whose order would differ between runs.
    private var clocks: [Clock] = []

    init(_ names: RunNames, cameraTicksPerSecond: Int64?, resolution: ClockResolution) {
        self.names = names
        self.resolution = resolution
        self.cameraTicksPerSecond = cameraTicksPerSecond
    }

    /// Takes note of an event, if it is a reading of a clock.
    ///
    /// Readings of a clock come in the order of time; one that breaks with those before begins a new segment.
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
    ///
    /// Each has 64 knots at most: the manifest of a run of days is no longer than that of an hour.
    var relations: [RelatedClock] {
        clocks.map { clock in
            RelatedClock(
                name: names.name(clock.source), readings: Int64(clock.readings),
                ticksPerSecond: clock.source == .camera ? cameraTicksPerSecond : nil,
                relation: clock.estimator.relation)
        }
    }
}
