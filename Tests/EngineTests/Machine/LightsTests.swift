import Testing
import Timebase

@testable import Engine

/// Lights by themselves.
struct LightsTests {
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
        var lights = Lights()
        var queue = ActionQueue()
        #expect(lights.nextDeadline == .distantFuture)
        lights.arm(lines: 0b1001_0000_0000_0000_0000_0000_0000_0010, on: time(50), off: time(80))
        #expect(!lights.isIdle)
        #expect(lights.nextDeadline == time(50))
        lights.advance(time(49), &queue)
        let found1 = outputs(&queue)
        #expect(found1.isEmpty)
        lights.advance(time(50), &queue)
        let found2 = outputs(&queue)
        #expect(found2 == ["1 on 50", "28 on 50", "31 on 50"])
        #expect(lights.nextDeadline == time(80))
        lights.advance(time(95), &queue)
        let found3 = outputs(&queue)
        #expect(found3 == ["1 off 80", "28 off 80", "31 off 80"])
        #expect(lights.isIdle)
    }

    @Test func `both ends come at once if both have passed`() {
        var lights = Lights()
        var queue = ActionQueue()
        lights.arm(lines: 1, on: time(5), off: time(6))
        lights.advance(time(100), &queue)
        let found4 = outputs(&queue)
        #expect(found4 == ["0 on 5", "0 off 6"])
        #expect(lights.isIdle)
    }

    @Test func `what is cancelled goes off only where it was on`() {
        var queue = ActionQueue()
        var armed = Lights()
        armed.arm(lines: 1, on: time(5), off: time(60))
        armed.cancel(time(4), &queue)
        let found5 = outputs(&queue)
        #expect(found5.isEmpty)
        var lit = Lights()
        lit.arm(lines: 1, on: time(5), off: time(60))
        lit.advance(time(5), &queue)
        lit.cancel(time(20), &queue)
        let found6 = outputs(&queue)
        #expect(found6 == ["0 on 5", "0 off 20"])
        #expect(lit.isIdle)
    }

    @Test func `a light covers what lies between its switching on and its planned end`() {
        var lights = Lights()
        var queue = ActionQueue()
        lights.arm(lines: 0b110, on: time(50), off: time(80))
        lights.advance(time(52), &queue)
        lights.note(1, active: true, planned: time(50), succeeded: true, time(53))
        let half = lights.cover(time(60), time(70))
        #expect(!half, "the other line is not on yet")
        lights.note(2, active: true, planned: time(50), succeeded: true, time(55))
        let covers = [(54, 70), (55, 80), (55, 81)].map { lights.cover(time($0.0), time($0.1)) }
        #expect(covers == [false, true, false])
    }

    @Test func `a line that goes off late is off, whatever is planned by then`() {
        var lights = Lights()
        var queue = ActionQueue()
        lights.arm(lines: 0b10, on: time(50), off: time(80))
        lights.advance(time(50), &queue)
        lights.note(1, active: true, planned: time(50), succeeded: true, time(51))
        lights.cancel(time(60), &queue)
        lights.arm(lines: 0b100, on: time(90), off: time(99))
        let isLit = lights.isLit
        #expect(isLit)
        lights.note(1, active: false, planned: time(60), succeeded: true, time(65))
        lights.cancel(time(70), &queue)
        let (isStill, darkFrom) = (lights.isLit, lights.darkFrom)
        #expect(!isStill && darkFrom == time(65))
    }

    @Test func `lights are planned for the first frame that can have them, and judged by it`() {
        var lights = Lights()
        var queue = ActionQueue()
        let period = Interval.milliseconds(10)
        lights.beginSlot()
        // The last frame was exposed from 2 to 8 ms, and has a timestamp of 9 ms.
        lights.plan(
            0b10, after: time(9_000_000), exposed: (time(2_000_000), time(8_000_000)), from: 1,
            period: period, delay: .zero, notBefore: .distantPast, time(9_500_000))
        // The next frame begins at 12 ms, which is soon enough: the lights go on 1 ms before it.
        #expect(lights.isPlanned && lights.nextDeadline == time(11_000_000))
        lights.advance(time(11_000_000), &queue)
        let early = lights.judge(
            time(9_000_000), exposed: nil, tolerance: period / 2, time(11_000_000), &queue)
        #expect(early == nil, "that is the frame before")
        lights.note(1, active: true, planned: time(11_000_000), succeeded: true, time(11_100_000))
        let isLit = lights.judge(
            time(19_000_000), exposed: (time(12_000_000), time(18_000_000)),
            tolerance: period / 2, time(19_100_000), &queue)
        #expect(isLit == true)
        // If it turns out to have been exposed longer, its lights are planned again.
        let isStillLit = lights.judge(
            time(19_000_000), exposed: (time(12_000_000), time(19_500_000)),
            tolerance: period / 2, time(19_100_000), &queue)
        #expect(isStillLit == false && !lights.isPlanned)
    }

    @Test(arguments: [
        // Switching takes 1 ms, and lights go on 1 ms before their frame: the one at 12 ms can have them until 10 ms.
        (now: 10_000_000, on: 11_000_000), (10_000_001, 21_000_000), (19_999_999, 21_000_000),
        (20_000_000, 21_000_000), (20_000_001, 31_000_000),
    ])
    func `lights that come too late for a frame by a nanosecond are for the next one`(
        now: Int64, on: Int64
    ) {
        var lights = Lights()
        lights.beginSlot()
        lights.plan(
            0b10, after: time(9_000_000), exposed: (time(2_000_000), time(8_000_000)), from: 1,
            period: .milliseconds(10), delay: .zero, notBefore: .distantPast, time(now))
        #expect(lights.nextDeadline == time(on))
    }

    @Test func `sixteen frames without their lights are too many for one slot`() {
        var lights = Lights()
        for _ in 0..<2 {
            lights.beginSlot()
            let found = (1...16).map { _ in lights.countUnlit() }
            #expect(found == Array(repeating: false, count: 15) + [true])
        }
    }
}
