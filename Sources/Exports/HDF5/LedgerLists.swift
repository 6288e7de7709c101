internal import Records

/// The selected rows of a ledger, column by column, as an HDF5 file has them: numbers as numbers.
///
/// What a row does not have is -2^63 among whole numbers (`_FillValue` says so), NaN among others, and an empty text.
struct LedgerLists {
    private enum List {
        case integers([Int64])
        case reals([Double])
        case texts([String])
    }

    private static let missing = Int64.min
    private var lists: [List] = LedgerColumn.allCases.map(Self.empty)
    private var places: [(t: Int64, z: Int64, c: Int64)] = []

    private static func empty(_ column: LedgerColumn) -> List {
        switch column {
        case .slot, .deviceSequence, .rawTimestamp, .sessionStart, .sessionMid, .sessionEnd,
            .sessionHalfWidth, .requestedExposure, .appliedExposure, .triggerDelay, .settings,
            .requestedTemperature, .appliedTemperature, .cameraTicks:
            .integers([])
        case .requestedGain, .appliedGain, .requestedLensPosition, .lensPosition, .lumaMean,
            .saturatedFraction, .requestedRedGain, .appliedRedGain, .requestedBlueGain,
            .appliedBlueGain:
            .reals([])
        case .step, .status, .reason, .clock, .triggerID, .triggerClass, .crc32c, .exposureKnownBy,
            .gainKnownBy, .lensKnownBy, .whiteBalanceKnownBy, .gapEvidence, .lastSlot, .label,
            .lights, .rounds:
            .texts([])
        }
    }

    /// Takes the next row.
    mutating func add(_ row: LedgerFields, _ place: FrameAxes.Place) {
        places.append((place.t, Int64(place.z), Int64(place.c)))
        for column in LedgerColumn.allCases {
            let text = row[column]
            switch lists[column.rawValue] {
            case .integers(var list):
                lists[column.rawValue] = .integers([])
                list.append(Int64(text) ?? Self.missing)
                lists[column.rawValue] = .integers(list)
            case .reals(var list):
                lists[column.rawValue] = .reals([])
                list.append(Double(text) ?? .nan)
                lists[column.rawValue] = .reals(list)
            case .texts(var list):
                lists[column.rawValue] = .texts([])
                list.append(text)
                lists[column.rawValue] = .texts(list)
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
            switch lists[column.rawValue] {
            case .integers(let list):
                try file.add(path, list: list)
                try file.set("_FillValue", Self.missing, of: path)
            case .reals(let list): try file.add(path, list: list)
            case .texts(let list): try file.add(path, list: list)
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
