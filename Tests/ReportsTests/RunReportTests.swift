import Devices
import Foundation
import Notation
import Recipes
import Records
import Testing
import Timebase
import Tracking

@testable import Reports

/// What `framelock report` says of runs of every kind.
struct RunReportTests {
    /// Every kind of thing that a report has a place for.
    static func eventful() throws -> SampleRecord {
        var limits = Requirements(dropped: 1, clockUncertainty: .microseconds(20))
        limits.temperature = Temperature(millidegrees: 60_000)
        limits.latePulses = 0
        let run = try SampleRecord(slots: 12, require: limits)
        func log(_ event: RunEvent, _ milliseconds: Int64) {
            run.record.append(event, at: Instant(nanoseconds: milliseconds * 1_000_000))
        }
        log(.streamStarted, 0)
        log(.temperature(Temperature(millidegrees: 41_500)), 0)
        log(.settingsWritten(settings: 1, slot: 1, begun: SampleRecord.epoch, errno: 0), 1)
        let exposure = CameraControl(rawValue: 0x009a_0902)
        log(.readBack(settings: 1, control: exposure, asked: 20, found: 21), 2)
        log(.outputSet(line: 1, active: true, late: .microseconds(1_500)), 5)
        log(.outputSet(line: 1, active: false, late: .microseconds(20)), 6)
        log(
            .edge(
                LineEdge(
                    line: 0, isRising: true,
                    timestamp: SampleRecord.epoch + .milliseconds(30), lineSequence: 1)), 30)
        log(.framesMissing(count: 2, before: 6, reason: .droppedByDriver), 60)
        log(.framesSkipped(count: 3, from: 100, why: .settling), 70)
        log(.temperature(Temperature(millidegrees: 61_250)), 80)
        for slot in 0..<4 as Range<Int64> { run.frame(SampleRecord.row(slot)) }
        run.hole(4, .droppedByDriver)
        run.hole(5, .droppedByDriver)
        for slot in 6..<11 as Range<Int64> {
            run.frame(SampleRecord.row(slot, settings: 1), level: 50)
        }
        run.notReached(11...11, .interrupted)
        try run.finish(.interrupted)
        return run
    }

    /// Every kind of edge and frame that a camera has which a line exposes, and every doubt about its stream.
    static func triggered() throws -> SampleRecord {
        var limits = Requirements(dropped: 0, unmatchedTriggers: 0)
        limits.pulseTolerance = .microseconds(100)
        let run = try SampleRecord(slots: 5, require: limits, isTriggered: true)
        func log(_ event: RunEvent, _ milliseconds: Int64) {
            run.record.append(event, at: Instant(nanoseconds: milliseconds * 1_000_000))
        }
        func edge(_ number: UInt32, _ outcome: TriggerClass, _ sequence: UInt32? = nil) {
            let time = SampleRecord.epoch + .milliseconds(4 + 5 * Int64(number))
            log(
                .edge(
                    LineEdge(line: 0, isRising: true, timestamp: time, lineSequence: number)),
                4 + 5 * Int64(number))
            log(
                .edgeClassified(
                    line: 0, lineSequence: number, outcome: outcome, sequence: sequence),
                5 + 5 * Int64(number))
        }
        func reference(_ number: UInt32, _ outcome: TriggerClass) -> TriggerReference {
            TriggerReference(
                line: 0, lineSequence: number, delay: .microseconds(10 + Int64(number)),
                outcome: outcome)
        }
        log(.edgesUncounted(line: 0), 1)
        log(.timestampClock(.boottime), 2)
        log(
            .outputSensed(line: 1, active: true, timestamp: SampleRecord.epoch, late: .seconds(1)),
            3)
        log(.outputSet(line: 1, active: true, late: .zero), 3)
        log(.outputUnsensed(line: 1, active: false), 3)
        edge(1, .matched, 0)
        edge(2, .double)
        edge(3, .matched, 1)
        edge(4, .missed)
        edge(5, .matched, 2)
        log(.edgesLost(line: 0, count: 1, before: 7), 38)
        edge(7, .ambiguous, 3)
        log(.frameClassified(line: 0, sequence: 9, outcome: .spurious), 50)
        log(.framesSkipped(count: 1, from: 9, why: .repeated), 50)
        log(
            .sequenceTimestampMismatch(before: 3, bySequence: 1, fewest: 2, most: 3, bySlot: nil),
            51)
        log(.gapUnverifiable(count: 2, from: 4), 52)
        log(.timestampInvalid(count: 3, from: 5, why: .zero), 53)
        log(.quirkSeen(.timestampsAreZero, sequence: 5, isKnown: false), 53)
        log(.bufferRefused(errno: 5), 54)
        log(.cameraClockStepped(sequence: 6), 55)
        log(.timestampClock(nil), 56)
        for (slot, number) in [(0, 1), (1, 3)] as [(Int64, UInt32)] {
            var row = SampleRecord.row(slot)
            row.trigger = reference(number, .matched)
            run.frame(row)
        }
        run.hole(
            2, .droppedByDriver, trigger: reference(5, .matched), gapEvidence: [.sequence, .slot])
        run.hole(3, .droppedByDevice, gapEvidence: .spacing)
        var row = SampleRecord.row(4)
        row.trigger = reference(7, .ambiguous)
        run.frame(row)
        try run.finish()
        return run
    }

    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    @Test(arguments: ["eventful", "triggered"])
    func `the text of a run is what it was`(name: String) throws {
        let run = try name == "triggered" ? Self.triggered() : Self.eventful()
        let golden = Self.golden.appendingPathComponent("\(name).txt")
        _ = try PageCheck(RunReport(run.path).page)
        let text = try RunReport(run.path).text.replacingOccurrences(of: run.path, with: "RUN")
        if ProcessInfo.processInfo.environment["FRAMELOCK_RECORD"] != nil {
            try Data("\(text)\n".utf8).write(to: golden)
        }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        #expect("\(text)\n" == expected)
    }

    @Test(arguments: ["eventful", "triggered"])
    func `programs read what the text says, and the numbers of its distributions`(
        name: String
    ) throws {
        let run = try name == "triggered" ? Self.triggered() : Self.eventful()
        let report = try RunReport(run.path)
        let text = report.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let data = Data(report.json.text(.pretty).utf8)
        let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            text.hasPrefix(
                "\(json["title"]!): \(json["verdict"]!) (exit code \(json["exit_code"]!))"))
        let findings = try #require(json["findings"] as? [[String: Any]])
        for finding in findings {
            #expect(text.contains("\(finding["message"]!) [\(finding["id"]!)]"))
        }
        let sections = try #require(json["sections"] as? [[String: Any]])
        let ids = Set(sections.compactMap { $0["id"] as? String })
        #expect(findings.allSatisfy { ids.contains($0["section"] as? String ?? "") })
        let blocks = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
        let facts =
            (json["facts"] as? [[String: String]] ?? [])
            + blocks.flatMap { $0["facts"] as? [[String: String]] ?? [] }
        #expect(facts.count > 10)
        for fact in facts where fact["name"] != "run" {
            let value = try #require(fact["value"]).split(separator: " ").joined(separator: " ")
            #expect(text.contains(value.prefix(60)), "\(fact)")
        }
        let cells = blocks.compactMap { ($0["table"] as? [String: Any])?["rows"] as? [[String]] }
        #expect(
            cells.joined().joined().allSatisfy { cell in
                let words = cell.split(separator: " ").joined(separator: " ")
                return text.contains(words.prefix(20))
            })
        for case let found as [String: Any] in blocks.compactMap({ $0["distribution"] }) {
            let numbers = ["minimum", "percentile_1", "median", "percentile_99", "maximum"]
                .compactMap { found[$0] as? Int }
            let count = try #require(found["count"] as? Int)
            #expect(numbers == numbers.sorted() && numbers.count == (count == 0 ? 0 : 5))
            if count > 0, numbers[0] != numbers[4] { #expect(text.contains("\(count), from ")) }
        }
    }

    @Test func `no line of a text is longer than 100 columns, whatever a recipe is called`() throws
    {
        let long = String(repeating: "very-long-name.", count: 20)
        let run = try SampleRecord(name: long, slots: 3, steps: [long, "\u{1B}[31mred"])
        run.frame(SampleRecord.row(0))
        run.frame(SampleRecord.row(1, settings: 1))
        run.hole(2, .damaged)
        try run.finish()
        let text = try RunReport(run.path).text
        for line in text.split(separator: "\n").dropFirst() {
            #expect(line.count <= 100, "\(line)")
        }
        #expect(!text.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `a run that still goes on is reported as far as it is there`() throws {
        let run = try SampleRecord(slots: 100)
        run.frame(SampleRecord.row(0))
        run.frame(SampleRecord.row(1))
        run.hole(2, .buffersFull)
        try run.record.flush()
        let report = try RunReport(run.path)
        #expect(report.text.hasPrefix("sample: partial (exit code 84)"))
        #expect(report.text.contains("! the run still goes on, or was cut"))
        #expect(report.text.contains("! 1 missing frame (limit 0 of `dropped`) [dropped]"))
        #expect(report.text.contains("3 of 100 planned"))
        #expect(report.text.contains("97 have no row"))
        // A line that is only half there is none.
        let ledger = run.path + "/ledger.csv"
        let handle = try #require(FileHandle(forWritingAtPath: ledger))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("3,sequence[0],fra".utf8))
        #expect(try RunReport(run.path).text == report.text)
    }

    @Test(arguments: [
        (0, 0), (1, 0), (0, 1), (0, 300), (1, 1), (RunFigures.maximumDrawn + 5, 0),
    ])
    func `runs of any size and kind are a text and a page`(frames: Int, holes: Int) throws {
        let run = try SampleRecord(slots: Int64(max(1, frames + holes)))
        for slot in 0..<Int64(frames) { run.frame(SampleRecord.row(slot)) }
        for slot in Int64(frames)..<Int64(frames + holes) { run.hole(slot, .deviceLost) }
        try run.finish(holes > 0 ? .deviceLost : .completed)
        let report = try RunReport(run.path)
        #expect(report.text.contains("holes                \(holes)\n"))
        let page = try PageCheck(report.page)
        #expect(page.data["slots"] == nil || frames + holes <= RunFigures.maximumDrawn)
        #expect((page.data["frames"] as? [Int])?.reduce(0, +) ?? 0 == frames)
    }

    @Test(arguments: [Int64.min, .max])
    func `a damaged ledger may have any number`(number: Int64) throws {
        let run = try SampleRecord(slots: 4)
        run.frame(SampleRecord.row(0))
        for slot in [1, 2] as [Int64] {
            var row = SampleRecord.row(slot)
            row.rawTimestamp = Instant(nanoseconds: slot == 1 ? number : ~number)
            row.applied.exposure = Interval(nanoseconds: number)
            run.frame(row)
        }
        run.frame(SampleRecord.row(3))
        try run.finish()
        let report = try RunReport(run.path)
        #expect(report.text.contains("4 of 4 planned"))
        _ = try PageCheck(report.page)
    }

    @Test func `a folder that is none says so`() {
        #expect(throws: UnreadableRun.self) { try RunReport("/nowhere") }
    }
}
