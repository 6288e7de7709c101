import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// The walk through a plan by itself.
struct SequencerTests {
    /// A sequencer that has started, and what it wants done.
    private final class Story {
        var sequencer: Sequencer
        var actions = ActionQueue()
        /// The lights of the exposure before.
        var lit: Lights.Still = (0, .distantPast)

        init(_ program: [Instruction]) throws {
            sequencer = Sequencer(try SamplePlan(program).plan())
            sequencer.start()
        }

        /// Takes turns until something is waited for or asked, a hundred at most.
        func turn(at milliseconds: Int64) -> Sequencer.Turn {
            for _ in 0..<100 {
                guard case .nothing = sequencer.waiting else { return .nothing }
                let turn = sequencer.next(lit, SequencerTests.time(milliseconds), &actions)
                if case .nothing = turn { continue }
                return turn
            }
            return .nothing
        }

        /// What was switched since it was asked last, each with its planned time in milliseconds.
        func outputs() -> [String] {
            var outputs: [String] = []
            while let action = actions.pop() {
                guard case .setOutput(let line, let active, let planned) = action else { continue }
                outputs.append("\(line) \(active) \(planned.nanoseconds / 1_000_000)")
            }
            return outputs
        }

        /// The next turn's slot; nil for any other turn.
        func slot(at milliseconds: Int64) -> PlanSlot? {
            if case .slot(let slot) = turn(at: milliseconds) { slot } else { nil }
        }

        /// Begins the next slot; nil if there is none.
        func begin(at milliseconds: Int64) -> PendingSlot? {
            guard let slot = slot(at: milliseconds) else { return nil }
            sequencer.begin(slot, notBefore: .distantPast, time(milliseconds))
            return sequencer.waitingSlot
        }

        func tick(at milliseconds: Int64) {
            sequencer.tick(SequencerTests.time(milliseconds), &actions)
        }

        func arrive(_ edge: LineEdge) { sequencer.arrive(edge, edge.timestamp, &actions) }
    }

    private static func time(_ milliseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    private func edge(_ number: UInt32, at milliseconds: Int64, line: Int32 = 0) -> LineEdge {
        LineEdge(
            line: line, isRising: true, timestamp: Self.time(milliseconds), lineSequence: number)
    }

    @Test func `a frame after a wait must not begin before its end, and the one behind it may`()
        throws
    {
        let story = try Story([.wait(.milliseconds(30), step: 0), .capture(2)])
        let none = story.begin(at: 5)?.slot
        let deadline = story.sequencer.deadline
        #expect(none == nil && deadline == Self.time(35))
        story.tick(at: 34)
        let still = story.begin(at: 34)?.slot
        #expect(still == nil)
        story.tick(at: 36)
        let first = story.begin(at: 36)
        #expect(first?.notBefore == Self.time(35))
        story.sequencer.endSlot()
        let second = story.begin(at: 40)
        #expect(second?.notBefore == .distantPast)
    }

    @Test func `what a slot had to wait for is passed on when it ends without a frame`() throws {
        let story = try Story([.wait(.milliseconds(30), step: 0), .capture(2)])
        _ = story.begin(at: 0)
        story.tick(at: 30)
        for number in Int64(0)...1 {
            let waiting = story.begin(at: 31)
            #expect(waiting?.slot.number == number && waiting?.notBefore == Self.time(30))
            story.sequencer.passSlot()
        }
    }

    @Test func `rounds begin at whole multiples of their time, however late one was`() throws {
        let story = try Story([
            .loop(count: 4, every: .milliseconds(100), end: 2, step: 0), .capture(1),
            .endLoop(start: 0),
        ])
        _ = story.begin(at: 0)
        var found: [Instant<Monotonic>] = []
        for now in [10, 130, 240] as [Int64] {
            story.sequencer.endSlot()
            _ = story.begin(at: now)
            let deadline = story.sequencer.deadline
            found.append(deadline)
            story.tick(at: 100 * Int64(found.count))
            _ = story.begin(at: now)
        }
        #expect(found == [100, 200, 300].map(Self.time))
    }

    @Test func `rounds keep their time behind an edge that had waited long for its step`() throws {
        let story = try Story([
            .waitForEdge(line: 0, within: .zero, step: 0),
            .loop(count: 2, every: .milliseconds(100), end: 3, step: 0), .capture(1),
            .endLoop(start: 1),
        ])
        story.arrive(edge(1, at: 0))
        _ = story.begin(at: 5_000)
        story.sequencer.noteFrame(
            Self.time(5_030), period: .milliseconds(10), Self.time(5_031), &story.actions)
        story.sequencer.endSlot()
        _ = story.begin(at: 5_031)
        let deadline = story.sequencer.deadline
        #expect(deadline == Self.time(5_125), "half a period before a round behind the first frame")
    }

    @Test func `what a slot waits for may come later, and never sooner`() throws {
        let story = try Story([.wait(.milliseconds(30), step: 0), .capture(1)])
        _ = story.begin(at: 5)
        story.tick(at: 35)
        _ = story.begin(at: 35)
        story.sequencer.delaySlot(to: Self.time(20))
        let sooner = story.sequencer.waitingSlot?.notBefore
        story.sequencer.delaySlot(to: Self.time(50))
        let later = story.sequencer.waitingSlot?.notBefore
        #expect(sooner == Self.time(35) && later == Self.time(50))
    }

    @Test func `an edge is that of its round until this ends, and not the rounds inside it`() throws
    {
        let story = try Story([
            .loop(count: 2, every: .zero, end: 6, step: 0),
            .waitForEdge(line: 0, within: .zero, step: 0),
            .loop(count: 1, every: .zero, end: 4, step: 0), .capture(1), .endLoop(start: 2),
            .capture(1), .endLoop(start: 0),
        ])
        var edges: [UInt32?] = []
        for number in 1...2 as ClosedRange<UInt32> {
            story.arrive(edge(number, at: Int64(number)))
            for _ in 0..<2 {
                _ = story.begin(at: 10)
                let trigger = story.sequencer.trigger?.lineSequence
                edges.append(trigger)
                story.sequencer.endSlot()
            }
        }
        #expect(edges == [1, 1, 2, 2])
    }

    @Test func `a round without its edge is left out, and the next one waits again`() throws {
        let story = try Story([
            .loop(count: 2, every: .zero, end: 3, step: 0),
            .waitForEdge(line: 0, within: .milliseconds(10), step: 0), .capture(1),
            .endLoop(start: 0),
        ])
        _ = story.turn(at: 0)
        story.tick(at: 10)
        guard case .leftOut(let left, missingEdge: 0) = story.turn(at: 10) else {
            Issue.record("the slot of the first round is left out")
            return
        }
        let none = story.slot(at: 11)
        let deadline = story.sequencer.deadline
        #expect(left.number == 0 && none == nil && deadline == Self.time(21))
        story.arrive(edge(7, at: 15))
        let second = story.slot(at: 16)
        let trigger = story.sequencer.trigger
        #expect(second?.number == 1 && trigger?.lineSequence == 7)
        guard case .end = story.turn(at: 17) else {
            Issue.record("the plan is over")
            return
        }
        let after = story.sequencer.trigger?.lineSequence
        #expect(after == nil, "the edge belongs to its round")
    }

    @Test func `an edge that came early is kept for its step, unless something else had it`()
        throws
    {
        for isForgotten in [false, true] {
            let story = try Story([.waitForEdge(line: 0, within: .zero, step: 0), .capture(1)])
            story.arrive(edge(1, at: 3))
            story.arrive(edge(2, at: 4))
            story.arrive(edge(9, at: 4, line: 2))
            if isForgotten { story.sequencer.forget(edge(1, at: 3)) }
            let waiting = story.begin(at: 5)
            let taken = story.sequencer.trigger?.lineSequence
            #expect(taken == (isForgotten ? 2 : 1))
            #expect(waiting?.notBefore == Self.time(isForgotten ? 4 : 3))
        }
    }

    @Test func `the first request to stop lets the slot have its frame, the second does not`()
        throws
    {
        for requests in 1...2 {
            let story = try Story([.capture(5)])
            _ = story.begin(at: 0)
            for _ in 0..<requests { story.sequencer.interrupt(Self.time(1), &story.actions) }
            let waiting = story.sequencer.waitingSlot?.slot.number
            let unfinished = story.sequencer.pending?.slot.number
            let isEnding = story.sequencer.isEnding
            #expect(waiting == (requests == 1 ? 0 : nil) && isEnding)
            #expect(unfinished == 0, "it gets its row in either case")
            if requests == 1 { story.sequencer.endSlot() } else { story.sequencer.dropSlot() }
            _ = story.turn(at: 2)
            let ending = story.sequencer.ending
            #expect(ending == .interrupted)
            guard case .slots(from: let rest) = story.sequencer.drain() else {
                Issue.record("four slots are left")
                return
            }
            #expect(rest.number == 1)
            guard case .nothing = story.sequencer.drain() else {
                Issue.record("all of them are in one row")
                return
            }
        }
    }

    @Test func `a pulse of a light waits until that is out`() throws {
        let story = try Story([.pulse(line: 1, duration: .milliseconds(50), step: 0)])
        story.lit = (0b10, Self.time(20))
        _ = story.turn(at: 0)
        #expect(story.sequencer.deadline == Self.time(20) && story.outputs() == [])
        story.sequencer.tick(Self.time(20), &story.actions)
        _ = story.turn(at: 20)
        story.sequencer.tick(Self.time(70), &story.actions)
        #expect(story.outputs() == ["1 true 20", "1 false 70"])
        let other = try Story([.pulse(line: 2, duration: .milliseconds(50), step: 0)])
        other.lit = (0b10, Self.time(20))
        _ = other.turn(at: 0)
        #expect(other.outputs() == ["2 true 0"])
    }

    @Test func `a pulse that the end cuts short is switched off, once`() throws {
        let story = try Story([.pulse(line: 1, duration: .milliseconds(50), step: 0)])
        _ = story.turn(at: 0)
        story.sequencer.end(.deviceLost)
        story.sequencer.end(.interrupted)
        for time in Int64(9)...10 {
            story.sequencer.endPulse(Self.time(time), &story.actions)
        }
        let ending = story.sequencer.ending
        #expect(story.outputs() == ["1 true 0", "1 false 9"] && ending == .deviceLost)
    }
}
