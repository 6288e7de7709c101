internal import Devices

/// The metadata node of a simulated sensor that sends its registers along: a queue of its own, with frames' numbers.
///
/// The exposure register counts microseconds and has 16 bits like every sensor's, so longer exposures are left out.
struct SimulatedMetadataNode {
    private struct Entry {
        var buffer: MetadataBuffer
        var bytes: [UInt8]
    }

    private let faults: InjectedFaults
    private var random: SplitMix64
    private var matcher = MetadataMatcher()
    private var queue: [Entry] = []
    /// What was taken from the queue and not used yet.
    private var taken: [Entry] = []
    /// What comes one frame too late: it is queued just before the next frame's.
    private var late: Entry?
    /// What the frame before was exposed with.
    private var before = SensorState()
    private var count: UInt32 = 0
    /// The sensor's own count of frames, and that of the frame before.
    private var frames: UInt8 = 0
    private var beforeNumber: UInt8 = 0

    init(_ options: SimulationOptions) {
        faults = options.faults.injected
        random = SplitMix64(seed: options.seed).split(14)
    }

    /// The sensor has sent a frame, which the driver gives a number.
    mutating func send(_ state: SensorState, number: UInt32) {
        // Each is drawn for each frame, so that one fault more or less leaves the others where they are.
        let isLost = random.happens(chancePerMillion: faults.lostMetadata)
        let isLate = random.happens(chancePerMillion: faults.lateMetadata)
        let isWrong = random.happens(chancePerMillion: faults.wrongMetadata)
        let sensorCount = isWrong ? beforeNumber : frames
        let bytes = Self.line(isWrong ? before : state, count: sensorCount)
        beforeNumber = frames
        frames &+= 1
        let entry = Entry(
            buffer: MetadataBuffer(index: count, sequence: number, byteCount: bytes.count),
            bytes: bytes)
        before = state
        count &+= 1
        if let late { queue.append(late) }
        late = isLate && !isLost ? entry : nil
        if !isLost, !isLate { queue.append(entry) }
    }

    /// What the sensor reports of a frame with this number; frames are asked for in order.
    mutating func data(of number: UInt32) -> EmbeddedData? {
        var (queue, taken) = (self.queue, self.taken)
        let buffer = matcher.take(
            number,
            next: {
                guard !queue.isEmpty else { return nil }
                taken.append(queue.removeFirst())
                return taken.last?.buffer
            }, passOver: { _ in })
        self.queue = queue
        // What comes before the buffer that was taken, or waits for a later frame, has no use any more.
        self.taken = taken.suffix(1)
        guard let entry = taken.last, entry.buffer == buffer else { return nil }
        return entry.bytes.withUnsafeBytes {
            try? EmbeddedData($0, lineByteCount: $0.count, packing: .bits12)
        }
    }

    /// The registers as a sensor with 12 bits sends them: a dummy in every third byte.
    ///
    /// - Parameter count: the sensor's own number of the frame, register 0x0005.
    private static func line(_ state: SensorState, count: UInt8) -> [UInt8] {
        var bytes: [UInt8] = [0x0a]
        func add(_ register: UInt16, _ value: Int64) {
            guard let word = UInt16(exactly: value) else { return }
            for (address, byte) in [(register, word >> 8), (register + 1, word & 0xff)] {
                for pair in [(0xaa, address >> 8), (0xa5, address & 0xff), (0x5a, byte)] {
                    bytes += [UInt8(pair.0), UInt8(pair.1)]
                }
            }
        }
        bytes += [0xaa, 0x00, 0xa5, 0x05, 0x5a, count]
        add(0x0202, state.exposureMicroseconds)
        add(0x0204, state.gainCode)
        bytes += [0x07, 0x07]
        var line: [UInt8] = []
        for byte in bytes {
            if line.count % 3 == 2 { line.append(0x55) }
            line.append(byte)
        }
        return line
    }
}
