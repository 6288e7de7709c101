/// A recursive-descent reader of one JSON text; depth is limited, so the stack is.
///
/// One use: ``document()`` once. Positions are bytes until something fails; only then are lines counted.
struct JSONParser {
    /// The text; a slice, whose indices need not begin at 0.
    let bytes: ArraySlice<UInt8>
    private let name: String
    /// The line, from 1, on which the text begins in its file.
    private let firstLine: Int
    private let limits: JSONLimits
    /// The next byte to read, an index into ``bytes``.
    var cursor: Int

    init(_ bytes: ArraySlice<UInt8>, name: String, firstLine: Int, limits: JSONLimits) {
        self.bytes = bytes
        self.name = name
        self.firstLine = firstLine
        self.limits = limits
        cursor = bytes.startIndex
    }

    /// Reads the text from its first byte to its last.
    ///
    /// - Throws: one diagnostic, at the first offence.
    mutating func document() throws(DiagnosticList) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else {
            throw failure(
                "file-too-large", at: bytes.startIndex,
                "\(bytes.count) bytes of JSON exceed the limit of \(limits.maximumBytes)")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw failure(
                "json-syntax", at: cursor, "a byte order mark is not allowed before JSON")
        }
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard cursor == bytes.endIndex else { throw unexpected("the end of the text") }
        return value
    }

    /// Reads any value, the cursor on its first byte.
    ///
    /// - Parameter depth: arrays and objects around it.
    private mutating func value(depth: Int) throws(DiagnosticList) -> JSONValue {
        guard let first = peek else { throw unexpected("a value") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw unexpected("a value")
        }
    }

    /// Reads an array, the cursor on its bracket.
    ///
    /// - Parameter depth: itself counted.
    private mutating func array(depth: Int) throws(DiagnosticList) -> JSONValue {
        try enter(depth)
        skipSpace()
        if take("]") { return .array([]) }
        var elements: [JSONValue] = []
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { throw unexpected("`,` or `]`") }
            skipSpace()
        }
    }

    /// Reads an object, the cursor on its brace; a name that comes twice is refused, since readers differ in which one
    /// counts (RFC 8259, 4).
    ///
    /// - Parameter depth: itself counted.
    private mutating func object(depth: Int) throws(DiagnosticList) -> JSONValue {
        try enter(depth)
        skipSpace()
        if take("}") { return .object(JSONObject()) }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(8)
        var names = JSONNameSet()
        while true {
            let start = cursor
            guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let name = try string()
            guard names.insert(name, after: members) else {
                let message = "\(Diagnostic.quote(name)) comes twice in one object"
                throw failure("duplicate-key", at: start, columns: cursor - start, message)
            }
            skipSpace()
            guard take(":") else { throw unexpected("`:`") }
            skipSpace()
            members.append(.init(name: name, value: try value(depth: depth)))
            skipSpace()
            if take("}") { return .object(JSONObject(unchecked: members)) }
            guard take(",") else { throw unexpected("`,` or `}`") }
            skipSpace()
        }
    }

    /// Steps over the opening bracket or brace of something; refuses one that lies too deep.
    private mutating func enter(_ depth: Int) throws(DiagnosticList) {
        guard depth <= limits.maximumDepth else {
            throw failure(
                "nesting-too-deep", at: cursor, columns: 1,
                "more than \(limits.maximumDepth) arrays and objects inside each other")
        }
        cursor += 1
    }

    /// Reads a number, the cursor on its sign or first digit.
    private mutating func number() throws(DiagnosticList) -> JSONValue {
        switch JSONNumber.scan(bytes[cursor...]) {
        case .number(let end, let integer):
            defer { cursor = end }
            return integer.map(JSONValue.integer)
                ?? .decimal(String(decoding: bytes[cursor..<end], as: UTF8.self))
        case .expected(let what, let offset):
            cursor = offset
            throw unexpected(what)
        }
    }

    /// Reads `true`, `false` or `null`, of which the first letter was seen.
    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(DiagnosticList) -> JSONValue {
        let end = cursor + word.utf8CodeUnitCount
        let matches =
            end <= bytes.endIndex
            && word.withUTF8Buffer { bytes[cursor..<end].elementsEqual($0) }
        guard matches else { throw unexpected("a value") }
        cursor = end
        return value
    }
}

// MARK: - Small steps and failures

extension JSONParser {
    /// The byte at the cursor; nil at the end.
    var peek: UInt8? { cursor < bytes.endIndex ? bytes[cursor] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        cursor += 1
        return true
    }

    /// Steps over white space: space, line feed, carriage return and tab, and nothing else (RFC 8259, 2).
    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            cursor += 1
        }
    }

    /// A `json-syntax` diagnostic: what was expected at the cursor, and what is there.
    func unexpected(_ expected: String) -> DiagnosticList {
        guard let byte = peek else {
            return failure(
                "json-syntax", at: cursor, "expected \(expected), found the end of the text")
        }
        return failure(
            "json-syntax", at: cursor, columns: 1,
            "expected \(expected), found \(JSONParser.name(of: byte))")
    }

    /// The one diagnostic of a text.
    ///
    /// - Parameters:
    ///   - id: the diagnostic's stable word.
    ///   - offset: an index into ``bytes``.
    ///   - columns: how many characters are meant; 0 for the place alone.
    func failure(
        _ id: String, at offset: Int, columns: Int = 0, _ message: String, hint: String? = nil
    ) -> DiagnosticList {
        // Positions are rarely needed, so lines are only counted here.
        let text = Array(bytes)
        var start = LineTable(text).position(ofByte: offset - bytes.startIndex, in: text)
        start.line += firstLine - 1
        let range = SourceRange(at: start, columns: columns)
        return DiagnosticList(Diagnostic(id, at: range, in: name, message, hint: hint))
    }

    /// How messages name a byte that was found.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21..<0x7F: "`\(Unicode.Scalar(byte))`"
        case 0x20: "a space"
        case 0x09: "a tab"
        case 0x0A, 0x0D: "a line end"
        case 0..<0x20, 0x7F: "control character U+00\(hexadecimal(byte))"
        default: "a character outside of ASCII"
        }
    }

    /// How a control character is written in a string.
    static func escape(of byte: UInt8) -> String {
        switch byte {
        case 0x09: #"`\t`"#
        case 0x0A: #"`\n`"#
        case 0x0D: #"`\r`"#
        default: #"`\u00\#(hexadecimal(byte))`"#
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
