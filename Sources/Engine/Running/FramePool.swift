internal import Devices
internal import Glibc
internal import Records

/// A fixed number of frame buffers, each at a multiple of the record's block so that the disk can take them directly.
///
/// Unsafe memory: buffers are handed from the capture thread to the writers and back through queues of their numbers,
/// so that each has one owner at any time; that is why the class may be shared.
///
/// Made while the run is prepared: a run that would need too much memory is refused before it begins.
final class FramePool: @unchecked Sendable {
    /// Buffers, free or not.
    let count: Int
    /// Bytes of each, whole blocks of the record.
    let byteCount: Int
    /// All buffers in one piece.
    private let storage: UnsafeMutableRawPointer
    /// Numbers of free buffers: the writer pushes, the capture thread pops.
    private let free: SingleProducerQueue<Int32>
    /// The buffer that was promised last; only the capture thread touches it.
    private var promised: Int32?

    /// The largest part of the machine's memory that buffers may take, as a divisor: half.
    private static let memoryShare = 2

    /// Bytes that buffers may take on this machine.
    static var byteLimit: Int {
        max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE))) / memoryShare
    }

    init(count: Int, byteCount: Int) {
        precondition(
            count > 0 && byteCount == FrameContainer.paddedByteCount(byteCount),
            "buffers are whole blocks")
        self.count = count
        self.byteCount = byteCount
        storage = .allocate(
            byteCount: count * byteCount,
            alignment: MemoryPages.here.alignment(of: count * byteCount))
        // Advice only. A direct write holds every page of its frame: with huge ones there are a thousandth as many,
        // which nearly doubles what a fast disk takes.
        _ = madvise(storage, count * byteCount, MADV_HUGEPAGE)
        // Touches every page now, so that no capture has to wait for one; padding is zero on disk.
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: count * byteCount)
        free = SingleProducerQueue(capacity: count)
        for number in 0..<Int32(count) { _ = free.push(number) }
    }

    deinit {
        storage.deallocate()
    }

    /// Whether a buffer is free; if so, it is kept for the next ``take()``.
    ///
    /// Only the capture thread asks.
    var hasFree: Bool {
        if promised == nil { promised = free.pop() }
        return promised != nil
    }

    /// Takes a free buffer; nil only where ``hasFree`` was not asked or was false.
    ///
    /// Only the capture thread takes.
    func take() -> Int32? {
        guard let number = promised else { return free.pop() }
        promised = nil
        return number
    }

    /// Takes a free buffer, sleeping until there is one; nil once the caller gives up.
    ///
    /// Only where time is virtual: for frames while it stands still, and for stills.
    ///
    /// - Parameter givesUp: asked about ten times a second.
    func takeWaiting(unless givesUp: () -> Bool) -> Int32? {
        if let number = take() { return number }
        while !givesUp() {
            if let number = free.pop(timeoutMilliseconds: 100) { return number }
        }
        return nil
    }

    /// Gives a buffer back.
    ///
    /// Only the last writer thread gives back.
    func giveBack(_ number: Int32) {
        let hasRoom = free.push(number)
        precondition(hasRoom, "a buffer is given back once")
    }

    /// The bytes of a buffer; to be touched by who has its number, and nobody else.
    func bytes(_ number: Int32) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: storage + Int(number) * byteCount, count: byteCount)
    }
}
