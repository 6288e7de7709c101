internal import Devices
internal import Timebase

/// The fields of one row by column.
struct LedgerFields {
    let texts: [String]

    private static let positions = Dictionary(
        uniqueKeysWithValues: zip(LedgerColumn.allCases, 0...))

    private subscript(column: LedgerColumn) -> String {
        // Older ledgers end sooner.
        Self.positions[column].flatMap { $0 < texts.count ? texts[$0] : nil } ?? ""
    }

    /// Whether the ledger has a column.
    func has(_ column: LedgerColumn) -> Bool {
        Self.positions[column].map { $0 < texts.count } ?? false
    }

    /// A value that may be missing.
    func optional<Value>(
        _ column: LedgerColumn, _ read: (String) -> Value?
    ) throws(LedgerParser.Fault) -> Value? {
        self[column].isEmpty ? nil : try required(column, read)
    }

    /// A value that must be there.
    func required<Value>(
        _ column: LedgerColumn, _ read: (String) -> Value?
    ) throws(LedgerParser.Fault) -> Value {
        guard let value = read(self[column]) else {
            throw LedgerParser.Fault(message: "\(column.rawValue) can't be `\(self[column])`")
        }
        return value
    }

    func interval(_ column: LedgerColumn) throws(LedgerParser.Fault) -> Interval? {
        try optional(column) { Int64($0).map { Interval(nanoseconds: $0) } }
    }

    func decimal(_ column: LedgerColumn, places: Int) throws(LedgerParser.Fault) -> Int64? {
        try optional(column) { FixedPoint.parse($0, places: places) }
    }
}

extension LedgerFields {
    private static let evidence: [(group: ControlGroup, column: LedgerColumn)] = [
        (.exposure, .exposureKnownBy), (.gain, .gainKnownBy), (.lens, .lensKnownBy),
        (.whiteBalance, .whiteBalanceKnownBy),
    ]

    /// What the device really had.
    func applied() throws(LedgerParser.Fault) -> AppliedSettings {
        var applied = AppliedSettings(
            exposure: try interval(.appliedExposure),
            gainMillionths: try decimal(.appliedGain, places: 6),
            lensMillionths: try decimal(.lensPosition, places: 6),
            whiteBalance: AppliedWhiteBalance(
                kelvin: try optional(.appliedTemperature) { Int64($0) },
                redMillionths: try decimal(.appliedRedGain, places: 6),
                blueMillionths: try decimal(.appliedBlueGain, places: 6)))
        // Versions whose ledgers lack the columns knew nothing but read-backs.
        for (group, column) in Self.evidence where has(column) {
            let known = try required(column) { SettingEvidence(rawValue: $0) }
            guard (known == .none) == (applied[knownBy: group] == .none) else {
                throw LedgerParser.Fault(
                    message: "\(column.rawValue) is `\(known.rawValue)`, and the applied value "
                        + (known == .none ? "is there" : "is missing"))
            }
            if known != .none { applied[knownBy: group] = known }
        }
        return applied
    }
}
