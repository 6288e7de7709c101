/// How a JSON value is written.
public enum JSONStyle: Sendable, CaseIterable {
    /// On one line, without spaces, members in their order.
    case compact
    /// For people: one member or element a line, two spaces a level, members in their order.
    case pretty
    /// For hashing: as compact, members sorted by the UTF-8 bytes of their names.
    case canonical
}

extension JSONValue {
    /// The value as JSON text, the same on every machine; no line end after it.
    ///
    /// In strings `"`, `\`, all control characters (U+0000–001F, U+007F–009F) and the line separators
    /// U+2028 and U+2029 are escaped; everything else is written as it is. Numbers are written as they
    /// are held, in every style.
    ///
    /// - Precondition: every ``decimal(_:)`` holds a JSON number.
    public func text(_ style: JSONStyle = .compact) -> String {
        String(decoding: utf8(style), as: UTF8.self)
    }

    /// The bytes of ``text(_:)``.
    public func utf8(_ style: JSONStyle = .compact) -> [UInt8] {
        var printer = JSONPrinter(style: style)
        printer.write(self, level: 0)
        return printer.output
    }
}

/// Writes a value into bytes, in one pass and recursively: as deep as the value is.
struct JSONPrinter {
    let style: JSONStyle
    private(set) var output: [UInt8] = []

    init(style: JSONStyle) {
        self.style = style
    }

    /// - Parameter level: arrays and objects around the value, for the indentation.
    /// - Precondition: every decimal in it holds a JSON number.
    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .decimal(let text):
            precondition(JSONValue.number(text) != nil, "not a JSON number: \(text)")
            output.append(contentsOf: text.utf8)
        case .string(let text): write(text)
        case .array(let elements): write(elements, level: level)
        case .object(let object): write(object, level: level)
        }
    }

    private mutating func write(_ elements: [JSONValue], level: Int) {
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            breakLine(level: level + 1)
            write(element, level: level + 1)
        }
        if !elements.isEmpty { breakLine(level: level) }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject, level: Int) {
        var members = object.members
        if style == .canonical {
            members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            breakLine(level: level + 1)
            write(member.name)
            output.append(UInt8(ascii: ":"))
            if style == .pretty { output.append(UInt8(ascii: " ")) }
            write(member.value, level: level + 1)
        }
        if !members.isEmpty { breakLine(level: level) }
        output.append(UInt8(ascii: "}"))
    }

    /// Begins a line at a level; only where values are written for people.
    private mutating func breakLine(level: Int) {
        guard style == .pretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func write(_ text: String) {
        output.append(UInt8(ascii: "\""))
        var isPlain = true
        for byte in text.utf8 where Self.mayNeedEscape(byte) {
            isPlain = false
            break
        }
        if isPlain {
            output.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { write(scalar) }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Whether the byte begins (or is) something that ``write(_:)`` for scalars would escape.
    ///
    /// 0xC2 begins U+0080–00BF, 0xE2 begins U+2028 and U+2029.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
            || byte == 0xC2 || byte == 0xE2
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: output.append(contentsOf: #"\""#.utf8)
        case 0x5C: output.append(contentsOf: #"\\"#.utf8)
        case 0x08: output.append(contentsOf: #"\b"#.utf8)
        case 0x09: output.append(contentsOf: #"\t"#.utf8)
        case 0x0A: output.append(contentsOf: #"\n"#.utf8)
        case 0x0C: output.append(contentsOf: #"\f"#.utf8)
        case 0x0D: output.append(contentsOf: #"\r"#.utf8)
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
            let digits = String(scalar.value, radix: 16)
            output.append(contentsOf: #"\u"#.utf8)
            output.append(
                contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            output.append(contentsOf: digits.utf8)
        default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
