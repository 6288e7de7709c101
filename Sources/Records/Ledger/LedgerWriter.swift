internal import Devices
internal import Timebase
internal import Tracking

/// Turns rows into lines of `ledger.csv`.
///
/// An empty field means: not known, or there is none.
struct LedgerWriter {
    private let steps: [String]
    private let lines: [String]
    private let settings: [Requested]

    /// What the plan asks for, as text.
    private struct Requested {
        var exposure = ""
        var gain = ""
        var lens = ""
        var kelvin = ""
        var red = ""
        var blue = ""
    }

    init(_ names: RunNames) {
        steps = names.steps.map(Self.quoted)
        lines = names.lines
        settings = names.requested.map { requested in
            let balance = requested.whiteBalance.asked?.measures ?? AppliedWhiteBalance()
            return Requested(
                exposure: requested.exposure.asked.map { "\($0.nanoseconds)" } ?? "",
                gain: requested.gain.asked?.decimal ?? "",
                lens: requested.lens.asked?.decimal ?? "",
                kelvin: balance.temperatureKelvin.map { "\($0)" } ?? "",
                red: Self.decimal(balance.redMillionths),
                blue: Self.decimal(balance.blueMillionths))
        }
    }

    /// Adds the line of an entry, line end included.
    func write(_ entry: LedgerEntry, to text: inout [UInt8]) {
        let row = entry.row
        let requested = settings[Int(row.settings)]
        func add(_ field: String, last: Bool = false) {
            text.append(contentsOf: field.utf8)
            text.append(UInt8(ascii: last ? "\n" : ","))
        }
        func add(_ number: (some FixedWidthInteger)?) { add(number.map { "\($0)" } ?? "") }
        add(row.slot)
        add(steps[Int(row.step)])
        add(row.status.rawValue)
        add(row.reason?.rawValue ?? "")
        add(row.deviceSequence)
        add(row.rawTimestamp?.nanoseconds)
        add(row.rawTimestamp == nil ? "" : row.timestampClock.name)
        add(row.exposureTime?.start.nanoseconds)
        add(row.exposureTime?.mid.nanoseconds)
        add(row.exposureTime?.end.nanoseconds)
        add(row.exposureTime?.halfWidth.nanoseconds)
        add(requested.exposure)
        add(row.applied.exposure?.nanoseconds)
        add(requested.gain)
        add(Self.decimal(row.applied.gainMillionths))
        add(Self.decimal(row.applied.lensMillionths))
        add(row.trigger.map(triggerID) ?? "")
        add(row.trigger?.outcome?.rawValue ?? "")
        add(entry.lumaMeanThousandths.map { FixedPoint.text($0, places: 3) } ?? "")
        add(entry.crc32c.map(Self.hexadecimal) ?? "")
        add(row.trigger?.delay?.nanoseconds)
        add(entry.saturatedMillionths.map { FixedPoint.text($0, places: 6) } ?? "")
        add(row.settings)
        add(requested.lens)
        add(requested.kelvin)
        add(row.applied.whiteBalance.temperatureKelvin)
        add(requested.red)
        add(Self.decimal(row.applied.whiteBalance.redMillionths))
        add(requested.blue)
        add(Self.decimal(row.applied.whiteBalance.blueMillionths))
        add(row.applied[knownBy: .exposure].rawValue)
        add(row.applied[knownBy: .gain].rawValue)
        add(row.applied[knownBy: .lens].rawValue)
        add(row.applied[knownBy: .whiteBalance].rawValue)
        add(row.gapEvidence.text)
        add(row.cameraTicks)
        add(row.lastSlot.map { "\($0)" } ?? "", last: true)
    }

    private static func decimal(_ millionths: Int64?) -> String {
        millionths.map { FixedPoint.shortText($0, places: 6) } ?? ""
    }

    /// `LINE:NUMBER`; the line alone where no edge came.
    private func triggerID(_ trigger: TriggerReference) -> String {
        let line = lines[Int(trigger.line)]
        return Self.quoted(
            trigger.lineSequence.map { "\(line):\($0)" } ?? line)
    }

    /// Eight hexadecimal digits, small letters.
    static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// A field by RFC 4180: in quotes if it holds a comma, a quote or a line break.
    static func quoted(_ field: String) -> String {
        let special: [UInt8] = [0x2C, 0x22, 0x0A, 0x0D]
        guard field.utf8.contains(where: special.contains) else { return field }
        var quoted = "\""
        for character in field.unicodeScalars {
            if character == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}

extension WhiteBalance {
    /// The same in the ledger's measures, gains over green; empty for a chromaticity, which has none of them.
    var measures: AppliedWhiteBalance {
        switch self {
        case .gains(let red, let green, let blue):
            func ratio(_ gain: Gain) -> Int64? {
                guard let part = UInt64(exactly: gain.millionths),
                    let whole = UInt64(exactly: green.millionths), part < 1 << 40
                else { return nil }
                return FixedPoint.ratio(part, whole, places: 6)
            }
            return AppliedWhiteBalance(redMillionths: ratio(red), blueMillionths: ratio(blue))
        case .temperature(let kelvin, _): return AppliedWhiteBalance(kelvin: kelvin)
        case .chromaticity: return AppliedWhiteBalance()
        }
    }
}
