import Notation

extension Form {
    /// A scalar that a function reads.
    ///
    /// - Parameters:
    ///   - shape: how it looks.
    ///   - limits: what is taken, in words; named where `isTaken` is false.
    ///   - isTaken: whether a value is within the limits.
    ///   - parse: reads the text, with its parameter put in; what it throws is shown at the part of the text that it
    ///     names.
    static func scalar(
        _ shape: ScalarShape, limits: String = "",
        isTaken: @escaping @Sendable (Value) -> Bool = { _ in true },
        parse: @escaping @Sendable (String) throws(QuantityProblem) -> Value
    ) -> Form {
        Form(.scalar(shape)) { node, context in
            guard let scalar = context.scalar(node, wanted: shape.noun) else { return nil }
            do throws(QuantityProblem) {
                let value = try parse(scalar.text)
                if isTaken(value) { return value }
                let count = scalar.text.unicodeScalars.count
                throw QuantityProblem(
                    "out-of-range",
                    "\(context.subject) takes \(limits), not \(Diagnostic.quote(scalar.text))",
                    hint: nil, part: 0..<count)
            } catch {
                context.report(error, in: scalar)
                return nil
            }
        }
    }
}

extension Form where Value: CaseIterable & RawRepresentable<String> {
    /// One of the words of an enumeration, by its raw values and in the order of its cases.
    static var word: Form {
        let words = Value.allCases.map(\.rawValue)
        return Form(.choice(words)) { node, context in
            guard let scalar = context.scalar(node, wanted: listed(words, last: "or")) else {
                return nil
            }
            if let value = Value(rawValue: scalar.text) { return value }
            context.reportUnknown(
                "unknown-word", scalar, among: words,
                "\(context.subject) takes \(listed(words, last: "or"))")
            return nil
        }
    }
}

/// Words in backticks, with commas; the last one after a word of its own where one is given.
///
/// - Parameters:
///   - words: none gives an empty text.
///   - last: for example `or`; nil for commas throughout.
func listed(_ words: [String], last: String? = nil) -> String {
    let quoted = words.map { "`\($0)`" }
    guard let last, let final = quoted.last, quoted.count > 1 else {
        return quoted.joined(separator: ", ")
    }
    return quoted.dropLast().joined(separator: ", ") + " \(last) " + final
}
