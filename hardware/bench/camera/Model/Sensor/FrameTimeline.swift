/// When the frames of one stream are read out: periods of the device clock, told in host time.
///
/// A triggered timeline has a next readout only after a trigger.
struct FrameTimeline: Sendable {
    private let clock: DeviceClock
    private let jitterNanoseconds: Int64
    private var generator: SeededGenerator
    private var idealDeviceNanoseconds: Int64
    private(set) var counter = 0
    /// Host time of the next frame's readout; nil while a trigger is awaited.
    private(set) var nextReadoutNanoseconds: Int64?
    private let isTriggered: Bool
    /// The earliest device time of the next readout, so that readouts keep their distance.
    private var earliestDeviceNanoseconds: Int64

    /// - Parameter first: host time of the first frame's readout, before jitter.
    init(
        first: Int64, clock: DeviceClock, jitterNanoseconds: Int64, seed: UInt64, isTriggered: Bool
    ) {
        self.isTriggered = isTriggered
        self.clock = clock
        self.jitterNanoseconds = jitterNanoseconds
        generator = SeededGenerator(seed: seed)
        idealDeviceNanoseconds = clock.deviceNanoseconds(first)
        earliestDeviceNanoseconds = 0
        if !isTriggered { place() }
    }

    /// Starts the exposure of the next frame.
    ///
    /// - Returns: whether the frame will come; not if it would be read out while the one before still is, or if an
    ///   exposure is under way.
    mutating func trigger(at now: Int64, exposureNanoseconds: Int64) -> Bool {
        let readout = clock.deviceNanoseconds(now) + exposureNanoseconds
        guard isTriggered, nextReadoutNanoseconds == nil, readout >= earliestDeviceNanoseconds
        else { return false }
        idealDeviceNanoseconds = readout
        place()
        return true
    }

    /// Goes on to the next frame, whose readout ideally starts one period later.
    mutating func advance(byDeviceNanoseconds period: Int64) {
        counter += 1
        if isTriggered {
            earliestDeviceNanoseconds = idealDeviceNanoseconds + period
            nextReadoutNanoseconds = nil
        } else {
            idealDeviceNanoseconds += period
            place()
        }
    }

    private mutating func place() {
        let late =
            jitterNanoseconds > 0 ? Int64(generator.next() % UInt64(jitterNanoseconds + 1)) : 0
        nextReadoutNanoseconds = clock.hostNanoseconds(idealDeviceNanoseconds) + late
    }
}
