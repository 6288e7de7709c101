/// How a kind of value stands in JSON: one form, by which it is written and read.
package struct JSONForm<Value>: Sendable {
    package let write: @Sendable (Value) -> JSONValue
    package let read: @Sendable (JSONValue) throws(JSONFault) -> Value

    package init(
        write: @escaping @Sendable (Value) -> JSONValue,
        read: @escaping @Sendable (JSONValue) throws(JSONFault) -> Value
    ) {
        (self.write, self.read) = (write, read)
    }

    /// The form of values that are made of these, and turned into them.
    ///
    /// - Parameters:
    ///   - what: what such a value is, for whoever reads something else.
    ///   - make: nil for what is never written.
    package func of<Whole>(
        _ what: String, _ make: @escaping @Sendable (Value) -> Whole?,
        _ part: @escaping @Sendable (Whole) -> Value
    ) -> JSONForm<Whole> {
        JSONForm<Whole>(write: { write(part($0)) }) { json throws(JSONFault) in
            guard let whole = make(try read(json)) else { throw JSONFault("is not \(what)") }
            return whole
        }
    }
}

/// Where a JSON value is not what it is to be, and what is wrong there.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path to the value, for example `settings[3].codes`; empty for the value as a whole.
    public private(set) var place = ""
    /// What is wrong, as the end of a sentence about the value: `is missing`.
    public let message: String

    package init(_ message: String) { self.message = message }

    /// The same, seen from a value that has this one as a member.
    package func inside(_ member: String) -> JSONFault {
        var fault = self
        fault.place = member + (place.isEmpty || place.hasPrefix("[") ? "" : ".") + place
        return fault
    }

    /// For example "`settings[3].codes` is missing".
    public var description: String { place.isEmpty ? "it \(message)" : "`\(place)` \(message)" }
}

// MARK: - Plain values

extension JSONForm where Value == JSONValue {
    /// Anything, as it is.
    package static let any = JSONForm(write: { $0 }, read: { $0 })
}

extension JSONForm where Value == String {
    package static let text = plain("a text", { .string($0) }, { $0.stringValue })
}

extension JSONForm where Value == Bool {
    package static let flag = plain("true or false", { .bool($0) }, { $0.boolValue })
}

extension JSONForm where Value: FixedWidthInteger & Sendable {
    /// A whole number.
    package static var number: JSONForm { number(.min ... .max) }

    /// A whole number within a range.
    package static func number(_ range: ClosedRange<Value>) -> JSONForm {
        let what =
            range == .min ... .max
            ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return plain(what, { .integer(Int64($0)) }) { json in
            json.integerValue.flatMap { Value(exactly: $0) }
                .flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension JSONForm where Value: RawRepresentable<String> & SendableMetatype {
    /// One of a type's words.
    package static var word: JSONForm {
        plain("a word that is known here", { .string($0.rawValue) }) { json in
            json.stringValue.flatMap { Value(rawValue: $0) }
        }
    }
}

extension JSONForm {
    package static func plain(
        _ what: String, _ write: @escaping @Sendable (Value) -> JSONValue,
        _ read: @escaping @Sendable (JSONValue) -> Value?
    ) -> JSONForm {
        JSONForm(write: write) { json throws(JSONFault) in
            guard let value = read(json) else { throw JSONFault("is not \(what)") }
            return value
        }
    }

    /// Values in order.
    package static func list<Element>(_ element: JSONForm<Element>) -> JSONForm
    where Value == [Element] {
        JSONForm(write: { .array($0.map(element.write)) }) { json throws(JSONFault) in
            guard let items = json.arrayValue else { throw JSONFault("is not a list") }
            var values: [Element] = []
            values.reserveCapacity(items.count)
            for (index, item) in items.enumerated() {
                do throws(JSONFault) {
                    values.append(try element.read(item))
                } catch {
                    throw error.inside("[\(index)]")
                }
            }
            return values
        }
    }
}
