package import Devices
internal import Glibc
internal import Imaging
internal import TestSupport
package import Timebase

/// A camera whose every frame is on record: what it was really exposed with, and when.
///
/// Frames are made before the run, so that it allocates nothing while it streams. Shares no code with the simulation.
package final class TestCamera: CameraDriver {
    /// The truth about one frame of the sensor, delivered or not.
    package struct Truth {
        /// What became of it on its way.
        enum Fate: String { case delivered, damaged, lostByDriver, lostInside, noBuffer }
        var fate: Fate
        /// Its number, where it got one.
        var sequence: UInt32?
        var timestamp: Instant<Monotonic>
        /// What the driver says instead, where it has lost its clock.
        var said: Instant<Monotonic>?
        var exposureStart: Instant<Monotonic>
        var readoutStart: Instant<Monotonic>
        /// Code and lens at the time of the exposure, and whether the lens stood still.
        var code: Int64
        var lens: Int64
        /// What the device says that it had: not the same after a write that it lost.
        var claimed: (code: Int64, lens: Int64)
        var isSteady: Bool
        /// It has the timestamp of the next frame, which is lost.
        var hasNextTimestamp = false
    }

    /// What a driver that has lost its clock timestamps frames with.
    enum TimestampFault {
        case zero
        /// That of the last frame that was delivered.
        case stuck
        /// So much later, or earlier.
        case stepped(Interval)
    }

    /// How the camera misbehaves, in chances in a hundred for each frame or write.
    package struct Faults {
        var lostByDriver: Int64 = 0
        var lostInside: Int64 = 0
        var damaged: Int64 = 0
        var refusedWrites: Int64 = 0
        /// Writes that take up to 200 ms longer.
        var lateWrites: Int64 = 0
        /// Writes that are acknowledged and read back, and never reach the sensor.
        var lostWrites: Int64 = 0
        /// Whether frames are lost once all buffers wait for a host that is late.
        var hasFewBuffers = false
        /// When somebody else changes the exposure, and to which code.
        var externalWrites: [(at: Instant<Monotonic>, code: Int64)] = []
        /// Frames of the sensor at which the driver begins to count anew.
        var resets: [Int] = []
        /// Frames of the sensor whose timestamps are no good, and how.
        var badTimestamps: [(frames: Range<Int>, fault: TimestampFault)] = []
        /// Interrupts that come up to eight tenths of a period late, some of them in a row.
        var lateInterrupts: Int64 = 0
        /// Frames whose end the receiver misses: the next frame's timestamp is put on their picture, that one is lost.
        var lostFrameEnds: Int64 = 0
        /// When it is unplugged.
        var unplugged = Instant<Monotonic>.distantFuture
    }

    package static let exposure = CameraControl(rawValue: 0x009a_0902)
    package static let focus = CameraControl(rawValue: 0x009a_090a)
    private static let bufferCount = 4

    package let identity = CameraIdentity(
        id: "test", name: "test camera", driver: "test", bus: "test", backend: "test", path: "")
    package var pollDescriptor: Int32 { -1 }
    /// Every frame since the start, in the order of the sensor.
    package private(set) var truth: [Truth] = []
    package private(set) var refusals = 0
    /// Writes to a camera that is not there any more.
    private(set) var lateRefusals = 0
    private(set) var lateWrites = 0
    private(set) var lostWrites = 0
    /// Whether a write may last a while.
    var writesTakeTime: Bool { writeDuration > .zero || lateWrites > 0 }
    /// Changes by others that came about, and those of them that the run was told of.
    private(set) var externalChanges = 0
    private(set) var reportedChanges = 0
    private var untold: [ControlChange] = []
    private var takenUntil = Array(repeating: Instant<Monotonic>.distantPast, count: bufferCount)
    package var faults = Faults()
    /// Why the stream can't be started.
    package var startFailure: DeviceError?
    /// How many times longer the sensor's lines are than its driver says.
    package var lineRatio = 1.0
    private(set) var lateTimestamps = 0
    private(set) var lostEnds = 0
    private var lateRun: (left: Int64, by: Int64) = (0, 0)
    /// How often a buffer is not taken back.
    package var bufferRefusals = 0

    private let time: TestTime
    private let period: Interval
    package var delay: Interval
    private let latencies: (exposure: Int, lens: Int)
    /// From the timestamp of a frame to its delivery.
    let transfer: Interval
    /// How long a write takes at most; its value is taken over at some moment of it.
    private let writeDuration: Interval
    private let settle: Interval
    private var random: SeededGenerator
    private let pictures: TestPictures
    private var startedAt: Instant<Monotonic>?
    private var next: Truth
    private var nextSequence: UInt32
    let firstSequence: UInt32
    private var taken = 0
    /// Control, code and the first frame of the sensor that has it.
    private var writes: [(control: CameraControl, code: Int64, from: Int, isLost: Bool)] = []
    /// What the device was told last.
    package private(set) var registers: (exposure: Int64, lens: Int64) = (1_000, 0)
    package var lensMoves: [(from: Instant<Monotonic>, to: Instant<Monotonic>)] = []

    package init(
        time: TestTime, period: Interval, delay: Interval,
        latencies: (exposure: Int, lens: Int), settle: Interval, transfer: Interval,
        writeDuration: Interval, firstSequence: UInt32, frameBytes: Int, seed: UInt64
    ) {
        self.transfer = transfer
        self.writeDuration = writeDuration
        self.time = time
        self.period = period
        self.delay = delay
        self.latencies = latencies
        self.settle = settle
        nextSequence = firstSequence
        self.firstSequence = firstSequence
        random = SeededGenerator(seed: seed)
        pictures = TestPictures(count: Self.bufferCount, frameBytes: frameBytes)
        next = Truth(
            fate: .delivered, sequence: nil, timestamp: time.now, exposureStart: time.now,
            readoutStart: time.now, code: 0, lens: 0,
            claimed: (0, 0), isSteady: true)
        truth.reserveCapacity(100_000)
        writes.reserveCapacity(1_000)
        lensMoves.reserveCapacity(1_000)
    }

    package func describe() throws(DeviceError) -> CameraDescription {
        CameraDescription(identity: identity, formats: [], controls: [])
    }

    package func configure(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        guard
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else { throw DeviceError(.unsupported, "no such layout") }
        return AcceptedConfiguration(
            layout: layout, rate: configuration.rate, bufferCount: Self.bufferCount)
    }

    package func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        if time.now >= faults.unplugged {
            lateRefusals += 1
            return -19
        }
        if startedAt != nil, random.chance(faults.refusedWrites) {
            refusals += 1
            return -13
        }
        changeByOthers()
        let begun = time.now
        var duration = random.number(0...writeDuration.nanoseconds)
        if startedAt != nil, faults.lateWrites > 0, random.chance(faults.lateWrites) {
            lateWrites += 1
            duration += random.number(1...200_000_000)
        }
        let isLost =
            startedAt != nil && faults.lostWrites > 0 && random.chance(faults.lostWrites)
        lostWrites += isLost ? 1 : 0
        // The device takes everything over at one moment of the write.
        time.now = begun + .nanoseconds(random.number(0...duration))
        defer { time.now = begun + .nanoseconds(duration) }
        for value in values {
            var latency = latencies.exposure
            switch value.control {
            case Self.exposure: registers.exposure = value.code
            case Self.focus:
                if registers.lens != value.code, settle > .zero, !isLost {
                    lensMoves.append((time.now, time.now + settle))
                }
                registers.lens = value.code
                latency = latencies.lens
            default: return -22
            }
            // Before the stream, everything is in force from the first frame on.
            let from = startedAt == nil ? 0 : firstReadAfterNow + latency
            writes.append((value.control, value.code, from, isLost))
        }
        return 0
    }

    package func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        changeByOthers()
        return switch control {
        case Self.exposure: .success(registers.exposure)
        case Self.focus: .success(registers.lens)
        default: .failure(DeviceError(.unsupported, "no such control"))
        }
    }

    package func start() throws(DeviceError) {
        if let startFailure { throw startFailure }
        startedAt = time.now
        prepareNext()
    }

    /// When the next frame of the sensor is delivered, or would be; when it is unplugged.
    package var nextEvent: Instant<Monotonic> {
        guard startedAt != nil else { return .distantFuture }
        return min(faults.unplugged, next.timestamp + transfer)
    }

    package func dequeue() -> DequeueResult {
        guard startedAt != nil else { return .empty }
        if time.now >= faults.unplugged { return .failed(errno: 19) }
        changeByOthers()
        while time.now >= next.timestamp + transfer {
            var frame = next
            if faults.resets.contains(truth.count) { nextSequence = 0 }
            if frame.fate != .lostInside {
                frame.sequence = nextSequence
                nextSequence &+= 1
            }
            settleTruth(&frame)
            frame.said = wrongTimestamp(of: frame)
            let delivery = frame.timestamp + transfer
            if faults.hasFewBuffers, frame.sequence != nil,
                !takenUntil.contains(where: { $0 <= delivery })
            {
                frame.fate = .noBuffer
            }
            truth.append(frame)
            prepareNext()
            guard let sequence = frame.sequence, frame.fate != .lostByDriver,
                frame.fate != .noBuffer
            else { continue }
            taken = takenUntil.indices.min { takenUntil[$0] < takenUntil[$1] } ?? 0
            takenUntil[taken] = .distantFuture
            pictures.expose(taken, code: frame.code)
            return .frame(
                DequeuedFrame(
                    buffer: Int32(taken), sequence: sequence,
                    timestamp: frame.said ?? frame.timestamp,
                    byteCount: pictures.frameBytes, isDamaged: frame.fate == .damaged))
        }
        return .empty
    }

    package func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        pictures.bytes(Int(frame.buffer))
    }

    package func requeue(_ frame: DequeuedFrame) -> Int32 {
        if bufferRefusals > 0 {
            bufferRefusals -= 1
            return -EINVAL
        }
        takenUntil[Int(frame.buffer)] = time.now
        return 0
    }

    package func readControlChange() -> ControlChange? {
        changeByOthers()
        guard !untold.isEmpty else { return nil }
        reportedChanges += 1
        return untold.removeFirst()
    }

    /// Others' changes whose time has come; the write log knows since when, so that none comes too late for a frame.
    private func changeByOthers() {
        while let change = faults.externalWrites.first, change.at <= time.now {
            faults.externalWrites.removeFirst()
            guard let startedAt, change.at >= startedAt else { continue }
            externalChanges += 1
            let frame = Int((change.at - startedAt).nanoseconds / truePeriod.nanoseconds)
            let from = frame + latencies.exposure
            // What was written since, and shows at once or earlier, stands.
            let place = writes.firstIndex { $0.control == Self.exposure && $0.from > from }
            writes.insert(
                (Self.exposure, change.code, from, false), at: place ?? writes.count)
            if place == nil { registers.exposure = change.code }
            untold.append(ControlChange(Self.exposure, change.code, at: change.at))
        }
    }
    package func stop() { startedAt = nil }

    /// The readout of a frame of the sensor.
    private func readout(_ index: Int) -> Instant<Monotonic> {
        (startedAt ?? time.now) + truePeriod * Int64(index + 1)
    }

    /// The frame that is being exposed: the first one that is not yet being read out.
    private var firstReadAfterNow: Int {
        guard let startedAt else { return 0 }
        return Int((time.now - startedAt).nanoseconds / truePeriod.nanoseconds)
    }

    /// Decides the fate of the next frame; it is exposed later.
    private func prepareNext() {
        let index = truth.count
        next.readoutStart = readout(index)
        let late = delay == .zero ? 0 : random.number(0...delay.nanoseconds)
        next.timestamp = Instant(
            nanoseconds: (next.readoutStart.nanoseconds + late) / 1_000 * 1_000)
        let draw = random.number(0...99)
        let (driver, inside) = (faults.lostByDriver, faults.lostInside)
        // The first frame arrives: nobody could say that it is missing.
        next.fate =
            index == 0 || draw >= driver + inside + faults.damaged
            ? .delivered
            : draw < driver ? .lostByDriver : draw < driver + inside ? .lostInside : .damaged
        next.sequence = nil
        spoilTimestamp()
    }

    /// Interrupts that come late, or not at all; drawn for raw sensors only.
    private func spoilTimestamp() {
        let index = truth.count
        if truth.last?.hasNextTimestamp == true { next.fate = .lostInside }
        next.hasNextTimestamp = false
        guard faults.lateInterrupts + faults.lostFrameEnds > 0 else { return }
        if lateRun.left == 0, random.chance(faults.lateInterrupts) {
            let longest = truePeriod.nanoseconds * 8 / 10
            lateRun = (
                random.chance(60) ? 1 : random.number(2...8), random.number(100_000...longest)
            )
        }
        var late: Int64 = 0
        if lateRun.left > 0 {
            lateRun.left -= 1
            late = random.chance(50) ? lateRun.by : random.number(0...lateRun.by)
            lateTimestamps += 1
        }
        let isDelivered = next.fate == .delivered && index > 0
        if isDelivered, random.chance(faults.lostFrameEnds) {
            lostEnds += 1
            next.hasNextTimestamp = true
            next.timestamp = next.timestamp + truePeriod
        }
        let timestamp = next.timestamp.nanoseconds + late
        next.timestamp = Instant(nanoseconds: timestamp / 1_000 * 1_000)
    }

    /// The time from frame to frame as it really is.
    private var truePeriod: Interval {
        Interval(nanoseconds: Int64(Double(period.nanoseconds) * lineRatio))
    }

    /// How long an exposure of a code really is.
    package func duration(ofCode code: Int64) -> Interval {
        Interval(nanoseconds: Int64(Double(code * 1_000) * lineRatio))
    }

    /// What the driver timestamps a frame with, if it has lost its clock.
    private func wrongTimestamp(of frame: Truth) -> Instant<Monotonic>? {
        let index = truth.count
        return switch faults.badTimestamps.first(where: { $0.frames.contains(index) })?.fault {
        case nil: nil
        case .zero: Instant(nanoseconds: 0)
        case .stuck:
            truth.last { $0.fate == .delivered || $0.fate == .damaged }.map {
                $0.said ?? $0.timestamp
            }
        case .stepped(let by): frame.timestamp + by
        }
    }

    /// Notes what a frame was exposed with, once its exposure is over.
    private func settleTruth(_ frame: inout Truth) {
        let index = truth.count
        frame.code = 1_000
        frame.lens = 0
        frame.claimed = (1_000, 0)
        for write in writes where write.from <= index {
            if write.control == Self.exposure {
                frame.claimed.code = write.code
                if !write.isLost { frame.code = write.code }
            } else {
                frame.claimed.lens = write.code
                if !write.isLost { frame.lens = write.code }
            }
        }
        frame.exposureStart = frame.readoutStart - duration(ofCode: frame.code)
        let exposure = (from: frame.exposureStart, to: frame.readoutStart)
        frame.isSteady = lensMoves.allSatisfy { $0.to <= exposure.from || $0.from >= exposure.to }
    }
}
