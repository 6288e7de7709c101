/// The texts of one row, by column.
///
/// As many texts as there are columns, without quotes.
package struct LedgerFields {
    /// In the order of columns.
    private(set) var texts: [String]

    /// Empty fields: nothing is known.
    init() {
        texts = Array(repeating: "", count: LedgerColumn.count)
    }

    /// Takes a line apart.
    ///
    /// - Throws: ``LedgerFault`` if it has more fields or fewer than there are columns.
    init(line: String) throws(LedgerFault) {
        texts = Self.split(line)
        let count = LedgerColumn.count
        guard texts.count == count else {
            throw LedgerFault("the row has \(texts.count) fields, not \(count)")
        }
    }

    /// The text of a column; empty where nothing is known.
    package subscript(column: LedgerColumn) -> String {
        get { texts[column.rawValue] }
        set { texts[column.rawValue] = newValue }
    }

    /// Writes a value, if there is one.
    mutating func write<Value>(_ value: Value?, _ column: LedgerColumn, _ text: LedgerText<Value>) {
        if let value { self[column] = text.write(value) }
    }

    /// Reads a value that may be missing.
    func read<Value>(
        _ column: LedgerColumn, _ text: LedgerText<Value>
    ) throws(LedgerFault) -> Value? {
        try optional(column, text.read)
    }

    /// A value that may be missing.
    ///
    /// - Throws: ``LedgerFault`` if a text is there and `read` gives nothing for it.
    func optional<Value>(
        _ column: LedgerColumn, _ read: (String) -> Value?
    ) throws(LedgerFault) -> Value? {
        self[column].isEmpty ? nil : try required(column, read)
    }

    /// A value that must be there.
    ///
    /// - Throws: ``LedgerFault`` if `read` gives nothing for the text, also for an empty one.
    func required<Value>(
        _ column: LedgerColumn, _ read: (String) -> Value?
    ) throws(LedgerFault) -> Value {
        guard let value = read(self[column]) else {
            throw LedgerFault("\(column.name) can't be `\(self[column])`")
        }
        return value
    }

    /// Adds the line of these fields, line end included.
    package func write(to bytes: inout [UInt8]) {
        for (place, text) in texts.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            Self.write(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a field by RFC 4180: in quotes if it holds a comma, a quote or what ends a line.
    package static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { write($0, to: &bytes) }
    }

    private static func write(_ field: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard
            field.contains(where: {
                $0 == UInt8(ascii: ",") || $0 == quote || $0 == 0x0A || $0 == 0x0D
            })
        else { return bytes.append(contentsOf: field) }
        bytes.append(quote)
        for byte in field {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// The fields of a line by RFC 4180 (a field never holds a line break here).
    ///
    /// Quotes that are not RFC 4180's are taken as well as can be: a line that is not written like that is refused when
    /// it is written again.
    private static func split(_ line: String) -> [String] {
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

/// Why a line of the ledger is no row.
///
/// Thrown by fields and caught by ``LedgerReader``, which knows the line.
struct LedgerFault: Error, Hashable {
    let message: String

    init(_ message: String) { self.message = message }
}
