import Devices
import Imaging
import TestSupport
import Timebase

/// A camera whose pixels say which codes it was exposed with; shares no code with the simulated camera.
///
/// Frame k is read out at start + (k + 1) periods. A code that reaches the sensor while frame k is being exposed shows
/// from frame k + latency on.
final class BracketCamera: CameraDriver {
    /// The controls, in the order in which a picture tells their codes.
    static let controls: [CameraControl] = [
        CameraControl(rawValue: 0x009a_0902), CameraControl(rawValue: 0x0098_0913),
        CameraControl(rawValue: 0x009a_090a), CameraControl(rawValue: 0x0098_090e),
        CameraControl(rawValue: 0x0098_090f),
    ]
    /// A picture: the frame's number and the code of each control, 4 bytes each, lowest byte first; what is left of it is
    /// as bright as exposure times gain.
    static let pictureByteCount = 4 * 6

    /// How the camera keeps time, and loses frames.
    struct Manner {
        var period: Interval
        /// Frames from the one that is exposed at a write to the first that shows it, by control.
        var latencies: [Int]
        /// Timestamps lie up to this much after the readout began.
        var delay: Interval
        /// From the start of a readout to the frame's delivery.
        var transfer: Interval
        /// How long a write takes at most.
        var writeDuration: Interval
        /// Chances in a thousand that a frame is lost: with a gap in the sequence, and inside the camera.
        var lostByDriver: Int64
        var lostInside: Int64
    }

    let identity = CameraIdentity(
        id: "bracket", name: "bracket camera", driver: "bracket", bus: "proof", backend: "proof",
        path: "")
    var pollDescriptor: Int32 { -1 }
    /// How many frames the driver numbered.
    private(set) var sequence: UInt32 = 0

    private static let bufferCount = 4
    private let time: BracketTime
    private let manner: Manner
    private let layout: FrameLayout
    private var random: SeededGenerator
    private let memory: UnsafeMutableRawBufferPointer
    private var startedAt: Instant<Monotonic>?
    private var frame = 0
    private var timestamp = Instant<Monotonic>(nanoseconds: 0)
    private var buffer = 0
    private var registers: [Int64] = [1, 1, 1, 1, 1]
    private var shown: [Int64] = [1, 1, 1, 1, 1]
    private var writes: [(control: Int, code: Int64, from: Int)] = []

    init(_ manner: Manner, layout: FrameLayout, time: BracketTime, seed: UInt64) {
        self.manner = manner
        self.layout = layout
        self.time = time
        random = SeededGenerator(seed: seed)
        memory = .allocate(byteCount: layout.byteCount * Self.bufferCount, alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { memory.deallocate() }

    func describe() throws(DeviceError) -> CameraDescription {
        CameraDescription(identity: identity, formats: [], controls: [])
    }

    func configure(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        AcceptedConfiguration(
            layout: layout, rate: configuration.rate, bufferCount: Self.bufferCount)
    }

    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 {
        let begun = time.now
        let duration = random.number(0...manner.writeDuration.nanoseconds)
        time.now = begun + .nanoseconds(random.number(0...duration))
        defer { time.now = begun + .nanoseconds(duration) }
        for value in values {
            guard let control = Self.controls.firstIndex(of: value.control) else { return -22 }
            registers[control] = value.code
            let from = startedAt == nil ? 0 : frameBeingExposed + manner.latencies[control]
            writes.append((control, value.code, from))
        }
        return 0
    }

    func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        guard let place = Self.controls.firstIndex(of: control) else {
            return .failure(DeviceError(.unsupported, "no such control"))
        }
        return .success(registers[place])
    }

    func start() throws(DeviceError) {
        startedAt = time.now
        prepareTimestamp()
    }

    func stop() { startedAt = nil }

    /// When the next frame is delivered, or would be.
    var nextEvent: Instant<Monotonic> {
        startedAt == nil ? .distantFuture : max(timestamp, readout(frame) + manner.transfer)
    }

    func dequeue() -> DequeueResult {
        while startedAt != nil, time.now >= nextEvent {
            let (number, timestamp) = (frame, timestamp)
            expose(number)
            frame += 1
            prepareTimestamp()
            // The first frame arrives: nobody could say that it is missing.
            let draw = number == 0 ? 999 : random.number(0...999)
            if draw < manner.lostInside { continue }
            sequence &+= 1
            if draw < manner.lostInside + manner.lostByDriver { continue }
            buffer = (buffer + 1) % Self.bufferCount
            paint(number)
            return .frame(
                DequeuedFrame(
                    buffer: Int32(buffer), sequence: sequence, timestamp: timestamp,
                    byteCount: layout.byteCount, isDamaged: false))
        }
        return .empty
    }

    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        let start = Int(frame.buffer) * layout.byteCount
        return UnsafeRawBufferPointer(rebasing: memory[start..<start + layout.byteCount])
    }

    func requeue(_ frame: DequeuedFrame) -> Int32 { 0 }

    private func readout(_ frame: Int) -> Instant<Monotonic> {
        (startedAt ?? time.now) + manner.period * Int64(frame + 1)
    }

    /// The first frame whose readout has not begun.
    private var frameBeingExposed: Int {
        guard let startedAt else { return 0 }
        return Int((time.now - startedAt).nanoseconds / manner.period.nanoseconds)
    }

    private func prepareTimestamp() {
        let late = random.number(0...manner.delay.nanoseconds)
        timestamp = Instant(nanoseconds: (readout(frame).nanoseconds + late) / 1_000 * 1_000)
    }

    private func expose(_ frame: Int) {
        for write in writes where write.from <= frame { shown[write.control] = write.code }
        writes.removeAll { $0.from <= frame }
    }

    private func paint(_ frame: Int) {
        let light = UInt8(clamping: shown[0] * shown[1] / 64)
        memory[buffer * layout.byteCount..<(buffer + 1) * layout.byteCount].copyBytes(
            from: repeatElement(light, count: layout.byteCount))
        for (place, number) in ([Int64(frame)] + shown).enumerated() {
            memory.storeBytes(
                of: UInt32(truncatingIfNeeded: number).littleEndian,
                toByteOffset: buffer * layout.byteCount + 4 * place, as: UInt32.self)
        }
    }
}
