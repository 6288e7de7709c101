import Devices
import Recipes
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Records

struct TallyCounterTests {
    private func counter() throws -> TallyCounter {
        let unwatched = LineRequest(
            name: "unwatched", chip: "gpio-sim", position: .offset(4), direction: .input)
        let plan = try Sample.plan(
            program: [
                .waitForEdge(line: 0, within: .seconds(1), step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 1),
            ], lines: [Sample.line, unwatched])
        return TallyCounter(RunNames(plan), plan.require)
    }

    private func edge(_ number: UInt32, line: Int32 = 0) -> RunEvent {
        .edge(
            LineEdge(
                line: line, isRising: true, timestamp: Instant(nanoseconds: 0),
                lineSequence: number))
    }

    private func row(_ slot: Int64, edge: UInt32, hole: HoleReason? = nil) -> LedgerRow {
        var row = hole.map { Sample.hole(slot, $0) } ?? Sample.row(slot)
        row.trigger = TriggerReference(
            line: 0, lineSequence: edge, delay: nil,
            outcome: .matched)
        return row
    }

    @Test func `an edge with all its frames is matched, one with a hole is not`() throws {
        var counter = try counter()
        for number in 1...3 as ClosedRange<UInt32> { counter.count(edge(number)) }
        counter.count(row(0, edge: 1))
        counter.count(row(1, edge: 1))
        counter.count(row(2, edge: 2))
        counter.count(row(3, edge: 2, hole: .droppedByDriver))
        counter.count(row(4, edge: 3, hole: .damaged))
        counter.count(row(5, edge: 3))
        let tally = counter.total
        #expect(tally.edges == 3)
        #expect(tally.matchedEdges == 1)
        #expect(tally.edgesWithoutFrame == 2)
        #expect(tally.unusedEdges == 0)
        #expect(tally.unmatchedTriggers == 2)
        #expect(tally.dropped == 2)
    }

    @Test func `half of all frames late refutes the profile, but not before the first slot`() throws
    {
        func isMostlyLate(startup: Int64, late: [(Int64, UInt32)], idle: Int64 = 0) throws -> Bool {
            var counter = try counter()
            counter.count(.timestampInvalid(count: 5, from: 100, why: .late))
            counter.count(.framesSkipped(count: startup, from: 100, why: .startup))
            for slot in 0..<10 as Range<Int64> { counter.count(row(slot, edge: UInt32(slot))) }
            for (count, from) in late {
                counter.count(.timestampInvalid(count: count, from: from, why: .late))
            }
            if idle > 0 { counter.count(.framesSkipped(count: idle, from: 115, why: .idle)) }
            return counter.total.isMostlyLate
        }
        #expect(try isMostlyLate(startup: 5, late: [(2, 105), (3, 110)]))
        #expect(try !isMostlyLate(startup: 5, late: [(4, 105)]))
        #expect(try !isMostlyLate(startup: 5, late: [(5, 105)], idle: 1))
        #expect(try !isMostlyLate(startup: 5, late: []))
        // Two of the first five were left out at the start.
        #expect(try !isMostlyLate(startup: 5, late: [(5, 103), (1, 110)]))
        #expect(try isMostlyLate(startup: 5, late: [(5, 103), (2, 110)]))
    }

    @Test func `edges that nobody waited for are unused, also where numbers start anew`() throws {
        var counter = try counter()
        for number in [UInt32.max - 1, .max, 0, 1] { counter.count(edge(number)) }
        counter.count(row(0, edge: .max - 1))
        counter.count(row(1, edge: 0))
        #expect(counter.total.matchedEdges == 2)
        #expect(counter.total.unusedEdges == 2)
    }

    @Test func `an edge that a step took without a capture is used and not matched`() throws {
        var counter = try counter()
        counter.count(edge(1))
        counter.count(.edgeAccepted(line: 0, lineSequence: 1, step: 0))
        counter.count(edge(2))
        counter.count(.edgeAccepted(line: 0, lineSequence: 2, step: 0))
        counter.count(row(0, edge: 2))
        #expect(counter.total.matchedEdges == 1)
        #expect(counter.total.unusedEdges == 0)
        #expect(counter.total.unmatchedTriggers == 0)
    }

    @Test func `edges of a line that no step waits for do not count`() throws {
        var counter = try counter()
        counter.count(edge(1, line: 1))
        counter.count(.edgesLost(line: 1, count: 4, before: 6))
        #expect(counter.total == RunTally())
    }

    @Test
    func `lost edges, time-outs, refused settings, failed outputs and late rounds are counted`()
        throws
    {
        var counter = try counter()
        counter.count(.edgesLost(line: 0, count: 4, before: 6))
        counter.count(.triggerTimeout(line: 0, step: 0))
        counter.count(
            .settingsWritten(settings: 0, slot: 0, begun: Instant(nanoseconds: 0), errno: 5))
        counter.count(
            .settingsWritten(settings: 0, slot: 0, begun: Instant(nanoseconds: 0), errno: 0))
        let gain = CameraControl(rawValue: 0x0098_0913)
        counter.count(.readBack(settings: 0, control: gain, asked: 4, found: 4))
        counter.count(.readBack(settings: 0, control: gain, asked: 4, found: 5))
        counter.count(.lensApproach(settings: 0, control: gain, asked: 4, found: 4))
        counter.count(.lensApproach(settings: 0, control: gain, asked: 4, found: 5))
        counter.count(.readBackFailed(settings: 0, control: gain))
        for sequence in 3..<6 as Range<UInt32> {
            counter.count(
                .settingContradicted(
                    settings: 0, sequence: sequence, group: .gain, believed: 4, found: 2,
                    by: .metadata))
        }
        counter.count(
            .controlChanged(ControlChange(gain, 9, at: Instant(nanoseconds: 1)), sequence: 7))
        counter.count(.outputFailed(line: 1))
        counter.count(.outputSet(line: 1, active: true, late: .milliseconds(3)))
        counter.count(.outputSet(line: 1, active: false, late: .microseconds(9)))
        for degrees in [40, 51, 45] as [Int64] {
            counter.count(.temperature(Temperature(millidegrees: degrees * 1_000)))
        }
        counter.count(.temperature(nil))
        counter.count(.roundLate(step: 0, round: 5, late: .milliseconds(2)))
        counter.count(.roundLate(step: 0, round: 6, late: .milliseconds(1)))
        counter.count(.framesMissing(count: 3, before: 9, reason: .hostStalled))
        counter.count(.frameDamaged(sequence: 12))
        counter.count(.slotRetaken(slot: 4, sequence: 12, reason: .damaged))
        let tally = counter.total
        #expect(tally.lostFrames == 4)
        #expect(tally.retakenSlots == 1)
        #expect(tally.failedOutputs == 1)
        #expect(tally.latestOutput == .milliseconds(3))
        #expect(tally.latePulses == 1)
        #expect(tally.hottest == Temperature(millidegrees: 51_000))
        #expect(tally.unreadTemperatures == 1)
        #expect(tally.lateRounds == 2)
        #expect(tally.latestRound == .milliseconds(2))
        #expect(tally.lostEdges == 4)
        #expect(tally.waitTimeouts == 1)
        #expect(tally.lockViolations == 4)
        #expect(tally.unreadSettings == 1)
        #expect(tally.contradictedSettings == 3)
    }

    /// Rows that are known by what was read back, save those of these slots.
    private func rows(_ count: Int64, withMetadata slots: Set<Int64>) -> [LedgerRow] {
        (0..<count).map { slot in
            var row = Sample.row(slot)
            row.applied = AppliedSettings(exposure: .milliseconds(1), gainMillionths: 1_000_000)
            if slots.contains(slot) { row.applied[knownBy: .gain] = .metadata }
            return row
        }
    }

    @Test func `frames without metadata count where others have them, or had another frame's`()
        throws
    {
        var without = try counter()
        rows(9, withMetadata: []).forEach { without.count($0) }
        #expect(without.total.framesWithoutMetadata == 0)
        var some = try counter()
        rows(9, withMetadata: [1, 2, 6]).forEach { some.count($0) }
        #expect(some.total.framesWithoutMetadata == 6)
        #expect(some.total.longestWithoutMetadata == 3)
        without.count(.metadataMismatch(count: 7, from: 2))
        #expect(without.total.framesWithoutMetadata == 9)
        #expect(without.total.longestWithoutMetadata == 9)
    }

    @Test func `how rows and events interleave makes no difference`() throws {
        var random = SeededGenerator(seed: 21)
        let events =
            (1...40).map { edge($0) } + [.edgesLost(line: 0, count: 1, before: 41)]
            + (1...20).map { .edgeAccepted(line: 0, lineSequence: $0 * 2, step: 0) }
        let rows = (0..<20).map { slot in
            row(slot, edge: UInt32(slot + 1) * 2, hole: slot % 5 == 0 ? .damaged : nil)
        }
        var first: RunTally?
        for _ in 0..<50 {
            var counter = try counter()
            var nextEvent = 0
            var nextRow = 0
            while nextEvent < events.count || nextRow < rows.count {
                let takesRow =
                    nextEvent == events.count
                    || nextRow < rows.count && Bool.random(using: &random)
                if takesRow {
                    counter.count(rows[nextRow])
                    nextRow += 1
                } else {
                    counter.count(events[nextEvent])
                    nextEvent += 1
                }
            }
            #expect(counter.total == first ?? counter.total)
            first = counter.total
        }
        #expect(first?.unusedEdges == 20)
        #expect(first?.matchedEdges == 16)
    }

    @Test func `unknown exposure times fail a clock limit and no other`() throws {
        var counter = try counter()
        var row = Sample.row(0)
        row.exposureTime = nil
        counter.count(row)
        let judged = Judgement(
            counter.total, ending: .completed, isEndless: false,
            limits: Requirements(clockUncertainty: .seconds(1)))
        #expect(judged.verdict == .clockUncertain)
        #expect(judged.exitCode == 83)
        let free = Judgement(
            counter.total, ending: .completed, isEndless: false, limits: Requirements())
        #expect(free.verdict == .trustworthy)
        #expect(free.findings.map(\.id) == ["untimed-frames"])
    }

    @Test func `a gain that the recipe leaves alone is not known, and no proof is met`() throws {
        var require = Requirements()
        require.proof[.gain] = .pixels
        var plan = try Sample.plan(require: require)
        plan.camera.profile.gain = GainModel(
            control: CameraControl(rawValue: 2), law: .linear(unity: 1), codes: CodeRange(1, 4),
            isoAtUnity: 100, latencyFrames: 1)
        plan.settings[0].requested.gain = .free
        var counter = TallyCounter(RunNames(plan), require)
        var row = Sample.row(0)
        row.applied = AppliedSettings(exposure: .milliseconds(8))
        for slot in 0..<3 as Range<Int64> {
            row.slot = slot
            counter.count(row)
        }
        let total = counter.total
        #expect(total.knownBy[.gain] == [.none: 3])
        let judged = Judgement(total, ending: .completed, isEndless: false, limits: require)
        #expect(judged.exitCode == 81)
        #expect(judged.line(total).contains("; gain not known"))
    }

    private func triggeredCounter() throws -> TallyCounter {
        var plan = try Sample.plan(
            program: [.capture(count: 4, settings: 0, lights: 0, step: 0)], lines: [Sample.line])
        plan.camera.trigger = PlannedTrigger(
            line: 0,
            window: TriggerWindow(
                earliest: .milliseconds(8), latest: .milliseconds(8), edgeDelay: .zero,
                shortestPeriod: .milliseconds(9), longestPeriod: .milliseconds(9)))
        return TallyCounter(RunNames(plan), Requirements())
    }

    @Test func `edges of a triggered camera count by class, and each unmatched one once`() throws {
        var counter = try triggeredCounter()
        for number in 1...8 as ClosedRange<UInt32> { counter.count(edge(number)) }
        let classes: [(UInt32, TriggerClass, UInt32?)] = [
            (1, .matched, 0), (2, .matched, 1), (3, .missed, nil), (4, .double, nil),
            (5, .spurious, nil), (6, .ambiguous, 2), (7, .matched, 3), (8, .matched, 4),
        ]
        for (number, outcome, sequence) in classes {
            counter.count(
                .edgeClassified(
                    line: 0, lineSequence: number, outcome: outcome, sequence: sequence))
        }
        counter.count(.framesSkipped(count: 1, from: 0, why: .startup))
        counter.count(.frameClassified(line: 0, sequence: 5, outcome: .spurious))
        counter.count(.frameClassified(line: 0, sequence: 6, outcome: .lost))
        counter.count(row(0, edge: 2))
        var missed = row(1, edge: 3, hole: .triggerUnanswered)
        missed.trigger?.outcome = .missed
        counter.count(missed)
        var doubtful = row(2, edge: 6)
        doubtful.trigger?.outcome = .ambiguous
        counter.count(doubtful)
        counter.count(row(3, edge: 7))
        let tally = counter.total
        #expect(tally.edges == 8)
        #expect(tally.matchedEdges == 2)
        #expect(tally.edgesWithoutFrame == 2, "the missed one and the ambiguous one")
        #expect(tally.edgesWithoutSlot == 2, "the double and the spurious one")
        #expect(tally.unusedEdges == 1, "the last one; the first was for warming up")
        #expect(tally.framesWithoutEdge == 1)
        #expect(tally.unmatchedTriggers == 6)
        #expect(tally.edgesByClass[.matched] == 4 && tally.edgesByClass[.double] == 1)
        #expect(tally.framesByClass == [.spurious: 1, .lost: 1])
        #expect(tally.dropped == 0)
    }

    @Test func `an output that is sensed counts by what its input saw`() throws {
        var lamp = LineRequest(
            name: "lamp", chip: "gpio-sim", position: .offset(5), direction: .output)
        lamp.sensedBy = Sample.line.name
        let plan = try Sample.plan(
            program: [.capture(count: 1, settings: 0, lights: 0, step: 0)],
            lines: [Sample.line, lamp])
        var counter = TallyCounter(RunNames(plan), Requirements())
        counter.count(.outputSet(line: 1, active: true, late: .seconds(1)))
        counter.count(
            .outputSensed(
                line: 1, active: true, timestamp: Instant(nanoseconds: 5), late: .milliseconds(2)))
        counter.count(.outputUnsensed(line: 1, active: false))
        let tally = counter.total
        #expect(tally.latestOutput == .milliseconds(2))
        #expect(tally.latePulses == 1)
        #expect(tally.unsensedOutputs == 1)
    }
}
