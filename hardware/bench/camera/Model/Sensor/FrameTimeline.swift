/// When the frames of one stream are read out: periods of the device clock, told in host time.
struct FrameTimeline: Sendable {
    private let clock: DeviceClock
    private let jitterNanoseconds: Int64
    private var generator: SeededGenerator
    private var idealDeviceNanoseconds: Int64
    private(set) var counter = 0
    /// Host time of the next frame's readout.
    private(set) var nextReadoutNanoseconds: Int64

    /// - Parameter first: host time of the first frame's readout, before jitter.
    init(first: Int64, clock: DeviceClock, jitterNanoseconds: Int64, seed: UInt64) {
        self.clock = clock
        self.jitterNanoseconds = jitterNanoseconds
        generator = SeededGenerator(seed: seed)
        idealDeviceNanoseconds = clock.deviceNanoseconds(first)
        nextReadoutNanoseconds = first
        place()
    }

    /// Goes on to the next frame, whose readout ideally starts one period later.
    mutating func advance(byDeviceNanoseconds period: Int64) {
        counter += 1
        idealDeviceNanoseconds += period
        place()
    }

    private mutating func place() {
        let late =
            jitterNanoseconds > 0 ? Int64(generator.next() % UInt64(jitterNanoseconds + 1)) : 0
        nextReadoutNanoseconds = clock.hostNanoseconds(idealDeviceNanoseconds) + late
    }
}
