internal import Timebase

/// The frames that a triggered sensor has made and the host has not taken yet.
struct TriggeredExposures {
    /// A frame on its way, and what it was exposed with.
    struct Frame {
        var readout: Instant<Monotonic>
        var fate: SimulatedTriggeredSensor.Fate
        var state: SensorState
    }

    private var sensor: SimulatedTriggeredSensor
    private var nextSequence: UInt32 = 0
    /// Frames so far, whatever became of them.
    private(set) var count: Int64 = 0
    var frames: [Frame] = []

    init(_ sensor: SimulatedTriggeredSensor) { self.sensor = sensor }

    /// A pulse comes while the sensor has these settings.
    mutating func take(_ pulse: SimulatedPulse, _ state: SensorState) {
        let exposure = Interval.microseconds(state.exposureMicroseconds)
        if let frame = sensor.take(pulse, exposure: exposure) { add(frame, state) }
        // Well after its frame, before the next pulse.
        let quiet = pulse.time + exposure + SimulatedTriggeredSensor.deadTime * 2
        if let frame = sensor.idle(at: quiet, exposure: exposure) { add(frame, state) }
    }

    /// The number of the next frame that reaches the driver.
    mutating func takeSequence() -> UInt32 {
        defer { nextSequence &+= 1 }
        return nextSequence
    }

    private mutating func add(_ frame: SimulatedTriggeredSensor.Frame, _ state: SensorState) {
        count += 1
        frames.append(Frame(readout: frame.readout, fate: frame.fate, state: state))
    }
}
