internal import Records

/// A frame that waits for its group to be whole.
///
/// Its pixels are in a buffer of the pool, so the driver has its own back.
struct HeldFrame: BitwiseCopyable {
    let row: LedgerRow
    let buffer: Int32
}

/// The frames of one group in their order; of fixed size, allocated once.
///
/// Used on the capture thread alone. Either all are recorded or all are given up.
///
/// Unsafe memory because the capture thread must not allocate and a Swift array may.
final class HeldFrames {
    private let storage: UnsafeMutablePointer<HeldFrame>
    private let capacity: Int
    private var head = 0
    private var tail = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: max(1, capacity))
    }

    deinit {
        // Rows and numbers are plain bits: nothing to deinitialise.
        storage.deallocate()
    }

    /// - Precondition: fewer are held than the plan's largest group has.
    func append(_ frame: HeldFrame) {
        precondition(tail < capacity, "a group has as many frames as the plan has")
        (storage + tail).initialize(to: frame)
        tail += 1
    }

    /// The oldest frame; nil, and room for a group, once all are taken.
    func takeFirst() -> HeldFrame? {
        guard head < tail else {
            (head, tail) = (0, 0)
            return nil
        }
        defer { head += 1 }
        return storage[head]
    }
}
