public import Devices
public import Notation
internal import Recipes
public import Timebase

/// When a recorded slot was exposed: its centre and any of its rows, in session time and on every clock of the run.
///
/// As the ledger has them; what a fit knows better afterwards is in `refit.csv`.
public struct SlotTimes: Sendable {
    /// A row of the frame, or its centre.
    public struct Line: Sendable {
        /// The row from 0 at the top; nil for the centre.
        public var row: Int64?
        /// When it was exposed.
        public var exposure: RowReadout.Exposure<Session>
    }

    /// The slot.
    public let slot: Int64
    /// Columns of the ledger that have a text in the slot's row, in their order, with that text.
    public let columns: [(name: String, text: String)]
    /// The centre, then the rows in the order asked for; empty for a slot without an exposure time.
    public let lines: [Line]
    /// Why it has none, in words; empty where it has one.
    private let whyNot: String
    /// The zero of session time.
    private let epoch: Instant<Monotonic>
    /// The clocks of nanoseconds; empty for a run without an outcome.
    private let clocks: [RelatedClock]

    /// Reads the times of a slot.
    ///
    /// - Parameters:
    ///   - path: the run's folder.
    ///   - slot: the slot's number.
    ///   - rows: rows of the image, from 0 at the top.
    /// - Throws: ``UnreadableRun`` if there is no such slot, its times are not known, or it has no such row.
    public init(_ path: String, slot: Int64, rows: [Int64]) throws(UnreadableRun) {
        let run = try RecordedRun(path: path)
        let entry = try Self.entry(slot, in: run)
        guard entry.row.lastSlot == nil else {
            throw UnreadableRun(
                "slot \(slot) was not reached: the run ended before it", isRequest: true)
        }
        let row = entry.row.countable
        self.slot = slot
        columns = zip(LedgerColumn.allCases, LedgerTable.shared.texts(entry, run.names).texts)
            .filter { !$1.isEmpty }.map { ($0.name, $1) }
        epoch = run.manifest.epoch
        let outcome = try? run.outcome?.get()
        // A camera's own is for its frames alone.
        clocks = (outcome?.clocks ?? []).filter { $0.name != ClockSource.camera.fixedName }
        guard let time = row.exposureTime else {
            whyNot =
                row.reason.map { "has no frame (\($0.rawValue))" }
                ?? "has an exposure time that is not known"
            lines = []
            guard let number = rows.first else { return }
            throw UnreadableRun("slot \(slot) \(whyNot), nor has row \(number)", isRequest: true)
        }
        whyNot = ""
        let readout = run.manifest.rows
        let centre = RowReadout.Exposure(
            start: time.start, mid: time.mid, end: time.end, halfWidth: time.halfWidth)
        var lines = [Line(row: nil, exposure: centre)]
        for number in rows {
            guard let exposure = readout.exposure(ofRow: number, centre: centre) else {
                throw UnreadableRun(
                    (0..<readout.rows).contains(number)
                        ? "slot \(slot): how long the camera reads out is not known"
                        : "there is no row \(number): the frames have rows 0 to \(readout.rows - 1)",
                    isRequest: true)
            }
            lines.append(Line(row: number, exposure: exposure))
        }
        self.lines = lines
    }

    /// The slot's row; lines that are none are passed over.
    ///
    /// It is looked for where it should be, and in the whole ledger if it is not there.
    private static func entry(
        _ slot: Int64, in run: RecordedRun
    ) throws(UnreadableRun) -> LedgerEntry {
        let names = run.names
        guard slot >= 0, names.isEndless || slot < names.program.numberedSlots else {
            throw UnreadableRun(
                "the run has no slot \(slot): the recipe's slots are 0 "
                    + (names.isEndless ? "and up" : "to \(names.program.numberedSlots - 1)"),
                isRequest: true)
        }
        do throws(StorageError) {
            let start = try LedgerReader.offset(ofSlot: slot, in: run.folder.ledger)
            for offset in start > 0 ? [start, 0] : [0] {
                let reader = try LedgerReader(run.folder.ledger, names, from: offset)
                while let item = try reader.next() {
                    guard case .entry(let entry, _) = item else { continue }
                    if (entry.row.slot...(entry.row.lastSlot ?? entry.row.slot)).contains(slot) {
                        return entry
                    }
                    if entry.row.slot > slot { break }
                }
            }
        } catch {
            throw UnreadableRun("\(error)")
        }
        throw UnreadableRun("\(run.folder.ledger) has no slot \(slot)", isRequest: true)
    }

    /// A session time on each of the run's clocks, as far as they were related then.
    ///
    /// A clock that was not related at that time is left out.
    private func readings(
        _ time: Instant<Session>, halfWidth: Interval
    ) -> [(name: String, time: BoundedInstant<DeviceClock>)] {
        let monotonic = BoundedInstant(
            Instant<Monotonic>(nanoseconds: epoch.nanoseconds + time.nanoseconds),
            halfWidth: halfWidth)
        return clocks.compactMap { clock in
            clock.relation.convert(monotonic).map { (clock.name, $0) }
        }
    }
}

// For people and programs.
extension SlotTimes {
    /// The times as an object.
    ///
    /// `mid` has a reading of each clock at the middle of the line's exposure.
    public var json: JSONValue {
        [
            "slot": .integer(slot),
            "ledger": .object(JSONObject(columns.map { ($0.name, .string($0.text)) })),
            "lines": .array(
                lines.map { line in
                    let exposure = line.exposure
                    return [
                        "row": line.row.map { .integer($0) } ?? "centre",
                        "session_start_ns": .integer(exposure.start.nanoseconds),
                        "session_mid_ns": .integer(exposure.mid.nanoseconds),
                        "session_end_ns": .integer(exposure.end.nanoseconds),
                        "half_width_ns": .integer(exposure.halfWidth.nanoseconds),
                        "mid": mid(exposure),
                    ]
                }),
        ]
    }

    /// The half-width has that of the exposure in it, and that of the relation.
    private func mid(_ exposure: RowReadout.Exposure<Session>) -> JSONValue {
        .object(
            JSONObject(
                readings(exposure.mid, halfWidth: exposure.halfWidth).map { name, time in
                    (
                        name,
                        [
                            "reading_ns": .integer(time.instant.nanoseconds),
                            "half_width_ns": .integer(time.halfWidth.nanoseconds),
                        ]
                    )
                }))
    }

    /// Realtime is UTC as far as the host knew it; TAI and the others have no calendar here.
    private static func text(_ name: String, _ time: BoundedInstant<DeviceClock>) -> String {
        let calendar =
            name == ClockSource.realtime.fixedName
            ? UTCTime(Instant(nanoseconds: time.instant.nanoseconds)).text
            : "\(time.instant.nanoseconds) ns"
        return "\(name)  \(calendar)  +/- \(time.halfWidth)"
    }

    /// The times as a table, the middle of each on the other clocks below it, and the slot's row.
    public var text: String {
        var text = ["slot \(slot), session time in ns", "row  start  mid  end  +/-"]
        for line in lines {
            let exposure = line.exposure
            text.append(
                "\(line.row.map { "\($0)" } ?? "centre")  \(exposure.start.nanoseconds)"
                    + "  \(exposure.mid.nanoseconds)  \(exposure.end.nanoseconds)"
                    + "  \(exposure.halfWidth.nanoseconds)")
        }
        if let centre = lines.first?.exposure {
            text.append("middle of the centre on other clocks")
            text += readings(centre.mid, halfWidth: centre.halfWidth).map(Self.text)
        } else {
            text = ["slot \(slot) \(whyNot)"]
        }
        text.append("row of ledger.csv")
        text += columns.map { "\($0.name)  \($0.text)" }
        return text.joined(separator: "\n")
    }
}
