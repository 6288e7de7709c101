import Recipes
import Testing
import Timebase

@testable import Records

struct JudgementTests {
    private func judge(
        _ limits: Requirements = Requirements(), ending: RunEnding = .completed,
        isEndless: Bool = false, _ change: (inout RunTally) -> Void
    ) -> Judgement {
        var tally = RunTally()
        tally.slots = 10
        tally.frames = 10
        change(&tally)
        return Judgement(tally, ending: ending, isEndless: isEndless, limits: limits)
    }

    @Test func `an output that could not be switched is never tolerated`() throws {
        let lenient = Requirements(
            dropped: nil, lockViolations: nil, unmatchedTriggers: nil, clockUncertainty: nil)
        let judged = judge(lenient) { $0.failedOutputs = 3 }
        #expect(judged.verdict == .triggerMismatch)
        #expect(judged.exitCode == 82)
        let finding = try #require(judged.findings.first)
        #expect(finding.id == "failed-outputs" && finding.isOverLimit)
        #expect(finding.message.hasPrefix("3 times an output could not be switched"))
    }

    @Test func `outputs that were late are told from a millisecond on, and not judged`() {
        #expect(judge { $0.latestOutput = .milliseconds(1) }.findings.isEmpty)
        let judged = judge {
            $0.latestOutput = .microseconds(1_500)
            $0.lateOutputs = 2
        }
        #expect(judged.exitCode == 0)
        #expect(
            judged.findings.map(\.message) == [
                "2 times an output was switched late, by up to 1.5 ms"
            ]
        )
    }

    @Test func `rounds that began late are told, and not judged`() {
        let judged = judge {
            $0.periodOverruns = 4
            $0.latestRound = .milliseconds(30)
        }
        #expect(judged.exitCode == 0)
        #expect(
            judged.findings.map(\.message) == [
                "4 rounds began later than `every` asked, by up to 30 ms"
            ])
    }

    @Test func `a setting that can't be read back counts like one that differs`() {
        let strict = judge { $0.unreadSettings = 1 }
        #expect(strict.verdict == .lockViolated && strict.exitCode == 81)
        #expect(strict.findings.map(\.id) == ["unread-settings"])
        let sum = judge(Requirements(lockViolations: 2)) {
            $0.lockViolations = 1
            $0.unreadSettings = 2
        }
        #expect(sum.exitCode == 81)
        #expect(sum.findings.count { $0.isOverLimit } == 2)
        let lenient = judge(Requirements(lockViolations: nil)) { $0.unreadSettings = 7 }
        #expect(lenient.exitCode == 0)
        #expect(lenient.findings.map(\.isOverLimit) == [false])
    }

    @Test func `stopping an endless recipe does not hide its verdict`() {
        let good = judge(ending: .interrupted, isEndless: true) { _ in }
        #expect(good.verdict == .trustworthy && good.exitCode == 130)
        let changes: [(Int32, (inout RunTally) -> Void)] = [
            (80, { $0.holes = [.damaged: 1] }), (81, { $0.lockViolations = 1 }),
            (82, { $0.lostEdges = 1 }), (83, { $0.untimedFrames = 1 }),
        ]
        for (code, change) in changes {
            let judged = judge(
                Requirements(clockUncertainty: .seconds(1)), ending: .interrupted, isEndless: true,
                change)
            #expect(judged.exitCode == code)
        }
    }

    @Test func `stopping any other recipe leaves part of it, whatever else is true`() {
        let judged = judge(ending: .interrupted) { $0.holes = [.damaged: 1] }
        #expect(judged.verdict == .partial && judged.exitCode == 130)
        #expect(judged.findings.map(\.id) == ["ended-early", "dropped"])
        let lost = judge(ending: .deviceLost, isEndless: true) { _ in }
        #expect(lost.verdict == .partial && lost.exitCode == 84)
    }

    @Test func `the first limit that is passed decides, and all that are passed are told`() {
        let judged = judge {
            $0.failedOutputs = 1
            $0.lockViolations = 1
            $0.latestOutput = .seconds(1)
            $0.lateOutputs = 1
        }
        #expect(judged.verdict == .lockViolated)
        #expect(
            judged.findings.map(\.id) == ["lock-violations", "failed-outputs", "late-outputs"])
    }
}
