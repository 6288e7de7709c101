/// A first-in, first-out list of fixed capacity, allocated once.
///
/// Holds unsafe memory because the capture thread must not allocate and a Swift array may.
package struct FixedRing<Element: BitwiseCopyable>: ~Copyable {
    private let storage: UnsafeMutablePointer<Element>
    private let capacity: Int
    private var head = 0
    package private(set) var count = 0

    package init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        // Elements are plain bits: nothing to deinitialise.
        storage.deallocate()
    }

    package var isEmpty: Bool { count == 0 }
    package var isFull: Bool { count == capacity }

    /// The element at a place, 0 being the oldest.
    package subscript(_ place: Int) -> Element {
        precondition(place >= 0 && place < count, "a place within the list")
        return storage[(head + place) % capacity]
    }

    package mutating func append(_ element: Element) {
        precondition(!isFull, "there is room in the list")
        (storage + (head + count) % capacity).initialize(to: element)
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer { removeFirst(1) }
        return storage[head]
    }

    package mutating func removeFirst(_ number: Int) {
        precondition(number >= 0 && number <= count, "as many as there are")
        head = (head + number) % capacity
        count -= number
    }
}
