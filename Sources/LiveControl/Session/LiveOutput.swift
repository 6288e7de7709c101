internal import Synchronization

/// Why a frame did not reach a consumer.
public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The consumer has not taken what waits for it.
    case lateConsumer = "late_consumer"
    /// All buffers of the pool are held by consumers.
    case noBuffer = "no_buffer"
    /// The device's own count shows that it lost the frame.
    case lostByDevice = "lost_by_device"
    /// The device marked the frame as damaged.
    case damaged
}

/// What an output delivers: an item, or the fact that some are missing here.
public enum Delivery<Item: Sendable>: Sendable {
    /// An item.
    case item(Item)
    /// So many are missing at this place.
    case dropped(count: Int, DropReason)
}

/// How many items an output delivered and dropped so far.
public struct OutputCounters: Hashable, Sendable {
    /// Items that were queued for the consumer.
    public var delivered = 0
    /// Items that were not, by reason.
    public var dropped: [DropReason: Int] = [:]
}

/// One consumer's view of the stream: a queue of fixed length that never slows the capture down.
///
/// When the queue is full, new items are dropped, and the consumer finds the fact where they are missing. For one
/// task at a time.
public final class LiveOutput<Item: Sendable>: AsyncSequence, Sendable {
    /// What iterating gives.
    public typealias Element = Delivery<Item>

    /// What the lock guards; a consumer that waits has an empty queue.
    private struct Contents {
        var queue: [Delivery<Item>] = []
        var items = 0
        var isFinished = false
        var counters = OutputCounters()
        var waiting: CheckedContinuation<Delivery<Item>?, Never>?

        /// Drops of one reason that follow each other are reported as one.
        mutating func append(_ delivery: Delivery<Item>) {
            if case .item = delivery { items += 1 }
            if case .dropped(let count, let reason) = delivery,
                case .dropped(let before, reason)? = queue.last
            {
                queue[queue.count - 1] = .dropped(count: before + count, reason)
            } else {
                queue.append(delivery)
            }
        }

        mutating func take() -> Delivery<Item> {
            let first = queue.removeFirst()
            if case .item = first { items -= 1 }
            return first
        }
    }

    /// Items that may wait; drops that stand between them are not counted.
    private let capacity: Int
    private let mailbox: SessionMailbox
    private let contents = Mutex(Contents())

    init(capacity: Int, mailbox: SessionMailbox) {
        precondition(capacity > 0, "an output has room for something")
        self.capacity = capacity
        self.mailbox = mailbox
    }

    /// What was delivered and dropped so far.
    public var counters: OutputCounters { contents.withLock { $0.counters } }

    /// Whether an item would find room.
    var hasRoom: Bool { contents.withLock { $0.items < capacity || $0.waiting != nil } }

    /// Takes an item; drops it if the consumer is late.
    ///
    /// Called by the capture thread alone.
    func offer(_ item: Item) {
        guard hasRoom else { return drop(1, .lateConsumer) }
        hand(.item(item)) { $0.counters.delivered += 1 }
    }

    /// Takes note of missing items, where they are missing; a waiting consumer is notified at once.
    func drop(_ count: Int, _ reason: DropReason) {
        hand(.dropped(count: count, reason)) { $0.counters.dropped[reason, default: 0] += count }
    }

    /// No more items come; what is queued is still delivered.
    func finish() {
        let waiting = contents.withLock { contents in
            contents.isFinished = true
            defer { contents.waiting = nil }
            return contents.waiting
        }
        if let waiting {
            mailbox.removeDemand(1)
            waiting.resume(returning: nil)
        }
    }

    /// Gives a delivery to the consumer that waits, or queues it; the consumer runs on outside the lock.
    ///
    /// - Parameter count: counts it, under the lock.
    private func hand(_ delivery: Delivery<Item>, _ count: (inout Contents) -> Void) {
        let waiting = contents.withLock { contents in
            count(&contents)
            defer { contents.waiting = nil }
            if contents.waiting == nil { contents.append(delivery) }
            return contents.waiting
        }
        if let waiting {
            mailbox.removeDemand(1)
            waiting.resume(returning: delivery)
        }
    }

    /// Starts to consume.
    public func makeAsyncIterator() -> Iterator { Iterator(output: self) }

    /// Takes deliveries in order.
    public struct Iterator: AsyncIteratorProtocol {
        let output: LiveOutput

        /// The next delivery, waited for; nil once the session has ended.
        public mutating func next() async -> Delivery<Item>? { await output.next() }
    }

    /// Takes the next delivery, or waits for it; waiting lets virtual time pass.
    private func next() async -> Delivery<Item>? {
        await withCheckedContinuation { continuation in
            let ready: Delivery<Item>?? = contents.withLock { contents in
                if !contents.queue.isEmpty { return contents.take() }
                if contents.isFinished { return .some(nil) }
                precondition(contents.waiting == nil, "an output has one consumer at a time")
                contents.waiting = continuation
                mailbox.addDemand()
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
