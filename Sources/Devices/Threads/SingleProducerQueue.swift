internal import Synchronization

/// A bounded queue between exactly one thread that pushes and one that pops.
///
/// Neither locks nor allocates.
///
/// Unsafe memory, because elements are shared between two threads without a lock: `tail` is published after its
/// element is written, `head` after it is read, so a place is never touched by both. Elements are plain bits.
package final class SingleProducerQueue<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    private let storage: UnsafeMutablePointer<Element>
    private let capacity: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    /// Counts elements, so that the popping thread can sleep; posting is one futex call at most.
    private let available = Semaphore()

    package init(capacity: Int) {
        precondition(capacity > 0, "a queue has room for something")
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
        // Touches every page now, so that no push has to wait for one.
        UnsafeMutableRawPointer(storage).initializeMemory(
            as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Element>.stride)
    }

    deinit { storage.deallocate() }

    /// Whether nothing can be pushed at the moment.
    package var isFull: Bool {
        tail.load(ordering: .relaxed) - head.load(ordering: .acquiring) >= capacity
    }

    /// Whether nothing can be popped at the moment.
    package var isEmpty: Bool {
        tail.load(ordering: .acquiring) == head.load(ordering: .relaxed)
    }

    /// Adds an element; false if the queue is full.
    package func push(_ element: Element) -> Bool {
        let end = tail.load(ordering: .relaxed)
        guard end - head.load(ordering: .acquiring) < capacity else { return false }
        (storage + end % capacity).initialize(to: element)
        tail.store(end + 1, ordering: .releasing)
        available.signal()
        return true
    }

    /// Takes the oldest element; nil if there is none.
    package func pop() -> Element? {
        available.tryWait() ? take() : nil
    }

    /// Takes the oldest element, sleeping up to `timeout` for it.
    package func pop(timeoutMilliseconds: Int) -> Element? {
        if let element = pop() { return element }
        return available.wait(milliseconds: timeoutMilliseconds) ? take() : nil
    }

    private func take() -> Element {
        let start = head.load(ordering: .relaxed)
        let element = storage[start % capacity]
        head.store(start + 1, ordering: .releasing)
        return element
    }
}
