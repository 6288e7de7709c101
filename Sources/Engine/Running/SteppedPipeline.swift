internal import Devices
internal import Imaging
internal import Records
internal import Timebase

/// Makes the record in the run's own steps, for a disk whose time is virtual.
///
/// Without threads, so that a run is the same each time, and a long one waits for no hand-over. A frame keeps its
/// buffer until the disk, which does one thing after the other, is done with it.
///
/// For simulations with a disk of their own: the disk decides how long a write takes, and frames are lost when the
/// pool is empty by its time. Allocates.
final class SteppedPipeline: RecordingPipeline {
    /// An item that waits for the disk, when that is done with it, and with which result.
    private struct Waiting {
        let item: RecordItem
        let done: Instant<Monotonic>
        let errno: Int32
    }

    let pool: FramePool
    private(set) var storageErrno: Int32 = 0
    private let disk: any VirtualDisk
    private let world: any World
    private let record: RunRecord
    private let layout: FrameLayout
    private let frameByteCount: Int
    /// Nil without pixels, and where the plan asks for no stills.
    private let stills: StillWriter?
    private var temperature: TemperatureLog
    /// The latest session time of anything that was carried out.
    private var latest = Instant<Session>(nanoseconds: 0)
    private var waiting: [Waiting] = []
    /// The place of the oldest of ``waiting`` that is not done.
    private var head = 0
    /// When the disk is done with all it was given.
    private var free = Instant<Monotonic>.distantPast

    init(
        disk: any VirtualDisk, world: any World, record: RunRecord, layout: FrameLayout,
        pool: FramePool
    ) {
        precondition(pool.byteCount == record.paddedFrameByteCount, "a buffer holds a frame")
        self.disk = disk
        self.world = world
        self.record = record
        self.pool = pool
        temperature = TemperatureLog(world.thermometer)
        self.layout = layout
        frameByteCount = layout.recordedByteCount
        stills = record.keepsPixels ? StillWriter(record, frameByteCount: frameByteCount) : nil
    }

    /// Buffers that the disk is done with by now are given back first.
    var hasRoom: Bool {
        settle(upTo: world.now())
        return pool.hasFree
    }

    func start() { stills?.start() }

    func buffer() -> Int32? { pool.take() }

    /// A frame waits until the disk has written it, and whatever comes behind it waits too, so that the record keeps
    /// its order.
    func hand(_ item: RecordItem) {
        let now = world.now()
        settle(upTo: now)
        var errno: Int32 = 0
        if case .frame(let row, _, _) = item {
            let start = max(now, free)
            let write = disk.write(slot: row.slot, byteCount: frameByteCount, at: start)
            free = start + write.duration
            errno = write.errno
        }
        if free > now {
            waiting.append(Waiting(item: item, done: free, errno: errno))
        } else {
            carryOut(item, errno)
        }
    }

    /// Lets time pass until the disk is done, unless the run was asked to stop at once.
    func finish() -> Bool {
        if world.stopRequests < 2 { world.sleep(until: free) }
        settle(upTo: .distantFuture)
        noteTemperature(at: latest, isLast: true)
        stills?.finish()
        noteMissedStills(at: latest)
        return true
    }

    /// Carries out what the disk is done with.
    private func settle(upTo time: Instant<Monotonic>) {
        guard head < waiting.count else { return }
        while head < waiting.count, waiting[head].done <= time {
            carryOut(waiting[head].item, waiting[head].errno)
            head += 1
        }
        guard head == waiting.count else { return }
        waiting.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Puts an item into the record, at the time at which it was handed over.
    private func carryOut(_ item: RecordItem, _ errno: Int32) {
        switch item {
        case .frame(let row, let buffer, let time):
            noteTemperature(at: time)
            write(row, buffer, errno, at: time)
            pool.giveBack(buffer)
            noteMissedStills(at: time)
        case .hole(let row): record.append(hole: row)
        case .discarded(let buffer): pool.giveBack(buffer)
        case .event(let event, let time):
            noteTemperature(at: time)
            record.append(event, at: time)
        case .end: break
        }
        do throws(StorageError) {
            try record.flushIfFull()
        } catch {
            storageErrno = error.errno
        }
    }

    /// - Parameter errno: what the virtual disk returns; a real one may refuse besides.
    private func write(
        _ row: LedgerRow, _ buffer: Int32, _ errno: Int32, at time: Instant<Session>
    ) {
        if errno != 0 {
            storageErrno = errno
            return record.append(refused: row, errno: errno, at: time)
        }
        guard record.keepsPixels else { return record.append(frameWithoutPixels: row) }
        let bytes = UnsafeRawBufferPointer(pool.bytes(buffer))
        let measure = FrameBrightness(
            of: UnsafeRawBufferPointer(rebasing: bytes[..<frameByteCount]),
            format: layout.pixelFormat, size: layout.size)
        switch record.append(frame: row, measure: measure, bytes: bytes, at: time) {
        case .storageFailed(let error): storageErrno = error.errno
        case .recorded: _ = stills?.hand(row, bytes, waits: true)
        }
    }

    private func noteTemperature(at time: Instant<Session>, isLast: Bool = false) {
        latest = max(latest, time)
        if let event = temperature.event(at: time, isLast: isLast) {
            record.append(event, at: time)
        }
    }

    private func noteMissedStills(at time: Instant<Session>) {
        while let miss = stills?.nextMiss() {
            record.append(.stillMissed(slot: miss.slot, errno: miss.errno), at: time)
        }
    }
}
