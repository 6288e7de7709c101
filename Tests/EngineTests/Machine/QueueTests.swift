import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// The fixed queues of the machine.
struct QueueTests {
    private func edge(_ number: UInt32, line: Int32) -> LineEdge {
        LineEdge(
            line: line, isRising: true, timestamp: Instant(nanoseconds: Int64(number)),
            lineSequence: number)
    }

    @Test func `edges wait in line, each line for itself`() {
        var queue = LineQueue<LineEdge>(lineCount: 3, capacity: Plan.waitingEdges)
        for number in UInt32(1)...5 {
            let fits = queue.push(edge(number, line: 0))
            let fitsToo = queue.push(edge(number + 100, line: 2))
            #expect(fits && fitsToo)
        }
        let none = queue.pop(line: 1)
        #expect(none == nil)
        var found: [UInt32] = []
        while let next = queue.pop(line: 2) { found.append(next.lineSequence) }
        #expect(found == [101, 102, 103, 104, 105])
        let first = queue.pop(line: 0)
        #expect(first?.lineSequence == 1)
    }

    @Test func `a full line refuses, and takes again once there is room, round and round`() {
        var queue = LineQueue<LineEdge>(lineCount: 2, capacity: Plan.waitingEdges)
        var next: UInt32 = 0
        var expected: UInt32 = 0
        for _ in 0..<5 {
            var isFull = false
            while !isFull {
                isFull = !queue.push(edge(next, line: 1))
                if !isFull { next += 1 }
            }
            #expect(next - expected == UInt32(Plan.waitingEdges))
            let fits = queue.push(edge(1, line: 0))
            #expect(fits)
            for _ in 0..<100 {
                let edge = queue.pop(line: 1)
                #expect(edge?.lineSequence == expected)
                expected += 1
            }
        }
    }

    @Test func `a machine without lines has a queue all the same`() throws {
        let queue = LineQueue<LineEdge>(lineCount: 0, capacity: Plan.waitingEdges)
        _ = consume queue
        var plan = SamplePlan([.capture(1)])
        plan.lines = []
        let story = try MachineDriver(plan)
        story.frame(0)
        #expect(story.ending == .completed)
    }

    @Test func `actions come out in the order in which they went in`() {
        var queue = ActionQueue()
        let none = queue.pop() == nil
        #expect(none)
        var next: Int32 = 0
        var expected: Int32 = 0
        for _ in 0..<3 {
            while queue.room > 0 {
                queue.push(
                    .write(SettingsWrite(ticket: 0, settings: next, groups: .all, slot: 0)))
                next += 1
            }
            while let action = queue.pop() {
                guard case .write(let write) = action else { continue }
                #expect(write.settings == expected)
                expected += 1
            }
        }
        #expect(expected == Int32(ActionQueue.capacity) * 3)
        let isEmpty = queue.isEmpty
        #expect(isEmpty)
    }
}
