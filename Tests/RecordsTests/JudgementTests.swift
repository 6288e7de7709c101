import Devices
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

    @Test func `outputs that were late are told, and judged where the recipe has a limit`() {
        let late: (inout RunTally) -> Void = {
            $0.latestOutput = .microseconds(1_500)
            $0.latePulses = 3
        }
        let told = judge(Requirements(), late)
        #expect(told.exitCode == 0)
        #expect(
            told.findings.map(\.message) == [
                "3 late outputs (more than 1 ms after the planned time), the latest by 1.5 ms"
                    + " (no limit set)"
            ])
        var limits = Requirements()
        limits.latePulses = 3
        #expect(judge(limits, late).exitCode == 0)
        limits.latePulses = 2
        let judged = judge(limits, late)
        #expect(judged.verdict == .triggerMismatch && judged.exitCode == 82)
    }

    @Test func `rounds that began late are judged where the recipe has a limit`() {
        let late: (inout RunTally) -> Void = {
            $0.latestRound = .milliseconds(50)
            $0.lateRounds = 2
        }
        var limits = Requirements()
        limits.lateRounds = 2
        #expect(judge(limits, late).exitCode == 0)
        limits.lateRounds = 1
        #expect(judge(limits, late).exitCode == 82)
    }

    @Test func `saturated frames are told, and judged where the recipe has a limit`() {
        let saturated: (inout RunTally) -> Void = {
            $0.saturatedFrames = 20
            $0.mostSaturated = 554_699
        }
        let told = judge(Requirements(), saturated)
        #expect(told.exitCode == 0)
        #expect(
            told.findings.map(\.message) == [
                "20 frames with 1 % or more of all samples at full scale, up to 55.4699 %"
                    + " (no limit set)"
            ])
        var limits = Requirements()
        limits.saturatedFrames = 20
        #expect(judge(limits, saturated).exitCode == 0)
        limits.saturatedFrames = 19
        let judged = judge(limits, saturated)
        #expect(judged.verdict == .lockViolated && judged.exitCode == 81)
    }

    @Test func `frames that were lost without a hole are told, and those with one once`() {
        let told = judge {
            $0.lostFrames = 5
            $0.retakenSlots = 2
        }
        #expect(told.exitCode == 0 && told.findings.map(\.id) == ["lost-frames"])
        #expect(told.findings[0].message.hasPrefix("5 frames did not come or came damaged"))
        #expect(told.findings[0].message.contains("slots were taken again 2 times"))
        let holes = judge {
            $0.lostFrames = 2
            $0.holes = [.damaged: 1, .hostStalled: 1]
        }
        #expect(holes.findings.map(\.id) == ["dropped"])
        let both = judge {
            $0.lostFrames = 3
            $0.holes = [.damaged: 1, .hostStalled: 1]
        }
        #expect(both.findings.map(\.id) == ["dropped", "lost-frames"])
    }

    @Test func `a sensor that does not keep the period of its registers has no known exposures`() {
        let found: (inout RunTally) -> Void = {
            $0.periodExpected = .microseconds(10_070)
            $0.periodFound = .microseconds(5_035)
        }
        let judged = judge(Requirements(), found)
        #expect(judged.verdict == .lockViolated && judged.exitCode == 81)
        #expect(judged.findings.first?.message.contains("every 5.035 ms") ?? false)
        #expect(judged.findings.first?.message.contains("calibrate timing") ?? false)
        var lenient = Requirements()
        lenient.lockViolations = nil
        #expect(judge(lenient, found).exitCode == 0)
        #expect(judge(lenient, found).findings.map(\.id) == ["period-mismatch"])
    }

    @Test func `late timestamps that showed in time are told, and those that did not are judged`() {
        let told = judge { $0.lateTimestamps = 10 }
        #expect(told.exitCode == 0 && told.findings.map(\.id) == ["late-timestamps"])
        let judged = judge { $0.unseenDelay = .milliseconds(4) }
        #expect(judged.verdict == .clockUncertain && judged.exitCode == 83)
        let refuted = judge { ($0.lateTimestamps, $0.isMostlyLate) = (10, true) }
        #expect(refuted.exitCode == 83 && refuted.findings.map(\.id) == ["late-timestamps"])
    }

    @Test func `a clock at its limit is good enough`() {
        var limits = Requirements()
        limits.clockUncertainty = .microseconds(500)
        let codes = [500_000, 500_001].map { width in
            judge(limits) { $0.widestHalfWidth = .nanoseconds(width) }.exitCode
        }
        #expect(codes == [0, 83])
    }

    @Test func `frames that are missing and those that may be are held against one limit together`()
    {
        var limits = Requirements()
        limits.dropped = 3
        func code(missing: Int64, unclear: Int64) -> Int32 {
            judge(limits) {
                $0.holes = [.dropped: missing]
                $0.disputedGaps = unclear
            }.exitCode
        }
        #expect(code(missing: 2, unclear: 1) == 0)
        #expect(code(missing: 2, unclear: 2) == 80)
        #expect(code(missing: 0, unclear: 3) == 0)
    }

    @Test func `frames without the metadata that others have are told with their longest stretch`()
    {
        let judged = judge {
            $0.frames = 400
            $0.framesWithoutMetadata = 19
            $0.longestWithoutMetadata = 12
        }
        #expect(judged.exitCode == 0 && judged.verdict == .trustworthy)
        #expect(judged.findings.map(\.id) == ["metadata-missing"])
        let message = judged.findings.first?.message ?? ""
        #expect(message.contains("19 of 400 frames") && message.contains("12 in a row"))
        #expect(judged.findings.first?.kind.look.contains("metadata-mismatch") ?? false)
    }

    @Test func `a temperature over its limit is a lock that did not hold`() {
        var limits = Requirements()
        #expect(judge(limits) { $0.hottest = Temperature(millidegrees: 99_000) }.findings.isEmpty)
        limits.temperature = Temperature(millidegrees: 60_000)
        #expect(judge(limits) { $0.hottest = limits.temperature }.exitCode == 0)
        let judged = judge(limits) { $0.hottest = Temperature(millidegrees: 61_500) }
        #expect(judged.verdict == .lockViolated && judged.exitCode == 81)
        #expect(
            judged.findings.map(\.message) == [
                "the instrument was up to 61.5 degC warm (limit 60 degC)"
            ])
    }

    @Test func `a temperature that nobody could read is not one that held`() {
        var limits = Requirements()
        let silent = judge(limits) { $0.unreadTemperatures = 4 }
        #expect(silent.exitCode == 0 && silent.findings.map(\.id) == ["unread-temperature"])
        limits.temperature = Temperature(millidegrees: 60_000)
        #expect(judge(limits) { $0.unreadTemperatures = 4 }.exitCode == 81)
        #expect(judge(limits) { _ in }.exitCode == 81)
        let once = judge(limits) {
            $0.unreadTemperatures = 1
            $0.hottest = Temperature(millidegrees: 50_000)
        }
        #expect(once.exitCode == 0 && once.findings.map(\.id) == ["unread-temperature"])
    }

    @Test func `rounds that began late are told, and not judged`() {
        let judged = judge {
            $0.lateRounds = 4
            $0.latestRound = .milliseconds(30)
        }
        #expect(judged.exitCode == 0)
        #expect(
            judged.findings.map(\.message) == [
                "4 rounds began later than `every` asked, by up to 30 ms (no limit set)"
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

    @Test func `a setting that frames contradict counts like one that differs, and is named first`()
    {
        let judged = judge(Requirements(lockViolations: 1)) {
            $0.lockViolations = 1
            $0.contradictedSettings = 1
        }
        #expect(judged.exitCode == 81)
        #expect(judged.findings.map(\.id) == ["setting-contradicted", "lock-violations"])
        #expect(judged.findings.first?.kind.look == "events.jsonl: setting-contradicted")
        let lenient = judge(Requirements(lockViolations: 1)) { $0.contradictedSettings = 1 }
        #expect(lenient.exitCode == 0)
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
            $0.latePulses = 1
        }
        #expect(judged.verdict == .lockViolated)
        #expect(
            judged.findings.map(\.id) == ["lock-violations", "failed-outputs", "late-pulses"])
    }
}
