import Devices
import Notation
import Recipes
import Testing
import Tracking

@testable import Records

/// What a verdict says of a camera that is not known, or that does not go by its trigger.
struct FindingAdviceTests {
    private func advice(
        edges: [TriggerClass: Int64], frames: [TriggerClass: Int64], isTriggered: Bool = true
    ) -> [String] {
        var tally = RunTally()
        tally.isTriggered = isTriggered
        tally.edgesByClass = edges
        tally.framesByClass = frames
        tally.framesWithoutEdge = frames[.spurious, default: 0]
        let judged = Judgement(
            tally, ending: .streamStalled, isEndless: false, limits: Requirements())
        return judged.findings.map(\.id).filter { $0.hasPrefix("trigger-") }
    }

    @Test func `edges without any frame: the sensor does not see its trigger`() {
        #expect(advice(edges: [.ambiguous: 34], frames: [:]) == ["trigger-without-frames"])
    }

    @Test func `more frames than edges: the camera runs free`() {
        #expect(
            advice(edges: [.matched: 2, .spurious: 15], frames: [.spurious: 74])
                == ["trigger-ignored"])
    }

    @Test func `frames at other times than the edges': the pulse is not the planned one`() {
        #expect(
            advice(edges: [.ambiguous: 34], frames: [.ambiguous: 34]) == ["trigger-without-matches"]
        )
    }

    @Test
    func `nothing is explained where edges have their frames, are few, or are not the camera's`() {
        #expect(advice(edges: [.matched: 34, .missed: 2], frames: [.spurious: 1]).isEmpty)
        #expect(advice(edges: [.ambiguous: 2], frames: [:]).isEmpty)
        #expect(advice(edges: [.ambiguous: 34], frames: [:], isTriggered: false).isEmpty)
    }

    @Test func `a run with a camera of which nothing is known says so, and is not judged by it`()
        throws
    {
        var plan = try Sample.plan()
        #expect(!TallyCounter(RunNames(plan), plan.require).total.isCameraUnknown)
        plan.camera.profile = .unknown
        for names in [RunNames(plan), RunNames(try Plan(json: plan.json))] {
            let tally = TallyCounter(names, plan.require).total
            let judged = Judgement(
                tally, ending: .completed, isEndless: false, limits: plan.require)
            #expect(judged.verdict == .trustworthy)
            #expect(judged.findings.map(\.id) == ["camera-unknown"])
            #expect(judged.findings[0].message.hasPrefix("nothing is known of this camera"))
        }
    }

    @Test func `violations of the lock are counted as what happened, not as settings`() {
        var tally = RunTally()
        tally.lockViolations = 2
        let judged = Judgement(
            tally, ending: .completed, isEndless: false, limits: Requirements())
        #expect(
            judged.findings.first?.message
                == "2 times a setting was not what was locked: read back different, refused, or changed by another"
                + " program (limit 0 of `lock_violations`)")
    }
}
