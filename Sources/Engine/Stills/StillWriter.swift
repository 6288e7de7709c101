internal import Devices
internal import Glibc
internal import Imaging
internal import Recipes
internal import Records
internal import Stills
internal import Timebase

/// A thread that turns recorded frames into still files, without ever holding the record up.
///
/// A frame is copied for it; where every buffer still waits for its file, the still is missed and the record shows it.
///
/// Four frames may wait for their files. The thread that writes the record hands frames over and fetches what was
/// missed.
final class StillWriter: @unchecked Sendable {
    // Shared without a lock: renderer and folder are touched by the stills' thread alone until `finish` has joined it;
    // everything else is constant or a queue between two threads.

    /// A still that could not be made, by its slot.
    struct Miss: BitwiseCopyable, Sendable {
        let slot: Int64
        /// As in ``RunEvent/stillMissed(slot:errno:)``.
        let errno: Int32
    }

    /// A frame in one of ``pool``'s buffers, or the end.
    private enum Job: BitwiseCopyable, Sendable {
        case frame(LedgerRow, buffer: Int32)
        case end
    }

    /// Frames that can wait for their files.
    private static let bufferCount = 4

    private let renderer: StillRenderer
    /// By index of steps; a step without a still has none.
    private let formats: [Int32: StillFormat]
    private let folder: StillFolder
    /// Its own, apart from the run's: a slow still takes no buffer from the record.
    private let pool: FramePool
    private let frameByteCount: Int
    /// From the thread that writes the record.
    private let jobs = SingleProducerQueue<Job>(capacity: bufferCount + 1)
    /// Back to it.
    private let misses = SingleProducerQueue<Miss>(capacity: 1_024)
    private var thread: HostThread?

    /// Creates the writer of a run; nil if its plan asks for no stills.
    init?(_ record: RunRecord, frameByteCount: Int) {
        guard let folder = record.stills else { return nil }
        self.folder = folder
        self.frameByteCount = frameByteCount
        let run = record.description
        renderer = StillRenderer(
            run.plan, layout: run.accepted.layout, camera: run.camera, version: run.version,
            started: run.realtime.convert(BoundedInstant(run.epoch, halfWidth: .zero)).instant)
        formats = Dictionary(
            run.plan.stills.map { ($0.step, $0.format) }, uniquingKeysWith: { first, _ in first })
        pool = FramePool(count: Self.bufferCount, byteCount: record.paddedFrameByteCount)
    }

    /// Starts the thread.
    func start() {
        thread = HostThread.started(.ordinary("fl-stills")) { self.work() }
    }

    /// Takes a recorded frame, if its step asks for a still.
    ///
    /// - Parameters:
    ///   - waits: whether to wait for a buffer: in virtual time nothing has to be missed.
    /// - Returns: false if the still is missed since too many wait.
    /// - Precondition: called by one thread, after ``start()``.
    func hand(
        _ row: LedgerRow, _ bytes: UnsafeRawBufferPointer, waits: Bool
    ) -> Bool {
        guard formats[row.step] != nil else { return true }
        let free = waits ? pool.takeWaiting(unless: { false }) : pool.take()
        guard let buffer = free else { return false }
        pool.bytes(buffer).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[..<frameByteCount]))
        let hasRoom = jobs.push(.frame(row, buffer: buffer))
        precondition(hasRoom, "there are more places than buffers")
        return true
    }

    /// A still that could not be made, oldest first.
    func nextMiss() -> Miss? { misses.pop() }

    /// Waits for the last still.
    ///
    /// - Precondition: nothing is handed over any more.
    func finish() {
        guard let thread else { return }
        _ = jobs.push(.end)
        thread.join()
        self.thread = nil
    }

    /// The stills' thread.
    private func work() {
        while true {
            switch jobs.pop(timeoutMilliseconds: 60_000) {
            case .frame(let row, let buffer):
                write(row, buffer)
                pool.giveBack(buffer)
            case .end: return
            case nil: continue
            }
        }
    }

    /// Makes and writes one still; a failure is a miss and ends nothing.
    private func write(_ row: LedgerRow, _ buffer: Int32) {
        let frame = UnsafeRawBufferPointer(rebasing: pool.bytes(buffer)[..<frameByteCount])
        let format = formats[row.step] ?? .jpeg
        var errno: Int32 = 0
        do throws(StillError) {
            let file = try renderer.render(row, frame, as: format)
            do throws(StorageError) {
                try folder.write(slot: row.slot, format, file)
            } catch {
                errno = error.errno
            }
        } catch {
            // What a library refuses has no errno of its own; the plan has checked the rest.
            errno = EINVAL
        }
        guard errno != 0 else { return }
        // Full only if the writing thread hangs in a disk that also refuses stills.
        while !misses.push(Miss(slot: row.slot, errno: errno)) { usleep(1_000) }
    }
}
