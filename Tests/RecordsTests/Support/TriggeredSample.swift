import Devices
import Recipes
import Timebase
import Tracking

@testable import Records

/// A run of 20 slots: ten in a row with two lost frames, then ten that wait for an edge each, with frames between them
/// that no slot wants.
enum TriggeredSample {
    /// Records it.
    static func record(at path: String, ending: RunEnding = .completed) throws -> Judgement {
        let plan = try Sample.plan(
            program: [
                .capture(count: 10, settings: 0, lights: 0, step: 0),
                .loop(count: 10, every: .zero, end: 4, step: 1),
                .waitForEdge(line: 0, within: .seconds(1), step: 1),
                .capture(count: 1, settings: 1, lights: 0, step: 1), .endLoop(start: 1),
            ], lines: [Sample.line])
        let run = try SampleRun(plan, at: path)
        let record = run.record
        record.append(.streamStarted, at: Instant(nanoseconds: 0))
        record.append(
            .framesSkipped(count: 3, from: 0, why: .startup), at: Instant(nanoseconds: 1))
        for slot in 0..<10 as Range<Int64> {
            if slot == 4 {
                record.append(
                    .framesMissing(count: 2, before: 9, reason: .droppedByDriver),
                    at: Instant(nanoseconds: 2))
            }
            if slot == 4 || slot == 5 {
                var hole = Sample.hole(slot, .droppedByDriver)
                hole.deviceSequence = UInt32(slot) + 3
                run.hole(hole)
                continue
            }
            run.frame(Sample.row(slot, sequence: UInt32(slot) + 3))
        }
        for slot in 10..<20 as Range<Int64> {
            let number = UInt32(slot) - 9
            let time = Instant<Session>(nanoseconds: slot * 33_333_333)
            record.append(
                .edge(
                    LineEdge(
                        line: 0, isRising: true, timestamp: Instant(nanoseconds: slot),
                        lineSequence: number)), at: time)
            record.append(.edgeAccepted(line: 0, lineSequence: number, step: 1), at: time)
            let last: UInt32 = slot == 10 ? 12 : UInt32(slot - 1) * 5
            record.append(
                .framesSkipped(
                    count: slot * 5 - Int64(last) - 1, from: last + 1, why: .idle), at: time)
            var row = Sample.row(slot, sequence: UInt32(slot) * 5, settings: 1)
            row.step = 1
            row.trigger = TriggerReference(
                line: 0, lineSequence: number, delay: .microseconds(40), outcome: .matched)
            run.frame(row)
        }
        return try run.finish(ending)
    }
}
