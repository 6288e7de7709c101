import Notation

/// Reads the parts of a quantity from its text, and names the usual mistakes.
///
/// Used by one reader of ``Quantity`` at a time: it takes number, unit and signs in their order and ends with
/// ``unit(_:)`` or ``end()``, so that nothing is left unread. Places count Unicode scalars from 0.
struct QuantityScanner {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private let kind: QuantityKind
    /// The next scalar to be read.
    private(set) var position = 0

    init(_ text: String, _ kind: QuantityKind) {
        self.text = text
        self.scalars = Array(text.unicodeScalars)
        self.kind = kind
    }

    var isAtEnd: Bool { position == scalars.count }

    /// The scalar so far ahead, without taking it; nil beyond the end.
    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    /// Takes a scalar if it is next; nothing is skipped before it.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// Takes a word if it is next, case and spaces as they are.
    mutating func take(word: String) -> Bool {
        guard scalars[position...].starts(with: word.unicodeScalars) else { return false }
        position += word.unicodeScalars.count
        return true
    }

    /// Takes a number: digits, or digits with a point and digits.
    ///
    /// - Throws: a problem for everything else that looks like one, such as a sign, a leading zero, a comma, an
    ///   exponent.
    mutating func number() throws(QuantityProblem) -> DecimalNumber {
        let start = position
        if let problem = strangeStart() { throw problem }
        var digits = takeDigits()
        var scale = 0
        if peek() == "." {
            position += 1
            let fraction = takeDigits()
            guard !fraction.isEmpty else {
                throw problem("number-format", "a digit is missing after the point")
            }
            digits += fraction
            scale = fraction.count
        }
        if let problem = strangeEnd(start: start) { throw problem }
        guard digits.count <= DecimalNumber.maximumDigits else {
            throw problem(
                "number-format",
                "\(quoted) has more than \(DecimalNumber.maximumDigits) digits")
        }
        return DecimalNumber(digits: value(of: digits), scale: scale)
    }

    private func value(of digits: [Unicode.Scalar]) -> UInt128 {
        digits.reduce(0) { $0 * 10 + UInt128($1.value - 48) }
    }

    /// Takes a whole number without point; its problem points at the number alone.
    mutating func wholeNumber() throws(QuantityProblem) -> UInt128 {
        let start = position
        let number = try number()
        guard number.scale == 0 else {
            throw problem(
                "number-format",
                "\(Diagnostic.quote(string(start..<position))) is not a whole number",
                part: start..<position)
        }
        return number.digits
    }

    /// Takes digits alone; what follows them is left for the caller, as in `1..5000`, where ``number()`` would see a
    /// point.
    mutating func digits() throws(QuantityProblem) -> UInt128 {
        if let problem = strangeStart() { throw problem }
        let digits = takeDigits()
        guard digits.count <= DecimalNumber.maximumDigits else { throw tooLarge }
        return value(of: digits)
    }

    private mutating func takeDigits() -> [Unicode.Scalar] {
        let start = position
        while isDigit(peek()) { position += 1 }
        return Array(scalars[start..<position])
    }

    /// Takes the rest as a unit, after at most one space.
    ///
    /// - Parameter units: what is accepted; other spellings are for hints only.
    /// - Returns: the index of the unit in `units`.
    /// - Throws: `missing-unit` with the units that are meant most often, `unknown-unit` with the one that is near.
    mutating func unit(_ units: [String]) throws(QuantityProblem) -> Int {
        guard !isAtEnd else {
            throw missingUnit
        }
        if peek() == " " { position += 1 }
        let start = position
        let unit = string(start..<scalars.count)
        position = scalars.count
        if let index = units.firstIndex(of: unit) { return index }
        let written = string(start..<scalars.count)
        if unit.unicodeScalars.allSatisfy({ $0 == " " }) {
            throw missingUnit
        }
        throw QuantityProblem(
            "unknown-unit", "\(Diagnostic.quote(written)) is not a unit of \(kind.noun)",
            hint: unitHint(unit, start: start), part: start..<scalars.count)
    }

    /// The number stands alone: both likely readings are shown, since the program does not guess.
    private var missingUnit: QuantityProblem {
        let number = text.filter { $0 != " " }
        let space = kind.example.contains(" ") ? " " : ""
        let units = kind.usualUnits.map { Diagnostic.quote(number + space + $0) }
        return problem(
            "missing-unit", "\(quoted) has no unit",
            hint: "write " + units.joined(separator: " or ") + kind.unitList)
    }

    /// The number with the unit that was meant, by the kind's aliases or by likeness; the kind's example where none is
    /// near.
    private func unitHint(_ unit: String, start: Int) -> String {
        let trimmed = String(unit.drop { $0 == " " })
        let meant =
            kind.aliases.first { $0.written == trimmed }?.meant
            ?? nearestWord(to: trimmed, in: kind.units)
        guard let meant else { return kind.hint }
        let number = String(string(0..<start).reversed().drop { $0 == " " }.reversed())
        let space = kind.example.contains(" ") ? " " : ""
        return "write \(Diagnostic.quote(number + space + meant))\(kind.unitList)"
    }

    /// Throws unless everything was taken.
    func end() throws(QuantityProblem) {
        guard !isAtEnd else { return }
        throw notOne
    }

    // MARK: Mistakes

    /// The whole text in backticks.
    var quoted: String { Diagnostic.quote(text) }

    /// "… is not a duration".
    var notOne: QuantityProblem {
        problem("number-format", "\(quoted) is not \(kind.noun)", part: 0..<scalars.count)
    }

    /// A problem of this text, with the kind's own hint unless there is a better one.
    ///
    /// - Parameter part: the scalars that are meant; all of them if left out.
    func problem(
        _ id: String, _ message: String, hint: String? = nil, part: Range<Int>? = nil
    ) -> QuantityProblem {
        QuantityProblem(
            id, message, hint: hint ?? kind.hint, part: part ?? 0..<scalars.count)
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    /// What is wrong with the beginning of a number; nil where one can begin.
    private func strangeStart() -> QuantityProblem? {
        let rest = string(position..<scalars.count).lowercased()
        switch peek() {
        case "-", "\u{2212}":
            return problem("negative", "\(quoted) is negative")
        case "+":
            return problem("number-format", "\(quoted) begins with a sign; leave it out")
        case ".":
            if isDigit(peek(1)) {
                return problem(
                    "number-format", "a digit is missing before the point",
                    hint: "write \(Diagnostic.quote("0" + string(position..<scalars.count)))")
            }
        case "0":
            if let letter = peek(1), "xXoObB".unicodeScalars.contains(letter) {
                return problem("number-format", "\(quoted) is not written in decimal digits")
            }
            if isDigit(peek(1)) {
                let stripped = rest.drop { $0 == "0" }
                let number = stripped.first.map { $0.isNumber } ?? false ? stripped : "0" + stripped
                return problem(
                    "number-format", "\(quoted) has a leading zero",
                    hint: position == 0 ? "write \(Diagnostic.quote(String(number)))" : nil)
            }
        default: break
        }
        if [".inf", ".nan", "inf", "nan"].contains(where: rest.hasPrefix) {
            return problem("number-format", "\(quoted) is not a finite number")
        }
        return isDigit(peek()) ? nil : notOne
    }

    /// What is wrong right behind the digits; nil where a unit may follow.
    ///
    /// - Parameter start: where the number began.
    private func strangeEnd(start: Int) -> QuantityProblem? {
        switch peek() {
        case "_", "'":
            let plain = text.filter { $0 != "_" && $0 != "'" }
            return problem(
                "number-format", "\(quoted) has separators between its digits",
                hint: "write \(Diagnostic.quote(plain))")
        case ",":
            return problem(
                "number-format", "\(quoted) has a comma in its number",
                hint: "use a decimal point, and nothing between thousands")
        case ".": return notOne
        case "e", "E":
            guard isDigit(peek(1)) || (peek(1) == "+" || peek(1) == "-") && isDigit(peek(2))
            else { return nil }
            return problem("number-format", "\(quoted) has an exponent; write the number out")
        default: return nil
        }
    }
}
