import Devices
import Foundation
import Notation
import Recipes
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Records

struct EventLogTests {
    /// One of each kind, and its line.
    static let golden: [(RunEvent, String)] = [
        (.streamStarted, #"{"at_ns":7,"event":"stream-started"}"#),
        (.streamStopped, #"{"at_ns":7,"event":"stream-stopped"}"#),
        (
            .edge(
                LineEdge(
                    line: 0, isRising: true, timestamp: Instant(nanoseconds: 99), lineSequence: 3)),
            #"{"at_ns":7,"event":"edge","line":"part_present","number":3,"edge":"rising","raw_timestamp_ns":99}"#
        ),
        (
            .edgesLost(line: 0, count: 2, before: 9),
            #"{"at_ns":7,"event":"edges-lost","line":"part_present","count":2,"before_number":9}"#
        ),
        (
            .edgeAccepted(line: 0, lineSequence: 3, step: 1),
            #"{"at_ns":7,"event":"edge-accepted","line":"part_present","number":3,"step":"sequence[1].do[0]"}"#
        ),
        (
            .outputSet(line: 0, active: true, late: .microseconds(3)),
            #"{"at_ns":7,"event":"output-set","line":"part_present","active":true,"late_ns":3000}"#
        ),
        (
            .edgeClassified(line: 0, lineSequence: 3, outcome: .matched, sequence: 8),
            #"{"at_ns":7,"event":"edge-classified","line":"part_present","number":3,"class":"matched","sequence":8}"#
        ),
        (
            .edgeClassified(line: 0, lineSequence: 4, outcome: .missed, sequence: nil),
            #"{"at_ns":7,"event":"edge-classified","line":"part_present","number":4,"class":"missed","sequence":null}"#
        ),
        (
            .frameClassified(line: 0, sequence: 9, outcome: .spurious),
            #"{"at_ns":7,"event":"frame-classified","line":"part_present","sequence":9,"class":"spurious"}"#
        ),
        (
            .edgesUncounted(line: 0),
            #"{"at_ns":7,"event":"edges-uncounted","line":"part_present"}"#
        ),
        (
            .outputSensed(
                line: 0, active: true, timestamp: Instant(nanoseconds: 99),
                late: .microseconds(3)),
            #"{"at_ns":7,"event":"output-sensed","line":"part_present","active":true,"raw_timestamp_ns":99,"late_ns":3000}"#
        ),
        (
            .outputUnsensed(line: 0, active: false),
            #"{"at_ns":7,"event":"output-unsensed","line":"part_present","active":false}"#
        ),
        (.outputFailed(line: 0), #"{"at_ns":7,"event":"output-failed","line":"part_present"}"#),
        (
            .settingsWritten(settings: 1, slot: 3, begun: Instant(nanoseconds: 5), errno: 0),
            #"{"at_ns":7,"event":"settings-written","settings":1,"slot":3,"begun_ns":5,"errno":0}"#
        ),
        (
            .settingsWritten(settings: 0, slot: nil, begun: Instant(nanoseconds: 5), errno: 0),
            #"{"at_ns":7,"event":"settings-written","settings":0,"slot":null,"begun_ns":5,"errno":0}"#
        ),
        (
            .writeRepeated(settings: 1, errno: 5),
            #"{"at_ns":7,"event":"write-repeated","settings":1,"errno":5}"#
        ),
        (
            .readBack(
                settings: 0, control: CameraControl(rawValue: 0x9a0902), asked: 80, found: 79),
            #"{"at_ns":7,"event":"read-back","settings":0,"control":"exposure_time_absolute","asked":80,"found":79}"#
        ),
        (
            .lensApproach(
                settings: 0, control: CameraControl(rawValue: 0x009a_090a), asked: 650, found: 650),
            #"{"at_ns":7,"event":"lens-approach","settings":0,"control":"focus_absolute","asked":650,"found":650}"#
        ),
        (
            .readBackFailed(settings: 0, control: CameraControl(rawValue: 0x123)),
            #"{"at_ns":7,"event":"read-back-failed","settings":0,"control":"0x123"}"#
        ),
        (
            .controlChanged(
                ControlChange(
                    CameraControl(rawValue: 0x009a_0902), 100, at: Instant(nanoseconds: 9)),
                sequence: 44),
            #"{"at_ns":7,"event":"control-changed","control":"exposure_time_absolute","found":100,"raw_timestamp_ns":9,"sequence":44}"#
        ),
        (
            .controlChanged(
                ControlChange(CameraControl(rawValue: 0x123), -1, at: Instant(nanoseconds: 9)),
                sequence: nil),
            #"{"at_ns":7,"event":"control-changed","control":"0x123","found":-1,"raw_timestamp_ns":9,"sequence":null}"#
        ),
        (
            .framesMissing(count: 2, before: 12, reason: .droppedByDriver),
            #"{"at_ns":7,"event":"frames-missing","count":2,"before_sequence":12,"reason":"dropped-by-driver"}"#
        ),
        (
            .sequenceJumped(from: 1, to: 90_000),
            #"{"at_ns":7,"event":"sequence-jumped","from_sequence":1,"to_sequence":90000}"#
        ),
        (.frameDamaged(sequence: 4), #"{"at_ns":7,"event":"frame-damaged","sequence":4}"#),
        (
            .framesSkipped(count: 3, from: 0, why: .startup),
            #"{"at_ns":7,"event":"frames-skipped","count":3,"from_sequence":0,"why":"startup"}"#
        ),
        (
            .roundLate(step: 0, round: 5, late: .milliseconds(2)),
            #"{"at_ns":7,"event":"round-late","step":"sequence[0]","round":5,"late_ns":2000000}"#
        ),
        (
            .groupRepeated(step: 0, slot: 8, attempt: 2),
            #"{"at_ns":7,"event":"group-repeated","step":"sequence[0]","slot":8,"attempt":2}"#
        ),
        (
            .groupPartial(step: 0, slot: 8, frames: 4, slots: 5),
            #"{"at_ns":7,"event":"group-partial","step":"sequence[0]","slot":8,"frames":4,"slots":5}"#
        ),
        (
            .slotRetaken(slot: 8, sequence: 12, reason: .droppedByDevice),
            #"{"at_ns":7,"event":"slot-retaken","slot":8,"sequence":12,"reason":"dropped-by-device"}"#
        ),
        (
            .triggerTimeout(line: 0, step: 0),
            #"{"at_ns":7,"event":"trigger-timeout","line":"part_present","step":"sequence[0]"}"#
        ),
        (
            .settingContradicted(
                settings: 1, sequence: 9, group: .gain, believed: 2_000_000, found: 1_000_000,
                by: .metadata),
            #"{"at_ns":7,"event":"setting-contradicted","settings":1,"sequence":9,"setting":"gain","#
                + #""believed":2000000,"found":1000000,"known_by":"metadata"}"#
        ),
        (
            .controlUnresponsive(.gain),
            #"{"at_ns":7,"event":"control-unresponsive","setting":"gain"}"#
        ),
        (
            .settingsLate(.gain, frames: 4),
            #"{"at_ns":7,"event":"settings-late","setting":"gain","frames":4}"#
        ),
        (
            .settingDoubted(
                settings: 1, sequence: 9, group: .gain, believed: 2_000_000, by: .readBack),
            #"{"at_ns":7,"event":"setting-doubted","settings":1,"sequence":9,"setting":"gain","#
                + #""believed":2000000,"known_by":"read-back"}"#
        ),
        (
            .settingShown(settings: 1, sequence: 9, group: .gain, value: 2_000_000),
            #"{"at_ns":7,"event":"setting-shown","settings":1,"sequence":9,"setting":"gain","#
                + #""value":2000000}"#
        ),
        (
            .brightnessMismatch(.exposure, frames: 12),
            #"{"at_ns":7,"event":"brightness-mismatch","setting":"exposure","frames":12}"#
        ),
        (
            .sequenceTimestampMismatch(before: 9, bySequence: 0, fewest: 1, most: 2, bySlot: nil),
            #"{"at_ns":7,"event":"sequence-timestamp-mismatch","before_sequence":9,"by_sequence":0,"#
                + #""by_spacing_fewest":1,"by_spacing_most":2,"by_slot":null}"#
        ),
        (
            .gapUnverifiable(count: 3, from: 9),
            #"{"at_ns":7,"event":"gap-unverifiable","count":3,"from_sequence":9}"#
        ),
        (
            .timestampInvalid(count: 3, from: 9, why: .ahead),
            #"{"at_ns":7,"event":"timestamp-invalid","count":3,"from_sequence":9,"why":"ahead"}"#
        ),
        (
            .quirkSeen(.sequenceIsStuck, sequence: 9, isKnown: false),
            #"{"at_ns":7,"event":"quirk-seen","quirk":"sequence_is_stuck","sequence":9,"known":false}"#
        ),
        (
            .rateDiffers(found: .milliseconds(20)),
            #"{"at_ns":7,"event":"rate-differs","period_ns":20000000}"#
        ),
        (
            .timestampInvalid(count: 2, from: 4, why: .late),
            #"{"at_ns":7,"event":"timestamp-invalid","count":2,"from_sequence":4,"why":"late"}"#
        ),
        (
            .periodMismatch(
                sequence: 8, expected: .microseconds(10_070), found: .microseconds(5_035)),
            #"{"at_ns":7,"event":"period-mismatch","sequence":8,"expected_ns":10070000,"found_ns":5035000}"#
        ),
        (
            .earlierTimestampsLate(sequence: 9, least: .milliseconds(4)),
            #"{"at_ns":7,"event":"earlier-timestamps-late","sequence":9,"late_at_least_ns":4000000}"#
        ),
        (
            .metadataMismatch(count: 3, from: 9),
            #"{"at_ns":7,"event":"metadata-mismatch","count":3,"from_sequence":9}"#
        ),
        (.bufferRefused(errno: 22), #"{"at_ns":7,"event":"buffer-refused","errno":22}"#),
        (.interrupted, #"{"at_ns":7,"event":"interrupted"}"#),
        (.streamFailed(errno: 19), #"{"at_ns":7,"event":"stream-failed","errno":19}"#),
        (
            .storageFailed(slot: 6, errno: 28),
            #"{"at_ns":7,"event":"storage-failed","slot":6,"errno":28}"#
        ),
        (
            .stillMissed(slot: 6, errno: 0),
            #"{"at_ns":7,"event":"still-missed","slot":6,"errno":0}"#
        ),
        (
            .recordRecovered(frames: 3, bytes: 57),
            #"{"at_ns":7,"event":"record-recovered","frames":3,"bytes":57}"#
        ),
        (
            .temperature(Temperature(millidegrees: -1_500)),
            #"{"at_ns":7,"event":"temperature","millidegrees_c":-1500}"#
        ),
        (.temperature(nil), #"{"at_ns":7,"event":"temperature","millidegrees_c":null}"#),
        (
            .clockSample(
                ClockSample(
                    before: Instant(nanoseconds: 1), ClockTime(.tai, 2),
                    after: Instant(nanoseconds: 3))),
            #"{"at_ns":7,"event":"clock-sample","clock":"CLOCK_TAI","before_ns":1,"reading_ns":2,"after_ns":3}"#
        ),
        (
            .clockSample(
                ClockSample(
                    before: Instant(nanoseconds: 1), ClockTime(.camera, 2),
                    after: Instant(nanoseconds: 3))),
            #"{"at_ns":7,"event":"clock-sample","clock":"camera","before_ns":1,"reading_ticks":2,"after_ns":3}"#
        ),
        (
            .clockDiscipline(
                ClockDiscipline(
                    offset: .nanoseconds(-5), maximumError: .microseconds(3),
                    estimatedError: .microseconds(2), frequencyPartsPerBillion: -1_500,
                    taiOffsetSeconds: 37, status: 0x2040)),
            #"{"at_ns":7,"event":"clock-discipline","synchronised":false,"offset_ns":-5,"#
                + #""maximum_error_ns":3000,"estimated_error_ns":2000,"frequency_ppb":-1500,"#
                + #""tai_offset_s":37,"status":8256}"#
        ),
        (
            .timestampClock(.realtime),
            #"{"at_ns":7,"event":"timestamp-clock","claimed":"CLOCK_MONOTONIC","found":"CLOCK_REALTIME"}"#
        ),
        (
            .timestampClock(nil),
            #"{"at_ns":7,"event":"timestamp-clock","claimed":"CLOCK_MONOTONIC","found":null}"#
        ),
        (
            .cameraClockStepped(sequence: 4),
            #"{"at_ns":7,"event":"camera-clock-stepped","sequence":4}"#
        ),
    ]

    private func names() throws -> RunNames { RunNames(try Sample.plan(lines: [Sample.line])) }

    @Test func `every kind of event has its line, and is read back from it`() throws {
        let names = try names()
        var kinds: Set<EventName> = []
        for (event, line) in Self.golden {
            var bytes: [UInt8] = []
            EventLog(names).write(event, at: Instant(nanoseconds: 7), to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == line + "\n")
            let value = try JSONReader.read(line, name: "line")
            #expect(
                EventLog(names).parse(value)
                    == LoggedEvent(event: event, time: Instant(nanoseconds: 7)))
            kinds.insert(EventName(event))
        }
        #expect(kinds == Set(EventName.allCases))
    }

    @Test(arguments: [
        (#"{"at_ns":7,"event":"edge","line":"door","number":3}"#, "not an event of this plan"),
        (#"{"at_ns":7,"event":"interrupted","note":1}"#, "not an event of this plan"),
        (#"{"at_ns":7.5,"event":"interrupted"}"#, "not an event of this plan"),
        (
            #"{"at_ns":7,"event":"read-back-failed","settings":2,"control":"gain"}"#,
            "not an event of this plan"
        ),
        (#"{"at_ns":7,"event":"frame-damaged","sequence":-1}"#, "not an event of this plan"),
    ])
    func `a line that is no event of the plan is a fault`(line: String, message: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/events.jsonl"
        try "\(line)\n{\n{".write(toFile: path, atomically: false, encoding: .utf8)
        let reader = try EventReader(path, names())
        #expect(try reader.next() == .fault(message, line: 1))
        guard case .fault(_, line: 2) = try reader.next() else {
            Issue.record("half an object is no event")
            return
        }
        #expect(try reader.next() == .cut(line: 3))
        #expect(try reader.next() == nil)
    }

    @Test func `lines longer than the reader's pieces are read whole`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/lines"
        var random = SeededGenerator(seed: 5)
        let lines = (0..<60).map { _ in
            String(repeating: "x", count: Int.random(in: 0...9_000, using: &random))
        }
        try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let reader = try LineReader(path)
        for (index, expected) in lines.enumerated() {
            let line = try reader.next()
            // A file that ends with a line end has no further line.
            if index == lines.count - 1, expected.isEmpty { break }
            #expect(line?.text == expected)
            #expect(line?.number == index + 1)
            #expect(line?.isComplete == (index < lines.count - 1))
        }
    }
}
