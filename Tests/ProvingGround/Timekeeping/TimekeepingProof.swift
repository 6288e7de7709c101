import Foundation
import Notation
import Records
import Simulation
import Timebase

/// Runs on rigs whose clocks do what clocks do: what the record says of time holds the truth.
public struct TimekeepingProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "timekeeping"
    /// What holds.
    public static let claim =
        "each exposure, and each clock's reading of it, driverFaults within its stated bound, whatever clock timestamps are of"
    /// A minute of cases.
    public static let caseCount = 2_000

    private var exposures = 0
    private var readings = 0
    private var halfWidths: (driver: [Int64], camera: [Int64]) = ([], [])
    /// The same of a fit afterwards.
    private var fitted: (driver: [Int64], camera: [Int64]) = ([], [])

    /// Creates a proof without cases.
    public init() {}

    /// Runs some cases.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        var complaints: [String] = []
        for number in cases {
            let seed = UInt64(number) + 1
            complaints += try check(seed).map { "seed \(seed): \($0)" }
        }
        return complaints
    }

    /// How well exposures are known.
    public var figures: [String] {
        func median(_ values: [Int64]) -> String {
            values.isEmpty ? "-" : "\(Interval(nanoseconds: values.sorted()[values.count / 2]))"
        }
        return [
            "\(exposures) exposures, \(readings) readings of other clocks",
            "median half-width \(median(halfWidths.driver)) by the driver's timestamps,"
                + " \(median(halfWidths.camera)) with the camera's own clock",
            "afterwards \(median(fitted.driver)) and \(median(fitted.camera))",
        ]
    }

    private mutating func check(_ seed: UInt64) throws -> [String] {
        let rig = TimekeepingRig(seed: seed)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-timekeeping-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let judgement = try rig.run(in: folder)
        var complaints: [String] = []
        if judgement.verdict != .trustworthy { complaints.append(judgement.verdict.rawValue) }
        let manifest = try JSONReader.read(
            Array(Data(contentsOf: URL(filePath: folder + "/run.json"))), name: "run.json")
        guard let epoch = manifest["session"]?["epoch_ns"]?.integerValue else {
            return ["the manifest has no epoch"]
        }
        try RunRefit(folder).write()
        complaints += try checkExposures(rig, folder, epoch)
        for slot in [0, Int64(TimekeepingRig.frames) - 1] {
            complaints += try checkReadings(rig, folder, slot, epoch)
        }
        let report = try RunVerifier.verify(folder)
        return complaints + report.problems.map { "\($0)" }
    }

    /// Frame k is read out k + 1 periods after the stream started, which in virtual time is when the log says so.
    private mutating func checkExposures(
        _ rig: TimekeepingRig, _ folder: String, _ epoch: Int64
    ) throws -> [String] {
        let log = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
        let start = try log.split(separator: "\n").lazy
            .map { try JSONReader.read(Array($0.utf8), name: "events.jsonl") }
            .first { $0["event"]?.stringValue == "stream-started" }?["at_ns"]?.integerValue
        guard let start else { return ["no stream started"] }
        var complaints: [String] = []
        for (row, fit) in zip(
            try Self.table(folder + "/ledger.csv"), try Self.table(folder + "/refit.csv"))
        {
            let slot = "slot \(row["slot"] ?? "")"
            guard let sequence = row["device_sequence"].flatMap({ Int64($0) }),
                let (end, halfWidth) = Self.end(row), let (later, width) = Self.end(fit)
            else {
                complaints.append("\(slot): a time is missing")
                continue
            }
            exposures += 1
            if rig.options.timekeeping.camera == nil {
                halfWidths.driver.append(halfWidth)
                fitted.driver.append(width)
            } else {
                halfWidths.camera.append(halfWidth)
                fitted.camera.append(width)
            }
            let truth = start + (sequence + 1) * 1_000_000_000 / TimekeepingRig.rate
            if abs(end - truth) > halfWidth {
                complaints.append("\(slot): \(end - truth) ns off, ±\(halfWidth)")
            }
            if abs(later - truth) > width {
                complaints.append("\(slot): fitted \(later - truth) ns off, ±\(width)")
            }
            if width > halfWidth {
                complaints.append("\(slot): ±\(halfWidth) ns, afterwards ±\(width)")
            }
        }
        return complaints
    }

    private static func table(_ path: String) throws -> [[Substring: Substring]] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    /// The end of an exposure, and how far it may be off.
    private static func end(_ row: [Substring: Substring]) -> (Int64, Int64)? {
        guard let end = row["session_end_ns"].flatMap({ Int64($0) }),
            let halfWidth = row["session_half_width_ns"].flatMap({ Int64($0) })
        else { return nil }
        return (end, halfWidth)
    }

    private mutating func checkReadings(
        _ rig: TimekeepingRig, _ folder: String, _ slot: Int64, _ epoch: Int64
    ) throws -> [String] {
        let line = try SlotTimes(folder, slot: slot, rows: []).json["lines"]?[0]
        guard let mid = line?["session_mid_ns"]?.integerValue else {
            return ["no time of slot \(slot)"]
        }
        let sources: [(String, ClockSource)] = [
            ("CLOCK_REALTIME", .realtime), ("CLOCK_TAI", .tai), ("CLOCK_BOOTTIME", .boottime),
            ("CLOCK_MONOTONIC_RAW", .monotonicRaw), ("ptp:network", .planned(0)),
        ]
        return sources.compactMap { name, source in
            guard let reading = line?["mid"]?[name]?["reading_ns"]?.integerValue,
                let halfWidth = line?["mid"]?[name]?["half_width_ns"]?.integerValue
            else { return "slot \(slot): nothing is said of \(name)" }
            readings += 1
            let truth = rig.world.truth(of: source, at: Instant(nanoseconds: epoch + mid))
            return abs(reading - truth) > halfWidth
                ? "slot \(slot), \(name): \(reading - truth) ns off, ±\(halfWidth)" : nil
        }
    }
}
