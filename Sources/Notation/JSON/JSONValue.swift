/// A JSON text as a value, exact: numbers never pass through floating point, members keep their order.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number, written without fraction and exponent.
    case integer(Int64)
    /// Any other number, as its exact JSON text: `0.10`, `1e9`, `-0`, or whole numbers beyond `Int64`.
    ///
    /// The text must be a JSON number (``number(_:)`` checks); printing anything else is a
    /// programming error and stops the program.
    case decimal(String)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order.
    case object(JSONObject)

    /// A number from its text: an integer where it is one that fits, otherwise a decimal.
    ///
    /// - Returns: nil where the text is not a number by RFC 8259 §6 (`+1`, `01`, `1.`, `.5`, `NaN`).
    public static func number(_ text: String) -> JSONValue? {
        let bytes = Array(text.utf8)
        guard case .number(let end, let integer) = JSONNumber.scan(bytes[...]), end == bytes.count
        else { return nil }
        return integer.map(JSONValue.integer) ?? .decimal(text)
    }
}

// MARK: - Looking inside

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, if this is one.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number, if this is one that fits.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The exact text of the number, if this is a number of either kind.
    public var numberText: String? {
        switch self {
        case .integer(let value): String(value)
        case .decimal(let text): text
        default: nil
        }
    }

    /// The text, if this is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if this is an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of that name, if this is an object that has one.
    public subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The element at that index, if this is an array that has one.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array of the elements.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object with the members in the order written.
    ///
    /// - Precondition: no name comes twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
