internal import Devices
internal import Glibc
internal import Imaging
internal import Records
internal import Synchronization
internal import Timebase

/// Two threads that turn what the capture thread hands over into the record: one measures pixels, one writes.
///
/// The order is kept: rows reach the ledger in slot order, each after its pixels. The capture thread never waits for
/// them (unless tens of thousands of items wait, which only a run's last holes can be).
///
/// Buffers go from the capture thread to the measuring one, on to the writing one, and back to the pool.
final class ThreadedPipeline: RecordingPipeline, @unchecked Sendable {
    // Shared without a lock: `record` is touched by the writing thread only until `finish` has joined it, everything
    // else is constant, atomic, or a queue between two threads.
    /// An item behind the measuring thread; only frames have a measure.
    private struct Measured: BitwiseCopyable, Sendable {
        let item: RecordItem
        let measure: FrameBrightness?
    }

    let pool: FramePool
    private let record: RunRecord
    private let layout: FrameLayout
    /// From the capture thread to the measuring one.
    private let items = SingleProducerQueue<RecordItem>(capacity: 32_768)
    /// From the measuring thread to the writing one.
    private let measured = SingleProducerQueue<Measured>(capacity: 4_096)
    /// The last error number of the disk; the writing thread sets it, the capture thread reads it.
    private let failure = Atomic<Int32>(0)
    /// Told once by the writing thread, when everything is written.
    private let hasEnded = SingleProducerQueue<Bool>(capacity: 1)
    private let stills: StillWriter?
    private let preview: PreviewTap?
    /// Whether buffers and stills are waited for instead of missed: where time stands still meanwhile.
    private let waits: Bool
    private var threads: [HostThread] = []
    /// Used by the writing thread only.
    private var temperature: TemperatureLog
    /// Whether the run was asked to stop at once: then a disk that hangs is not waited for.
    ///
    /// Asked by the capture thread only.
    private let isAborted: () -> Bool
    /// Something could not be handed over, so the record ends before it.
    private(set) var isCut = false

    /// How long writers may take to come to an end after the run was asked to stop at once.
    private static let graceMilliseconds = 2_000

    init(
        record: RunRecord, layout: FrameLayout, pool: FramePool, preview: PreviewTap?,
        thermometer: (any Thermometer)?, waits: Bool, isAborted: @escaping () -> Bool
    ) {
        precondition(pool.byteCount == record.paddedFrameByteCount, "a buffer holds a frame")
        self.preview = preview
        temperature = TemperatureLog(thermometer)
        self.waits = waits
        stills = StillWriter(record, frameByteCount: layout.recordedByteCount)
        self.record = record
        self.isAborted = isAborted
        self.layout = layout
        self.pool = pool
    }

    /// The last error number, also if the disk has taken frames since.
    var storageErrno: Int32 { failure.load(ordering: .relaxed) }

    /// Starts both threads.
    func start() {
        stills?.start()
        threads = [
            HostThread.started(.ordinary("fl-measure")) { self.measureLoop() },
            HostThread.started(.ordinary("fl-write")) { self.writeLoop() },
        ]
    }

    /// Hands something over.
    ///
    /// Whatever comes after an item that could not be handed over is left out too.
    func hand(_ item: RecordItem) {
        var patienceMilliseconds = Self.graceMilliseconds
        while !isCut, !items.push(item) {
            usleep(1_000)
            if isAborted() { patienceMilliseconds -= 1 }
            isCut = patienceMilliseconds <= 0
        }
    }

    /// Always where buffers are waited for.
    var hasRoom: Bool { waits || pool.hasFree }

    func buffer() -> Int32? {
        waits ? pool.takeWaiting(unless: isAborted) : pool.take()
    }

    /// Waits until everything is written.
    ///
    /// - Returns: false if the run was asked to stop at once and the writers hang; they are left behind.
    func finish() -> Bool {
        hand(.end)
        var patienceMilliseconds = Self.graceMilliseconds
        while !isCut, hasEnded.pop(timeoutMilliseconds: 50) == nil {
            if isAborted() { patienceMilliseconds -= 50 }
            isCut = patienceMilliseconds <= 0
        }
        for thread in threads {
            if isCut { thread.leave() } else { thread.join() }
        }
        threads = []
        return !isCut
    }

    /// The measuring thread, from start to the end's item; passes everything on in order.
    private func measureLoop() {
        while true {
            guard let item = items.pop(timeoutMilliseconds: 60_000) else { continue }
            var measure: FrameBrightness?
            if case .frame(let row, let buffer, _) = item {
                measure = self.measure(buffer)
                // While more frames wait, the record comes first.
                preview?.offer(
                    row, UnsafeRawBufferPointer(pool.bytes(buffer)), hasTime: items.isEmpty)
            }
            while !measured.push(Measured(item: item, measure: measure)) { usleep(1_000) }
            if case .end = item { return }
        }
    }

    private func measure(_ buffer: Int32) -> FrameBrightness {
        let bytes = pool.bytes(buffer)[..<layout.recordedByteCount]
        return FrameBrightness(
            of: UnsafeRawBufferPointer(rebasing: bytes), format: layout.pixelFormat,
            size: layout.size)
    }

    /// The writing thread, which alone touches the record until it has reported its end.
    ///
    /// Wakes five times a second where nothing comes, so that what was appended is flushed in its second.
    private func writeLoop() {
        var latest = Instant<Session>(nanoseconds: 0)
        while true {
            let next = measured.pop(timeoutMilliseconds: 200)
            switch next?.item {
            case .frame(let row, let buffer, let time):
                latest = time
                noteTemperature(at: time)
                write(row, buffer, next?.measure, at: time)
            case .hole(let row): record.append(hole: row)
            case .discarded(let buffer): pool.giveBack(buffer)
            case .event(let event, let time):
                latest = time
                noteTemperature(at: time)
                record.append(event, at: time)
            case .end:
                noteTemperature(at: latest, isLast: true)
                stills?.finish()
                noteMissedStills(at: latest)
                _ = hasEnded.push(true)
                return
            // Nothing came for a while: time goes on for whoever reads the record.
            case nil:
                latest = latest + .milliseconds(200)
                // Virtual time stands still meanwhile.
                if !waits { noteTemperature(at: latest) }
            }
            noteMissedStills(at: latest)
            note { () throws(StorageError) in try record.flushIfDue(at: latest) }
        }
    }

    /// Writes a frame and gives its buffer back, whatever became of it.
    private func write(
        _ row: LedgerRow, _ buffer: Int32, _ measure: FrameBrightness?, at time: Instant<Session>
    ) {
        guard let measure else { return }
        let result = record.append(
            frame: row, measure: measure, bytes: UnsafeRawBufferPointer(pool.bytes(buffer)),
            at: time)
        if case .storageFailed(let error) = result {
            failure.store(error.errno, ordering: .relaxed)
        } else if let stills,
            !stills.hand(
                row, UnsafeRawBufferPointer(pool.bytes(buffer)), waits: waits)
        {
            record.append(.stillMissed(slot: row.slot, errno: 0), at: time)
        }
        pool.giveBack(buffer)
    }

    /// Reads the thermometer where that is due.
    private func noteTemperature(at time: Instant<Session>, isLast: Bool = false) {
        if let event = temperature.event(at: time, isLast: isLast) {
            record.append(event, at: time)
        }
    }

    /// Logs what the stills' thread could not make since the last time.
    private func noteMissedStills(at time: Instant<Session>) {
        while let miss = stills?.nextMiss() {
            record.append(.stillMissed(slot: miss.slot, errno: miss.errno), at: time)
        }
    }

    /// Keeps the error of work that will be tried again.
    private func note(_ work: () throws(StorageError) -> Void) {
        do { try work() } catch { failure.store(error.errno, ordering: .relaxed) }
    }
}
