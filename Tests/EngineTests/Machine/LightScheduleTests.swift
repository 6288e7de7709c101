import Testing
import Timebase

@testable import Engine

/// The schedule of lights by itself.
struct LightScheduleTests {
    private func time(_ nanoseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: nanoseconds)
    }

    private func outputs(_ queue: inout ActionQueue) -> [String] {
        var found: [String] = []
        while let action = queue.pop() {
            if case .setOutput(let line, let active, let planned) = action {
                found.append("\(line) \(active ? "on" : "off") \(planned.nanoseconds)")
            }
        }
        return found
    }

    @Test func `lines go on and off at their times, in order of lines`() {
        var schedule = LightSchedule()
        var queue = ActionQueue()
        #expect(schedule.nextDeadline == .distantFuture)
        schedule.arm(lines: 0b1001_0000_0000_0000_0000_0000_0000_0010, on: time(50), off: time(80))
        #expect(!schedule.isIdle)
        #expect(schedule.nextDeadline == time(50))
        schedule.advance(time(49), &queue)
        let found1 = outputs(&queue)
        #expect(found1.isEmpty)
        schedule.advance(time(50), &queue)
        let found2 = outputs(&queue)
        #expect(found2 == ["1 on 50", "28 on 50", "31 on 50"])
        #expect(schedule.nextDeadline == time(80))
        schedule.advance(time(95), &queue)
        let found3 = outputs(&queue)
        #expect(found3 == ["1 off 80", "28 off 80", "31 off 80"])
        #expect(schedule.isIdle)
    }

    @Test func `both ends come at once if both have passed`() {
        var schedule = LightSchedule()
        var queue = ActionQueue()
        schedule.arm(lines: 1, on: time(5), off: time(6))
        schedule.advance(time(100), &queue)
        let found4 = outputs(&queue)
        #expect(found4 == ["0 on 5", "0 off 6"])
        #expect(schedule.isIdle)
    }

    @Test func `what is cancelled goes off only where it was on`() {
        var queue = ActionQueue()
        var armed = LightSchedule()
        armed.arm(lines: 1, on: time(5), off: time(60))
        armed.cancel(time(4), &queue)
        let found5 = outputs(&queue)
        #expect(found5.isEmpty)
        var lit = LightSchedule()
        lit.arm(lines: 1, on: time(5), off: time(60))
        lit.advance(time(5), &queue)
        lit.cancel(time(20), &queue)
        let found6 = outputs(&queue)
        #expect(found6 == ["0 on 5", "0 off 20"])
        #expect(lit.isIdle)
    }
}
