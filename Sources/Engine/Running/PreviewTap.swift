public import Devices
internal import Imaging
public import Records
internal import Synchronization

/// The newest recorded frame, for whoever looks when there is time: a preview.
///
/// A mailbox for one frame between the pipeline and one reader. The pipeline never waits for the reader: a frame that
/// nobody took is replaced by the next one and counted as skipped. Neither side locks.
///
/// Unsafe memory, because frames are shared between two threads without a lock: of three buffers one is the pipeline's,
/// one the reader's and one lies between; each side exchanges its own for that one in a single step, so that no buffer
/// ever has two owners.
public final class PreviewTap: @unchecked Sendable {
    /// The frame between pipeline and reader.
    private enum Mailbox {
        /// Set while the buffer between holds a frame that nobody took.
        static let fresh: UInt8 = 4
        static let buffer: UInt8 = 3
    }

    /// Bytes of a frame, in the record's layout.
    public let frameByteCount: Int
    private let storage: UnsafeMutableRawPointer
    /// The row of each buffer.
    private let rows: UnsafeMutablePointer<LedgerRow>
    /// The number of the buffer between, with ``Mailbox/fresh`` if nobody took its frame.
    private let between = Atomic<UInt8>(1)
    private let deliveredFrames = Atomic<Int64>(0)
    private let offeredFrames = Atomic<Int64>(0)
    /// The pipeline's buffer; only its thread touches the number.
    private var back: UInt8 = 0
    /// The reader's buffer; only the reader touches the number.
    private var front: UInt8 = 2

    /// Creates a tap for frames of a layout.
    ///
    /// Allocates three frames, at a cache line's boundary.
    public init(_ accepted: AcceptedConfiguration) {
        frameByteCount = accepted.layout.recordedByteCount
        storage = .allocate(byteCount: 3 * frameByteCount, alignment: 64)
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: 3 * frameByteCount)
        rows = .allocate(capacity: 3)
        rows.initialize(repeating: LedgerRow(slot: -1, step: 0, settings: 0), count: 3)
    }

    deinit {
        storage.deallocate()
        rows.deallocate()
    }

    /// Frames that the reader took; may be asked by any thread.
    public var delivered: Int64 { deliveredFrames.load(ordering: .relaxed) }

    /// Frames that were replaced before the reader came, or not copied since the record had no time; the one that waits
    /// is not among them.
    public var skipped: Int64 {
        let waiting: Int64 = between.load(ordering: .relaxed) & Mailbox.fresh != 0 ? 1 : 0
        return max(0, offeredFrames.load(ordering: .relaxed) - delivered - waiting)
    }

    /// Puts a frame in place of the one that waits.
    ///
    /// Called by one thread of the pipeline.
    ///
    /// - Parameter hasTime: whether there is time for a copy; if not, the frame counts as skipped.
    func offer(_ row: LedgerRow, _ frame: UnsafeRawBufferPointer, hasTime: Bool) {
        if hasTime {
            bytes(back).copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[..<frameByteCount]))
            rows[Int(back)] = row
            let old = between.exchange(back | Mailbox.fresh, ordering: .acquiringAndReleasing)
            back = old & Mailbox.buffer
        }
        offeredFrames.wrappingAdd(1, ordering: .relaxed)
    }

    /// Looks at the newest frame, unless it was looked at before.
    ///
    /// Called by one thread at a time, the reader's.
    ///
    /// - Parameter body: is given the frame's row and its samples, which are valid until it returns.
    /// - Returns: what `body` returns; nil if no new frame has come.
    public func take<Value>(
        _ body: (LedgerRow, UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? {
        guard between.load(ordering: .relaxed) & Mailbox.fresh != 0 else { return nil }
        front = between.exchange(front, ordering: .acquiringAndReleasing) & Mailbox.buffer
        deliveredFrames.wrappingAdd(1, ordering: .relaxed)
        return try body(rows[Int(front)], UnsafeRawBufferPointer(bytes(front)))
    }

    private func bytes(_ buffer: UInt8) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: storage + Int(buffer) * frameByteCount, count: frameByteCount)
    }
}
