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

    @Test func `a light covers what lies between its switching on and its planned end`() {
        var schedule = LightSchedule()
        var queue = ActionQueue()
        schedule.arm(lines: 0b110, on: time(50), off: time(80))
        schedule.advance(time(52), &queue)
        schedule.note(1, active: true, planned: time(50), succeeded: true, time(53))
        let half = schedule.cover(time(60), time(70))
        #expect(!half, "the other line is not on yet")
        schedule.note(2, active: true, planned: time(50), succeeded: true, time(55))
        let covers = [(54, 70), (55, 80), (55, 81)].map { schedule.cover(time($0.0), time($0.1)) }
        #expect(covers == [false, true, false])
    }

    @Test func `a line that goes off late is off, whatever is planned by then`() {
        var schedule = LightSchedule()
        var queue = ActionQueue()
        schedule.arm(lines: 0b10, on: time(50), off: time(80))
        schedule.advance(time(50), &queue)
        schedule.note(1, active: true, planned: time(50), succeeded: true, time(51))
        schedule.cancel(time(60), &queue)
        schedule.arm(lines: 0b100, on: time(90), off: time(99))
        let isLit = schedule.isLit
        #expect(isLit)
        schedule.note(1, active: false, planned: time(60), succeeded: true, time(65))
        schedule.cancel(time(70), &queue)
        let (isStill, darkFrom) = (schedule.isLit, schedule.darkFrom)
        #expect(!isStill && darkFrom == time(65))
    }
}
