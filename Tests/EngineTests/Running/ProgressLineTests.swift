import Engine
import TestSupport
import Testing
import Timebase

/// The line of progress on a terminal.
struct ProgressLineTests {
    @Test func `a line never reaches the last column, however narrow the terminal is`() {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            let total = random.chance(20) ? nil : random.number(0...4_000_000_000)
            let slots = random.number(0...(total ?? 1_000_000))
            let line = ProgressLine(
                total: total,
                planned: random.chance(50) ? nil : .seconds(random.number(0...10_000_000)))
            let width = Int(random.number(1...140))
            let text = line.text(
                slots: slots, holes: random.number(0...slots),
                elapsed: .milliseconds(random.number(0...1_000_000_000)), width: width)
            #expect(text.count < width)
        }
    }

    @Test(arguments: [1_000_000_000, 300_000_000_000, 1_000_000_000_000] as [Int64])
    func `a run that takes longer than any time that can be written has a line as well`(
        total: Int64
    ) {
        let line = ProgressLine(total: total, planned: Interval(nanoseconds: .max))
        for elapsed in [Interval.milliseconds(1), .seconds(19), .seconds(86_400)] {
            let text = line.text(slots: 1, holes: 0, elapsed: elapsed, width: 200)
            #expect(text.contains("/\(total) slots") && text.hasSuffix(" left"))
        }
    }

    @Test func `what matters most stays on a narrow terminal`() {
        let line = ProgressLine(total: 400, planned: .seconds(400))
        func text(_ width: Int) -> String {
            line.text(slots: 100, holes: 2, elapsed: .seconds(100), width: width)
        }
        let bar = "[" + String(repeating: "█", count: 6) + String(repeating: "·", count: 18) + "] "
        #expect(text(100) == bar + "100/400 slots  1.0/s  holes 2  5 min 0 s left")
        #expect(text(70) == "100/400 slots  1.0/s  holes 2  5 min 0 s left")
        #expect(text(45) == "100/400 slots  holes 2  5 min 0 s left")
        #expect(text(30) == "100/400 slots  holes 2")
        #expect(text(15) == "100/400 slots")
        #expect(text(6) == "100/4")
    }

    @Test
    func `the plan says what is left while the run keeps to it, and the pace once it does not`() {
        let line = ProgressLine(total: 10, planned: .seconds(1_000))
        // Five frames at once, then an hour of waiting: the pace alone would say "10 s".
        #expect(
            line.text(slots: 5, holes: 0, elapsed: .seconds(10), width: 200).hasSuffix(
                "16 min 30 s left"))
        #expect(
            line.text(slots: 1, holes: 0, elapsed: .seconds(900), width: 200).hasSuffix(
                "2 h 15 min left"))
        #expect(
            ProgressLine(total: 10).text(slots: 5, holes: 0, elapsed: .seconds(10), width: 200)
                .hasSuffix("10.0 s left"))
        #expect(
            !ProgressLine(total: nil).text(slots: 5, holes: 0, elapsed: .seconds(10), width: 200)
                .contains("left"))
    }
}
