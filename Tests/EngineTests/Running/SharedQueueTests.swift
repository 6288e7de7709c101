import Devices
import Foundation
import Testing

@testable import Engine

/// What capture thread and writers share.
struct SharedQueueTests {
    @Test func `a queue holds what it has room for`() {
        let queue = SingleProducerQueue<Int>(capacity: 3)
        #expect(queue.isEmpty && !queue.isFull)
        #expect(queue.pop() == nil)
        for number in 1...3 { #expect(queue.push(number)) }
        #expect(queue.isFull)
        #expect(!queue.push(4))
        #expect(queue.pop() == 1)
        #expect(queue.push(4))
        #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [2, 3, 4, nil])
    }

    @Test func `an empty queue is waited for no longer than is asked`() {
        let queue = SingleProducerQueue<Int>(capacity: 1)
        #expect(queue.pop(timeoutMilliseconds: 1) == nil)
        #expect(queue.push(9))
        #expect(queue.pop(timeoutMilliseconds: 60_000) == 9)
    }

    @Test func `between two threads nothing is lost, doubled or reordered`() {
        let count = 100_000
        let queue = SingleProducerQueue<Int>(capacity: 64)
        let producer = Thread {
            for number in 0..<count { while !queue.push(number) { sched_yield() } }
        }
        producer.start()
        var expected = 0
        while expected < count {
            guard let number = queue.pop(timeoutMilliseconds: 10_000) else { break }
            if number != expected { break }
            expected += 1
        }
        #expect(expected == count)
        #expect(queue.isEmpty)
    }

    @Test func `a pool gives each buffer to one owner at a time`() {
        let pool = FramePool(count: 3, byteCount: 4096)
        var taken: Set<Int32> = []
        while pool.hasFree {
            guard let number = pool.take() else { break }
            #expect(taken.insert(number).inserted)
        }
        #expect(taken == [0, 1, 2])
        #expect(pool.take() == nil)
        pool.giveBack(1)
        #expect(pool.takeWaiting { false } == 1)
    }

    @Test func `a buffer that is promised is there`() {
        // One thread gives back as fast as it can what the other takes on a promise: the promise must hold at once.
        let pool = FramePool(count: 2, byteCount: 4096)
        let back = SingleProducerQueue<Int32>(capacity: 4)
        let rounds = 50_000
        let writer = Thread {
            for _ in 0..<rounds {
                guard let number = back.pop(timeoutMilliseconds: 10_000) else { return }
                pool.giveBack(number)
            }
        }
        writer.start()
        var kept = 0
        var spins = 0
        while kept < rounds, spins < 100_000_000 {
            spins += 1
            guard pool.hasFree else { continue }
            guard let number = pool.take() else { break }
            _ = back.push(number)
            kept += 1
        }
        #expect(kept == rounds)
    }

    @Test func `a pool that stays empty is given up`() {
        let pool = FramePool(count: 1, byteCount: 4096)
        #expect(pool.take() == 0)
        var asked = 0
        let number = pool.takeWaiting {
            asked += 1
            return asked > 2
        }
        #expect(number == nil)
    }

    @Test func `buffers start at whole pages and do not overlap`() throws {
        let pool = FramePool(count: 4, byteCount: 8192)
        for number in Int32(0)..<4 {
            let bytes = pool.bytes(number)
            let address = try #require(bytes.baseAddress)
            #expect(Int(bitPattern: address) % 4096 == 0)
            #expect(bytes.allSatisfy { $0 == 0 })
            bytes.initializeMemory(as: UInt8.self, repeating: UInt8(number + 1))
        }
        for number in Int32(0)..<4 {
            #expect(pool.bytes(number).allSatisfy { $0 == UInt8(number + 1) })
        }
    }
}
