internal import ArgumentParser
internal import Calibration
internal import Glibc
internal import Imaging
internal import Instrument
internal import LinuxDevices
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// `framelock calibrate storage`: what a disk can take.
///
/// Needs no camera. What it prints of `buffers` goes into `output: {buffers: …}` of a recipe.
struct StorageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Measures what a disk can take, and how many buffers a run needs on it.",
        discussion: """
            Writes frames into a folder as a run writes them, as fast as the disk takes them, and waits for the disk \
            as often as a run does; then takes them away again. Measure for minutes: cards stall rarely, but for \
            seconds.
            """)

    /// Where runs are to be recorded: another folder may be on another disk.
    @Argument(help: "The folder in which runs are to be recorded.", completion: .directory)
    var folder = "."
    /// Only the size of a frame in the record follows from it; the contents are random.
    @Option(help: ArgumentHelp("Pixel format.", valueName: "name"))
    var pixels = "SRGGB12"
    /// As in recipes, `1456x1088`.
    @Option(help: ArgumentHelp("Frame size.", valueName: "size"))
    var size = "1456x1088"
    /// What the disk is judged against; frames are written as fast as it takes them.
    @Option(help: ArgumentHelp("Frame rate.", valueName: "rate"))
    var rate = "30 fps"
    /// After that no further frame is begun; the last sync may take longer.
    @Option(help: ArgumentHelp("How long to write.", valueName: "duration"))
    var duration = "10 s"
    /// Megabytes (10⁶ bytes), 1 to 1,000,000; the end whichever comes first, so that a small card is not filled.
    @Option(help: ArgumentHelp("How much to write at most, in megabytes.", valueName: "MB"))
    var limit: Int64 = 4_000
    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(limit) else {
            throw ValidationError("--limit takes 1 to 1000000")
        }
    }

    /// Reads the options, measures, and prints what was found beside what is wanted.
    ///
    /// To find that the disk does not keep up is no failure.
    func run() throws {
        try Console.run(asJSON: json) {
            let size = try Typed("--size", self.size, Quantity.size).value
            let rate = try Typed("--rate", self.rate, Quantity.rate).value
            let time = try Typed("--duration", duration, Quantity.duration).value
            guard let format = PixelFormat.named(pixels) else {
                throw Failure.usage("--pixels \(pixels): framelock knows no such format")
            }
            let trial = try StorageTrial(folder: folder, format: format, size: size)
            let report = try trial.measure(for: time, bytes: limit * 1_000_000)
            let need = report.need(bytesPerFrame: trial.frameByteCount, period: rate.period)
            try Console.output(
                json ? Self.json(report, need).text(.pretty) : text(report, need, rate))
        }
    }

    /// What people read: sustained rate, the worst stall, writes by decades, and what the wanted rate takes.
    private func text(_ report: StorageReport, _ need: StorageNeed, _ rate: FrameRate) -> String {
        func megabytes(_ bytes: Int64) -> String {
            decimalText(UInt64(max(0, bytes / 100_000)), unit: 10) + " MB/s"
        }
        var lines = [
            "written    \(report.writes.count) frames of \(report.bytesPerWrite) bytes",
            "sustained  \(megabytes(report.bytesPerSecond))",
            "worst      \(report.worstStall)",
        ]
        for row in report.histogram where row.count > 0 {
            lines.append("  \(row.below.map { "below \($0)" } ?? "longer"): \(row.count)")
        }
        lines.append("wanted     \(megabytes(need.bytesPerSecond)) (\(pixels) \(size) at \(rate))")
        lines.append(
            need.buffers.map { "buffers    \($0) outlast a stall twice as long as the worst" }
                ?? "buffers    none are enough: this disk does not keep up; use a lower rate or smaller frames"
        )
        return lines.joined(separator: "\n")
    }

    /// The same for programs; `buffers` is null where the disk does not keep up, however many there are.
    private static func json(_ report: StorageReport, _ need: StorageNeed) -> JSONValue {
        let rows = report.histogram.map { row -> JSONValue in
            let below = row.below.map { JSONValue.integer($0.nanoseconds) } ?? .null
            return ["below_ns": below, "count": .integer(Int64(row.count))]
        }
        return [
            "frames": .integer(Int64(report.writes.count)),
            "bytes_per_frame": .integer(report.bytesPerWrite),
            "bytes_per_second": .integer(report.bytesPerSecond),
            "worst_stall_ns": .integer(report.worstStall.nanoseconds),
            "histogram": .array(rows),
            "wanted_bytes_per_second": .integer(need.bytesPerSecond),
            "is_sustained": .bool(need.isSustained),
            "buffers": need.buffers.map(JSONValue.integer) ?? .null,
        ]
    }
}

/// Frames that are written into a folder of their own, and taken away.
///
/// Through the run's own store, so past the page cache where the file system allows it.
private struct StorageTrial {
    /// A run waits for the disk this often: a power cut costs it at most that.
    private static let syncInterval = Interval.seconds(1)

    /// Bytes of a frame before it is padded to whole blocks; the wanted rate counts these.
    let frameByteCount: Int64
    /// Hidden, and named after the process, so that two trials do not meet.
    private let path: String
    private let store: any FrameStore

    /// Makes the folder and the store in it.
    ///
    /// - Throws: ``Failure`` where there is no such folder, `StorageError` where it can't be written to.
    init(folder: String, format: PixelFormat, size: FrameSize) throws {
        try TextFile.requireFolder(folder, of: "calibrate storage")
        path = "\(folder)/.framelock-storage-\(getpid())"
        let frames = FrameSeries(
            name: "storage", pixelFormat: format, size: size, plannedSlots: nil, period: nil)
        store = try FrameContainer.of(.omeZarr).create(path, frames, true)
        frameByteCount = Int64(store.frameByteCount)
    }

    /// Writes until time or bytes are used up, then takes the folder away, whether it went well or not.
    ///
    /// Each entry is a write with the sync that it had to wait for; the last one has the final sync too.
    ///
    /// - Parameters:
    ///   - time: after which no frame is begun.
    ///   - bytes: the most that is written, padding included; one frame is written in any case.
    func measure(for time: Interval, bytes: Int64) throws -> StorageReport {
        // Ctrl-C must not leave gigabytes behind.
        _ = Interrupts.catchSignals()
        defer {
            remove()
            Interrupts.release()
        }
        let count = store.paddedFrameByteCount
        // Unsafe memory: what is written past the page cache has to be aligned.
        let frame = UnsafeMutableRawBufferPointer.allocate(
            byteCount: count, alignment: FrameContainer.alignment)
        defer { frame.deallocate() }
        // Disks that compress must not be flattered.
        var random = SystemRandomNumberGenerator()
        for offset in stride(from: 0, to: count - 7, by: 8) {
            frame.storeBytes(of: random.next() as UInt64, toByteOffset: offset, as: UInt64.self)
        }
        var writes: [Interval] = []
        let begin = KernelClock.now()
        var syncAt = begin + Self.syncInterval
        repeat {
            let start = KernelClock.now()
            try store.write(slot: Int64(writes.count), bytes: UnsafeRawBufferPointer(frame))
            if KernelClock.now() >= syncAt {
                try store.sync()
                try store.flush()
                syncAt = KernelClock.now() + Self.syncInterval
            }
            writes.append(KernelClock.now() - start)
            guard Interrupts.count() == 0 else {
                throw Failure(
                    exitCode: 130, message: "interrupted: the trial's folder is gone again")
            }
        } while KernelClock.now() < begin + time && Int64(writes.count + 1) * Int64(count) <= bytes
        let start = KernelClock.now()
        try store.sync()
        writes[writes.count - 1] += KernelClock.now() - start
        return StorageReport(writes: writes, bytesPerWrite: Int64(count))
    }

    /// Takes the folder away with all that is in it.
    private func remove() { Self.remove(path) }

    /// Takes a file or a folder away, contents first; what can't be removed stays.
    private static func remove(_ path: String) {
        for name in (try? Folder.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        _ = Glibc.remove(path)
    }
}
