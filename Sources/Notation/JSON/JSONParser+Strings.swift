extension JSONParser {
    /// Reads a string, the cursor on its opening quote.
    ///
    /// Text without escapes is taken over in one piece.
    ///
    /// - Throws: one diagnostic, for a control character that is not escaped, an unknown escape, half of a surrogate
    ///   pair, invalid UTF-8, or a string without an end.
    mutating func string() throws(DiagnosticList) -> String {
        let start = cursor
        cursor += 1
        var end = cursor
        var isASCII = true
        while end < bytes.endIndex {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                defer { cursor = end + 1 }
                return try text(cursor..<end, isASCII: isASCII)
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            if byte >= 0x80 { isASCII = false }
            end += 1
        }
        return try stringWithEscapes(openedAt: start, plainUntil: end)
    }

    /// Reads on in a string that has an escape, a control character or no end.
    ///
    /// - Parameters:
    ///   - start: the opening quote, for a string that never ends.
    ///   - end: the first byte that is not plain; from the cursor up to it all are.
    private mutating func stringWithEscapes(
        openedAt start: Int, plainUntil end: Int
    ) throws(DiagnosticList) -> String {
        var result = try text(cursor..<end, isASCII: false)
        cursor = end
        while cursor < bytes.endIndex {
            switch bytes[cursor] {
            case UInt8(ascii: "\""):
                cursor += 1
                return result
            case UInt8(ascii: "\\"):
                result.unicodeScalars.append(try escape())
            case 0..<0x20:
                throw failure(
                    "control-character", at: cursor, columns: 1,
                    "\(JSONParser.name(of: bytes[cursor])) must be escaped in a string",
                    hint: "write \(JSONParser.escape(of: bytes[cursor]))")
            default:
                let run = cursor
                while cursor < bytes.endIndex, bytes[cursor] >= 0x20,
                    bytes[cursor] != UInt8(ascii: "\""), bytes[cursor] != UInt8(ascii: "\\")
                { cursor += 1 }
                result += try text(run..<cursor, isASCII: false)
            }
        }
        throw failure(
            "json-syntax", at: start, columns: 1, "the string that begins here never ends")
    }

    /// The text of bytes that hold no escape.
    ///
    /// - Parameter isASCII: whether they are known to be ASCII, which needs no check.
    private func text(_ range: Range<Int>, isASCII: Bool) throws(DiagnosticList) -> String {
        let slice = bytes[range]
        if isASCII { return String(decoding: slice, as: UTF8.self) }
        if let text = String(validating: slice, as: UTF8.self) { return text }
        let offset = range.lowerBound + (firstInvalidUTF8Offset(in: Array(slice)) ?? 0)
        throw failure("invalid-utf8", at: offset, columns: 1, "the text is not valid UTF-8 here")
    }

    /// Reads an escape from its backslash on; leaves the cursor behind it.
    private mutating func escape() throws(DiagnosticList) -> Unicode.Scalar {
        let start = cursor
        cursor += 1
        defer { cursor += 1 }
        switch peek {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw unexpected(#"one of `"\/bfnrtu` after `\`"#)
        }
    }

    /// Reads `uXXXX`, or a surrogate pair of two escapes; leaves the cursor on the last digit.
    private mutating func unicodeEscape(from start: Int) throws(DiagnosticList) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let hasSecond =
            first < 0xDC00 && cursor + 2 < bytes.endIndex
            && bytes[cursor + 1] == UInt8(ascii: "\\") && bytes[cursor + 2] == UInt8(ascii: "u")
        if hasSecond {
            cursor += 2
            let second = try hexadecimal()
            if (0xDC00..<0xE000).contains(second) {
                let value = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
                if let scalar = Unicode.Scalar(value) { return scalar }
            }
        }
        throw failure(
            "lone-surrogate", at: start, columns: 6,
            "\(String(decoding: bytes[start..<start + 6], as: UTF8.self)) is half of a surrogate pair"
        )
    }

    /// Reads the four digits after the `u` at the cursor; leaves the cursor on the last.
    private mutating func hexadecimal() throws(DiagnosticList) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            cursor += 1
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("four hexadecimal digits after `\\u`")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
