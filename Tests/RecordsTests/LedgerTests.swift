import Devices
import Foundation
import Imaging
import Recipes
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Records

struct LedgerTests {
    private static func names(steps: [String]? = nil) throws -> RunNames {
        var plan = try Sample.plan(lines: [Sample.line])
        plan.steps = steps ?? plan.steps
        return RunNames(plan)
    }

    private func text(_ entry: LedgerEntry, _ names: RunNames) -> String {
        var bytes: [UInt8] = []
        LedgerTable.shared.write(entry, names, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the first twenty columns are the contract`() {
        #expect(
            LedgerColumn.header.hasPrefix(
                "slot,step,status,reason,device_sequence,raw_timestamp_ns,clock,session_start_ns,"
                    + "session_mid_ns,session_end_ns,session_half_width_ns,requested_exposure_ns,"
                    + "applied_exposure_ns,requested_gain,applied_gain,applied_lens_position,trigger_id,"
                    + "trigger_class,luma_mean,crc32c,"))
    }

    @Test func `a frame with its trigger is one line`() throws {
        var row = Sample.row(41, sequence: 4_294_967_295)
        row.applied.gainMillionths = 1_995_300
        row.trigger = TriggerReference(
            line: 0, lineSequence: 42, delay: .microseconds(1_500), outcome: .matched)
        let measure = FrameBrightness(
            lumaSum: 2_000, lumaCount: 3, saturatedCount: 1, crc32c: 0x00AB_CDEF)
        #expect(
            text(LedgerEntry(row, at: SlotPlace(), measure: measure), try Self.names())
                == "41,sequence[0],frame,,4294967295,6380666653,CLOCK_MONOTONIC,1372666653,"
                + "1376666653,1380666653,25000,8000000,8000000,2,1.9953,0.42,part_present:42,"
                + "matched,666.667,00abcdef,1500000,0.333333,0,0.42,,,,,,,read-back,read-back,"
                + "read-back,none,,,,,,\n")
    }

    @Test func `a hole has a reason and empty fields for what is not known`() throws {
        #expect(
            text(
                LedgerEntry(
                    Sample.hole(7, .droppedByDriver), at: SlotPlace(lights: 1, rounds: [2, 0]),
                    measure: nil), try Self.names())
                == "7,sequence[0],hole,dropped-by-driver,,,,,,,,8000000,,2,,,,,,,,,0,0.42,,,,,,,"
                + "none,none,none,none,,,,,part_present,2 0\n")
    }

    @Test func `means are rounded half up in integers`() {
        for (sum, count, expected) in [
            (1, 2, "0.500"), (1, 3, "0.333"), (2, 3, "0.667"), (1, 2_000, "0.001"),
            (1, 2_001, "0.000"), (65_535 * 33_000_000, 33_000_000, "65535.000"), (0, 5, "0.000"),
        ] as [(UInt64, UInt64, String)] {
            let mean = FixedPoint.ratio(sum, count, places: 3)
            #expect(mean.map { FixedPoint.text($0, places: 3) } == expected)
        }
    }

    @Test func `decimals are read exactly or not at all`() {
        #expect(FixedPoint.parse("1.9953", places: 6) == 1_995_300)
        #expect(FixedPoint.parse("2", places: 6) == 2_000_000)
        #expect(FixedPoint.parse("-0.5", places: 1) == -5)
        for text in ["", "-", ".5", "1.", "1.0000001", "1e3", "1,5", " 1", "99999999999999999"] {
            #expect(FixedPoint.parse(text, places: 6) == nil, "\(text)")
        }
    }

    @Test func `whatever is written is read back the same`() throws {
        let steps = ["sequence[0]", "odd, \"quoted\"", "sequence[2].do[1]"]
        let names = try Self.names(steps: steps)
        let temporary = try TemporaryFolder()
        var random = SeededGenerator(seed: 11)
        let entries = (0..<500).map { randomEntry($0, &random) }
        var bytes = Array("\(LedgerColumn.header)\n".utf8)
        for entry in entries { LedgerTable.shared.write(entry, names, to: &bytes) }
        let path = temporary.path + "/ledger.csv"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let reader = try LedgerReader(path, names)
        for (index, entry) in entries.enumerated() {
            #expect(try reader.next() == .entry(entry, line: index + 2))
        }
        #expect(try reader.next() == nil)
    }

    /// White balance and evidence of a row that knows nothing.
    private static let rest = ",,,,,,,none,none,none,none,,,,,,"

    @Test(arguments: [
        ("0,sequence[0],frame", "the row has 3 fields, not 40"),
        ("x,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)", "slot can't be `x`"),
        (
            "0,sequence[9],hole,damaged,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "step can't be `sequence[9]`"
        ),
        (
            "0,sequence[0],hole,,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "a frame has no reason, a hole has one, `not-reached` has a last slot too"
        ),
        (
            "0,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,,,,1a2b3c4d,,,0,0.42\(rest)",
            "a hole has no crc32c"
        ),
        (
            "0,sequence[0],hole,lost,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "reason can't be `lost`"
        ),
        (
            "0,sequence[0],hole,damaged,,,,,,,,9000000,,2,,,,,,,,,0,0.42\(rest)",
            "requested_exposure_ns is `9000000`, expected `8000000`"
        ),
        (
            "0,sequence[0],hole,damaged,,7,sundial,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "clock can't be `sundial`"
        ),
        (
            "0,sequence[0],hole,damaged,,,CLOCK_REALTIME,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "clock is `CLOCK_REALTIME`, expected ``"
        ),
        (
            "0,sequence[0],hole,damaged,,,,5,4,6,0,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "the exposure's start, middle and end are not in this order"
        ),
        (
            "0,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,door:1,matched,,,,,0,0.42\(rest)",
            "trigger_id can't be `door:1`"
        ),
        (
            "0,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,,,,,,,9,0.42\(rest)",
            "settings can't be `9`"
        ),
        (
            "7,sequence[0],not-reached,interrupted,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest.dropLast(3))6,,,",
            "the last slot that was not reached is before the first"
        ),
        (
            "7,sequence[0],not-reached,interrupted,,,,,,,,8000000,,2,,,,,,,,,0,0.42\(rest)",
            "a frame has no reason, a hole has one, `not-reached` has a last slot too"
        ),
    ])
    func `a row that is none says what is wrong with it`(row: String, message: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/ledger.csv"
        try "\(LedgerColumn.header)\n\(row)\n".write(
            toFile: path, atomically: false, encoding: .utf8)
        let reader = try LedgerReader(path, Self.names())
        #expect(try reader.next() == .fault(message, line: 2))
    }

    @Test(arguments: [
        (
            "0,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,,,,,,,0,0.42,,,,,,,read-back,none,none,none,,,,,,",
            "exposure_known_by is `read-back`, and the applied value is missing"
        ),
        (
            "0,sequence[0],frame,,1,,,,,,,8000000,8000000,2,,,,,1.000,00000000,,0.000000,0,0.42,,,,,,,none,"
                + "none,none,none,,,,,,",
            "exposure_known_by is `none`, and the applied value is there"
        ),
        (
            "0,sequence[0],frame,,1,,,,,,,8000000,,2,,,,,1.000,00000000,,0.000000,0,0.42,,5600,,,,,none,"
                + "none,none,guess,,,,,,",
            "white_balance_known_by can't be `guess`"
        ),
    ])
    func `evidence and value come together`(row: String, message: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/ledger.csv"
        try "\(LedgerColumn.header)\n\(row)\n".write(
            toFile: path, atomically: false, encoding: .utf8)
        let reader = try LedgerReader(path, Self.names())
        #expect(try reader.next() == .fault(message, line: 2))
    }

    @Test func `a white balance of one kind is one number and back`() {
        for balance in [
            AppliedWhiteBalance(), AppliedWhiteBalance(kelvin: 0),
            AppliedWhiteBalance(kelvin: 5_600), AppliedWhiteBalance(redMillionths: 0),
            AppliedWhiteBalance(blueMillionths: 1_900_000),
            AppliedWhiteBalance(redMillionths: 2_147_483_646, blueMillionths: 2_147_483_646),
        ] {
            #expect(AppliedWhiteBalance(packed: balance.packed) == balance)
        }
        #expect(AppliedWhiteBalance(kelvin: -1, redMillionths: 2_147_483_647).packed == nil)
    }

    @Test func `a ledger that ends in mid-line says so`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/ledger.csv"
        try "\(LedgerColumn.header)\n0,sequence[0],ho".write(
            toFile: path, atomically: false, encoding: .utf8)
        let reader = try LedgerReader(path, Self.names())
        #expect(try reader.next() == .cut(line: 2))
        #expect(try reader.next() == nil)
    }

    private func randomEntry(_ slot: Int, _ random: inout SeededGenerator) -> LedgerEntry {
        func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? {
            Bool.random(using: &random) ? value() : nil
        }
        var row = LedgerRow(
            slot: Int64(slot), step: Int32.random(in: 0...2, using: &random),
            settings: Int32.random(in: 0...1, using: &random))
        row.reason = maybe(HoleReason.allCases.randomElement(using: &random)) ?? nil
        if row.reason != nil {
            row.lastSlot = maybe(row.slot + Int64.random(in: 0...1 << 40, using: &random))
        }
        row.deviceSequence = maybe(UInt32.random(in: 0...UInt32.max, using: &random))
        row.rawTimestamp = maybe(
            Instant(nanoseconds: Int64.random(in: 0...(1 << 62), using: &random)))
        if row.rawTimestamp != nil {
            let clocks = [.monotonic, .unknown] + ClockSource.host.map(TimestampClock.host)
            row.timestampClock = clocks.randomElement(using: &random) ?? .monotonic
        }
        let mid = Instant<Session>(
            nanoseconds: Int64.random(in: -1_000_000...(1 << 50), using: &random))
        row.exposureTime = maybe(
            ExposureTime(start: mid - .nanoseconds(7), mid: mid, end: mid, halfWidth: .zero))
        row.applied.exposure = maybe(.nanoseconds(Int64.random(in: 0...1 << 40, using: &random)))
        row.applied.gainMillionths = maybe(Int64.random(in: 0...100_000_000, using: &random))
        row.applied.lensMillionths = maybe(Int64.random(in: 0...1_000_000, using: &random))
        row.applied.whiteBalance = AppliedWhiteBalance(
            kelvin: maybe(Int64.random(in: 0...20_000, using: &random)),
            redMillionths: maybe(Int64.random(in: 0...8_000_000, using: &random)),
            blueMillionths: maybe(Int64.random(in: 0...8_000_000, using: &random)))
        for group in [ControlGroup.exposure, .gain, .lens, .whiteBalance]
        where row.applied[knownBy: group] != .none {
            row.applied[knownBy: group] =
                SettingEvidence.allCases.dropLast().randomElement(using: &random) ?? .readBack
        }
        if Bool.random(using: &random) {
            let outcome = TriggerClass.matched
            row.trigger = TriggerReference(
                line: 0, lineSequence: UInt32.random(in: 1...UInt32.max, using: &random),
                delay: maybe(.nanoseconds(Int64.random(in: -9...9_999, using: &random))),
                outcome: outcome)
        } else if row.reason == .triggerTimeout {
            row.trigger = TriggerReference(
                line: 0, lineSequence: nil, delay: nil, outcome: nil)
        }
        let place = SlotPlace(
            lights: UInt32.random(in: 0...1, using: &random),
            rounds: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Int64.random(in: 0...1 << 40, using: &random)
            })
        guard row.reason == nil else { return LedgerEntry(row, at: place, measure: nil) }
        let count = UInt64.random(in: 1...1 << 28, using: &random)
        return LedgerEntry(
            row, at: place,
            measure: FrameBrightness(
                lumaSum: UInt64.random(in: 0...count * 4_095, using: &random), lumaCount: count,
                saturatedCount: UInt64.random(in: 0...count, using: &random),
                crc32c: UInt32.random(in: 0...UInt32.max, using: &random)))
    }
}
