internal import Cameras
internal import Notation
internal import Timebase

/// The stamps of a run's frames without their delays: from a camera that streamed freely, by its own rhythm.
struct RefittedFrames {
    /// Kernel stamps of frames have whole microseconds.
    private static let resolution = Interval.microseconds(1)

    /// Nil where frames followed something else than the camera's oscillator, or their sequence does not tell.
    let clock: FrameClock?
    private let lateness: Interval
    /// The numbers, counted on past 32 bits, by slot.
    private var sequences: [Int64: Int64] = [:]

    init(_ rows: [LedgerRow], _ run: RecordedRun) {
        let timestamps = run.manifest["timestamps"]
        let hour: Int64 = 3_600_000_000_000
        let noted = timestamps?["lateness_ns"]?.integerValue ?? -1
        lateness = Interval(nanoseconds: max(0, min(hour, noted)))
        var frames: [FrameClock.Frame] = []
        var last: (number: UInt32, sequence: Int64)?
        for row in rows {
            guard let number = row.deviceSequence, let stamp = row.rawTimestamp else { continue }
            let sequence =
                last.map { $0.sequence + Int64(Int32(bitPattern: number &- $0.number)) }
                ?? Int64(number)
            // A camera that began to count anew gives no rhythm across that.
            if let last, sequence <= last.sequence { break }
            last = (number, sequence)
            sequences[row.slot] = sequence
            frames.append(.init(sequence: sequence, stamp: stamp + Self.resolution))
        }
        // Where the camera's own clock was followed, its stamps are better than the driver's.
        let isFree =
            (0...hour).contains(noted) && run.names.isUninterrupted
            && (timestamps?["camera_clock"] ?? .null).isNull
        clock = isFree ? FrameClock(frames, lateness: lateness + Self.resolution) : nil
    }

    /// When the frame of a row would have been stamped without any delay; nil if nothing is known of that.
    func stamp(of row: LedgerRow) -> BoundedInstant<Monotonic>? {
        sequences[row.slot].flatMap { clock?.time(of: $0) }
    }

    /// The exposure of a row, as far as its stamp is known better now; otherwise as it was recorded.
    func exposure(of row: LedgerRow) -> ExposureTime? {
        guard let recorded = row.exposureTime, let raw = row.rawTimestamp,
            let stamp = stamp(of: row)
        else { return row.exposureTime }
        // What the run took for the stamp: up to its lateness before, up to its resolution after.
        let half = (lateness + Self.resolution) / 2
        let middle = raw - lateness + half
        guard stamp.halfWidth < half, recorded.halfWidth >= half else { return recorded }
        let shift = stamp.instant - middle
        return ExposureTime(
            start: recorded.start + shift, mid: recorded.mid + shift, end: recorded.end + shift,
            halfWidth: recorded.halfWidth - half + stamp.halfWidth + .nanoseconds(1))
    }
}
