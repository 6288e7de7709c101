internal import Records

/// The selected rows of a ledger, column by column, as an HDF5 file has them: numbers as numbers.
///
/// What a row does not have is -2^63 among whole numbers (`_FillValue` says so), NaN among others, and an empty text.
struct LedgerLists {
    private enum Kind {
        case integer, real, text
    }

    private static let missing = Int64.min
    private var integers: [LedgerColumn: [Int64]] = [:]
    private var reals: [LedgerColumn: [Double]] = [:]
    private var texts: [LedgerColumn: [String]] = [:]
    private var places: [(t: Int64, z: Int64, c: Int64)] = []

    private static func kind(_ column: LedgerColumn) -> Kind {
        switch column {
        case .slot, .deviceSequence, .rawTimestamp, .sessionStart, .sessionMid, .sessionEnd,
            .sessionHalfWidth, .requestedExposure, .appliedExposure, .triggerDelay, .settings,
            .requestedTemperature, .appliedTemperature, .cameraTicks:
            .integer
        case .requestedGain, .appliedGain, .requestedLensPosition, .lensPosition, .lumaMean,
            .saturatedFraction, .requestedRedGain, .appliedRedGain, .requestedBlueGain,
            .appliedBlueGain:
            .real
        case .step, .status, .reason, .clock, .triggerID, .triggerClass, .crc32c, .exposureKnownBy,
            .gainKnownBy, .lensKnownBy, .whiteBalanceKnownBy, .gapEvidence, .lastSlot, .label,
            .lights, .rounds:
            .text
        }
    }

    /// Takes the next row.
    mutating func add(_ row: LedgerFields, _ place: FrameAxes.Place) {
        places.append((place.t, Int64(place.z), Int64(place.c)))
        for column in LedgerColumn.allCases {
            let text = row[column]
            switch Self.kind(column) {
            case .integer: integers[column, default: []].append(Int64(text) ?? Self.missing)
            case .real: reals[column, default: []].append(Double(text) ?? .nan)
            case .text: texts[column, default: []].append(text)
            }
        }
    }

    /// How many rows there are.
    var count: Int64 { Int64(places.count) }

    /// Writes each column as a list in a group, and the places as `t`, `z` and `c`.
    ///
    /// - Parameter started: when session time was 0, in UTC as it was known then; NeXus has it as `start` of times.
    func write(
        to file: HDF5File, _ group: String, started: String
    ) throws(ExportError) {
        try file.add("\(group)/t", list: places.map(\.t))
        try file.add("\(group)/z", list: places.map(\.z))
        try file.add("\(group)/c", list: places.map(\.c))
        for column in LedgerColumn.allCases where column != .lastSlot {
            let path = "\(group)/\(column.name)"
            switch Self.kind(column) {
            case .integer:
                try file.add(path, list: integers[column] ?? [])
                try file.set("_FillValue", Self.missing, of: path)
            case .real: try file.add(path, list: reals[column] ?? [])
            case .text: try file.add(path, list: texts[column] ?? [])
            }
            if let unit = Self.unit(column) { try file.set("units", unit, of: path) }
            if [.sessionStart, .sessionMid, .sessionEnd].contains(column) {
                try file.set("start", started, of: path)
            }
        }
    }

    private static func unit(_ column: LedgerColumn) -> String? {
        column.name.hasSuffix("_ns") ? "ns" : column.name.hasSuffix("_k") ? "K" : nil
    }
}
