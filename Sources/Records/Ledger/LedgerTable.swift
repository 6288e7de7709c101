internal import Devices
internal import Timebase
internal import Tracking

/// Every column of `ledger.csv`: how it is written from an entry, and read into one.
///
/// An empty field means: not known, or there is none.
///
/// Reading and writing use the same fields, in this order and not in that of the columns: evidence comes after the
/// values that it is about.
struct LedgerTable: Sendable {
    /// Made once; it is constant and may be used by any thread.
    static let shared = LedgerTable()

    private let fields: [LedgerField]

    private init() {
        let evidence: [LedgerField] = ControlGroup.all.map { LedgerField.evidence(of: $0) }
        let parts: [[LedgerField]] = [
            [.slot, .place], Self.timestamps, [.exposureTime], Self.requested, Self.applied,
            evidence,
            [.trigger, .gapEvidence], Self.pixels,
        ]
        fields = parts.flatMap { $0 }
        let columns = fields.flatMap(\.columns)
        precondition(
            columns.count == LedgerColumn.allCases.count
                && Set(columns) == Set(LedgerColumn.allCases), "each column has one field")
    }

    /// Adds the line of an entry, line end included.
    ///
    /// Columns that no field of this entry fills stay empty.
    func write(_ entry: LedgerEntry, _ names: RunNames, to bytes: inout [UInt8]) {
        texts(entry, names).write(to: &bytes)
    }

    /// The texts of an entry, by column.
    func texts(_ entry: LedgerEntry, _ names: RunNames) -> LedgerFields {
        var texts = LedgerFields()
        for field in fields { field.write(entry, names, &texts) }
        return texts
    }

    /// The entry of a line.
    ///
    /// - Throws: ``LedgerFault`` for the first field that is none; what is only written otherwise is found by
    ///   ``LedgerReader``.
    func entry(_ line: String, _ names: RunNames) throws(LedgerFault) -> LedgerEntry {
        let texts = try LedgerFields(line: line)
        var entry = LedgerEntry(
            LedgerRow(slot: 0, step: 0, settings: 0), at: SlotPlace(), measure: nil)
        for field in fields { try field.read(texts, names, &entry) }
        return entry
    }

    /// The driver's number and timestamp with its clock, and the camera's own ticks; a row without a timestamp has no
    /// clock.
    private static let timestamps: [LedgerField] = [
        LedgerField(.deviceSequence, \.row.deviceSequence, .number),
        LedgerField(.rawTimestamp, \.row.rawTimestamp, .instant()),
        LedgerField(
            .clock,
            write: { entry, _, fields in
                if entry.row.rawTimestamp != nil { fields[.clock] = entry.row.timestampClock.name }
            },
            read: { fields, _, entry throws(LedgerFault) in
                let clock = try fields.optional(.clock) { TimestampClock(name: $0) }
                entry.row.timestampClock = clock ?? .monotonic
            }),
        LedgerField(.cameraTicks, \.row.cameraTicks, .number),
    ]

    private static let requested = SettingComponent.all.map { LedgerField(asked: $0) }
    private static let applied = SettingComponent.all.map { LedgerField(applied: $0) }

    /// What is measured on pixels: luma to three places, saturation to six, and the checksum that only frames have.
    private static let pixels: [LedgerField] = [
        LedgerField(.lumaMean, \.lumaMeanThousandths, .fixed(places: 3)),
        LedgerField(.saturatedFraction, \.saturatedMillionths, .fixed(places: 6)),
        LedgerField(
            .crc32c,
            write: { entry, _, fields in
                fields.write(entry.crc32c, .crc32c, .hexadecimal)
            },
            read: { fields, _, entry throws(LedgerFault) in
                entry.crc32c = try fields.read(.crc32c, .hexadecimal)
                guard entry.row.status == .frame || entry.crc32c == nil else {
                    throw LedgerFault("a hole has no crc32c")
                }
            }),
    ]
}
