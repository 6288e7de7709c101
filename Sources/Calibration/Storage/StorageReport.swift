public import Timebase

/// How a disk took frames that were written as a run writes them.
public struct StorageReport: Hashable, Sendable {
    /// A row of the histogram: writes that took less than a limit, and at least the limit before.
    public struct Row: Hashable, Sendable {
        /// Shorter than this; nil for everything longer than the last limit.
        public var below: Interval?
        /// How many writes.
        public var count: Int
    }

    /// How long each write took, with the syncs that followed it; in order of time, so that stalls lie where they lay.
    public let writes: [Interval]
    /// Bytes of a write: a frame padded to whole blocks, as a run writes it past the page cache.
    public let bytesPerWrite: Int64

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - writes: at least one.
    ///   - bytesPerWrite: a frame padded to whole blocks.
    public init(writes: [Interval], bytesPerWrite: Int64) {
        precondition(!writes.isEmpty && bytesPerWrite > 0, "something was written")
        self.writes = writes
        self.bytesPerWrite = bytesPerWrite
    }

    /// Time that all writes took.
    public var total: Interval { writes.reduce(.zero, +) }

    /// Bytes in a second, over everything, syncs included: the sustained rate.
    public var bytesPerSecond: Int64 {
        let bytes = Int128(bytesPerWrite) * Int128(writes.count) * 1_000_000_000
        return Int64(clamping: bytes / Int128(max(1, total.nanoseconds)))
    }

    /// The longest write; SD cards stall for seconds, but rarely, so minutes of writes are needed to see one.
    public var worstStall: Interval { writes.max() ?? .zero }

    /// Writes by how long they took: decades from 1 ms.
    public var histogram: [Row] {
        let limits: [Interval] = [
            .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1), .seconds(10),
        ]
        var rows = limits.map { Row(below: $0, count: 0) } + [Row(below: nil, count: 0)]
        for write in writes {
            rows[limits.firstIndex { write < $0 } ?? limits.count].count += 1
        }
        return rows
    }

    /// What it takes to record frames at a rate on this disk.
    ///
    /// - Parameters:
    ///   - bytesPerFrame: with padding, as it is written.
    ///   - period: from frame to frame.
    public func need(bytesPerFrame: Int64, period: Interval) -> StorageNeed {
        StorageNeed(self, bytesPerFrame: bytesPerFrame, period: period)
    }
}

/// What it takes to record frames of some size at some rate.
public struct StorageNeed: Hashable, Sendable {
    /// How much longer than the worst stall that was seen a stall may be: twice.
    public static let margin: Int64 = 2
    /// Part of the sustained rate that a run may use: nine tenths.
    public static let usableTenths: Int64 = 9

    /// Bytes in a second that the frames are.
    public let bytesPerSecond: Int64
    /// Whether the disk keeps up for ever.
    public let isSustained: Bool
    /// Pool buffers that outlast a stall twice as long as the worst that was seen, and the most that waited when the
    /// writes were replayed; nil where the disk does not keep up.
    public let buffers: Int64?

    /// Works out the need from the sustained rate, the worst stall, and a replay of the writes.
    ///
    /// Two bounds, of which the larger counts: frames that arrive during twice the worst stall, with one being written
    /// and one being filled; and twice the most that waited in the replay, which sees stalls that follow each other.
    init(_ report: StorageReport, bytesPerFrame: Int64, period: Interval) {
        precondition(bytesPerFrame > 0 && period > .zero, "frames have a size and a rate")
        let wanted = Int128(bytesPerFrame) * 1_000_000_000 / Int128(period.nanoseconds)
        bytesPerSecond = Int64(clamping: wanted)
        isSustained = wanted * 10 <= Int128(report.bytesPerSecond) * Int128(Self.usableTenths)
        guard isSustained else {
            buffers = nil
            return
        }
        // While a stall lasts every frame waits; one is being written, one is being filled.
        let stall = Int128(report.worstStall.nanoseconds) * Int128(Self.margin)
        let arriving = Int64(
            clamping: (stall + Int128(period.nanoseconds) - 1) / Int128(period.nanoseconds))
        buffers = max(
            arriving + 2, Self.mostWaiting(report, bytesPerFrame, period) * Self.margin + 1)
    }

    /// The most frames in memory if each takes as long as the writes did, in proportion to its size.
    ///
    /// The writes are replayed twice on end, so that what waits at the end of the first round meets the stalls of the
    /// second. One disk writes one frame at a time, in order of arrival.
    static func mostWaiting(
        _ report: StorageReport, _ bytesPerFrame: Int64, _ period: Interval
    ) -> Int64 {
        var (freeAt, most) = (Int128(0), Int64(0))
        // Ends of the writes of frames that may still be in memory.
        var ends: ArraySlice<Int128> = []
        for (index, write) in (report.writes + report.writes).enumerated() {
            let arrival = Int128(index) * Int128(period.nanoseconds)
            ends = ends.drop { $0 <= arrival }
            let duration =
                Int128(write.nanoseconds) * Int128(bytesPerFrame) / Int128(report.bytesPerWrite)
            freeAt = max(freeAt, arrival) + duration
            ends.append(freeAt)
            most = max(most, Int64(ends.count))
        }
        return most
    }
}
