internal import Timebase
internal import Tracking

/// Reads `ledger.csv` row by row, strictly: what the writer would not write is a fault.
final class LedgerReader {
    /// What comes next in a ledger.
    enum Item: Hashable {
        /// A row.
        case entry(LedgerEntry, line: Int)
        /// A line that is no row.
        case fault(String, line: Int)
        /// The file ends in the middle of this line.
        case cut(line: Int)
    }

    private let reader: LineReader
    private let parser: LedgerParser
    private let writer: LedgerWriter
    /// The columns of this ledger; nil until its first line is read.
    private var columns: Int?

    /// - Parameter end: reads only so many bytes of the file.
    init(_ path: String, _ names: RunNames, upTo end: Int64 = .max) throws(StorageError) {
        reader = try LineReader(path, upTo: end)
        parser = LedgerParser(names)
        writer = LedgerWriter(names)
    }

    /// The next row or fault; nil at the end.
    func next() throws(StorageError) -> Item? {
        if columns == nil {
            columns = LedgerColumn.allCases.count
            guard let line = try reader.next(), line.isComplete else { return .cut(line: 1) }
            guard let count = LedgerColumn.count(header: line.text) else {
                return .fault("the columns are not those of a ledger", line: 1)
            }
            columns = count
        }
        let columns = columns ?? LedgerColumn.allCases.count
        guard let line = try reader.next() else { return nil }
        guard line.isComplete else { return .cut(line: line.number) }
        switch parser.parse(line.text, columns: columns) {
        case .failure(let fault): return .fault(fault.message, line: line.number)
        case .success(let entry):
            var text: [UInt8] = []
            writer.write(entry, to: &text)
            let expected = Self.first(columns, of: text.dropLast())
            guard expected == line.bytes[...] else {
                let differing = difference(
                    line.text, String(decoding: expected, as: UTF8.self))
                return .fault(differing, line: line.number)
            }
            return .entry(entry, line: line.number)
        }
    }

    /// The first columns of a row; those that older ledgers lack hold no commas.
    private static func first(_ columns: Int, of row: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var row = row
        for _ in columns..<LedgerColumn.allCases.count {
            guard let comma = row.lastIndex(of: UInt8(ascii: ",")) else { break }
            row = row[..<comma]
        }
        return row
    }

    /// Names the first column in which a line differs from what belongs there.
    private func difference(_ line: String, _ expected: String) -> String {
        let pairs = zip(LedgerParser.fields(line), LedgerParser.fields(expected))
        for (column, (found, expected)) in zip(LedgerColumn.allCases, pairs) where found != expected
        {
            return "\(column.rawValue) is `\(found)`, expected `\(expected)`"
        }
        return "the row is not written as a ledger's rows are"
    }
}

/// Takes a line of the ledger apart.
struct LedgerParser {
    struct Fault: Error, Hashable {
        let message: String
    }

    private let steps: [String: Int32]
    private let lines: [String: Int32]
    private let settingsCount: Int

    init(_ names: RunNames) {
        steps = names.stepIndices
        lines = names.lineIndices
        settingsCount = names.requested.count
    }

    /// - Parameter columns: the columns of this ledger, of the first ones that there are.
    func parse(_ line: String, columns: Int) -> Result<LedgerEntry, Fault> {
        let fields = Self.fields(line)
        guard fields.count == columns else {
            return .failure(
                Fault(message: "the row has \(fields.count) fields, not \(columns)"))
        }
        return Result { () throws(Fault) in try entry(LedgerFields(texts: fields)) }
    }

    private func entry(_ fields: LedgerFields) throws(Fault) -> LedgerEntry {
        let status = try fields.required(.status) { SlotStatus(rawValue: $0) }
        let step = try fields.required(.step) { steps[$0] }
        let settings = try fields.required(.settings) { text in
            Int32(text).flatMap { (0..<Int32(settingsCount)).contains($0) ? $0 : nil }
        }
        var row = LedgerRow(
            slot: try fields.required(.slot) { Int64($0) }, step: step, settings: settings)
        row.reason = try fields.optional(.reason) { HoleReason(rawValue: $0) }
        row.lastSlot = try fields.optional(.lastSlot) { Int64($0) }
        guard status == row.status, (status == .frame) == (row.reason == nil) else {
            throw Fault(
                message: "a frame has no reason, a hole has one, `not-reached` has a last slot too")
        }
        if let last = row.lastSlot, last < row.slot {
            throw Fault(message: "the last slot that was not reached is before the first")
        }
        row.deviceSequence = try fields.optional(.deviceSequence) { UInt32($0) }
        row.rawTimestamp = try fields.optional(.rawTimestamp) {
            Int64($0).map { Instant(nanoseconds: $0) }
        }
        row.timestampClock = try fields.optional(.clock) { TimestampClock(name: $0) } ?? .monotonic
        row.cameraTicks = try fields.optional(.cameraTicks) { Int64($0) }
        row.exposureTime = try exposureTime(fields)
        row.applied = try fields.applied()
        row.trigger = try trigger(fields)
        row.gapEvidence = try fields.optional(.gapEvidence) { GapEvidence(text: $0) } ?? []
        let entry = LedgerEntry(
            row: row, lumaMeanThousandths: try fields.decimal(.lumaMean, places: 3),
            saturatedMillionths: try fields.decimal(.saturatedFraction, places: 6),
            crc32c: try fields.optional(.crc32c) { UInt32($0, radix: 16) })
        guard status == .frame || entry.crc32c == nil else {
            throw Fault(message: "a hole has no crc32c")
        }
        return entry
    }

    private func exposureTime(_ fields: LedgerFields) throws(Fault) -> ExposureTime? {
        guard let start = try fields.interval(.sessionStart),
            let mid = try fields.interval(.sessionMid), let end = try fields.interval(.sessionEnd),
            let halfWidth = try fields.interval(.sessionHalfWidth)
        else { return nil }
        guard start <= mid, mid <= end, halfWidth >= .zero else {
            throw Fault(message: "the exposure's start, middle and end are not in this order")
        }
        func instant(_ time: Interval) -> Instant<Session> {
            Instant(nanoseconds: time.nanoseconds)
        }
        return ExposureTime(
            start: instant(start), mid: instant(mid), end: instant(end), halfWidth: halfWidth)
    }

    private func trigger(_ fields: LedgerFields) throws(Fault) -> TriggerReference? {
        let delay = try fields.interval(.triggerDelay)
        guard let outcome = try fields.optional(.triggerClass, { TriggerClass(rawValue: $0) })
        else {
            // A line without a class: no edge came.
            return try fields.optional(.triggerID) { lines[$0] }.map {
                TriggerReference(line: $0, lineSequence: nil, delay: delay, outcome: nil)
            }
        }
        return try fields.required(.triggerID) { text in
            guard let colon = text.lastIndex(of: ":"), let line = lines[String(text[..<colon])],
                let number = UInt32(text[text.index(after: colon)...])
            else { return nil }
            return TriggerReference(
                line: line, lineSequence: number, delay: delay, outcome: outcome)
        }
    }

    /// The fields of a line by RFC 4180 (a field never holds a line break here).
    static func fields(_ line: String) -> [String] {
        var fields: [String] = []
        var field = String.UnicodeScalarView()
        var isQuoted = false
        var wasQuote = false
        for scalar in line.unicodeScalars {
            if scalar == "\"" {
                // A quote that follows the end of a quoted part is a quote of the text.
                if !isQuoted, wasQuote { field.append(scalar) }
                isQuoted.toggle()
                wasQuote = !isQuoted
                continue
            }
            wasQuote = false
            if scalar == ",", !isQuoted {
                fields.append(String(field))
                field = String.UnicodeScalarView()
            } else {
                field.append(scalar)
            }
        }
        return fields + [String(field)]
    }
}
