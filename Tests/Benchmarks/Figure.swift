internal import Notation

/// One measured figure, and what is wanted of it.
struct Figure {
    /// What a figure has to be.
    enum Wish {
        case atLeast(Double)
        case atMost(Double)
    }

    let name: String
    let value: Double
    let unit: String
    var wish: Wish?
    /// What else is worth knowing: the range, the conditions.
    var note = ""

    /// Whether the wish is met; nil where there is none.
    var isMet: Bool? {
        switch wish {
        case .atLeast(let limit): value >= limit
        case .atMost(let limit): value <= limit
        case nil: nil
        }
    }

    /// The figure as a line of the table.
    var row: String {
        var text = padded(name, 44) + padded(Self.text(value), -12) + " " + padded(unit, 10)
        switch wish {
        case .atLeast(let limit): text += padded("≥ \(Self.text(limit))", 12)
        case .atMost(let limit): text += padded("≤ \(Self.text(limit))", 12)
        case nil: text += padded("", 12)
        }
        text += isMet.map { $0 ? "met     " : "MISSED  " } ?? "        "
        return text + note
    }

    var json: JSONValue {
        let limit: JSONValue =
            switch wish {
            case .atLeast(let limit): ["at_least": .decimal(Self.text(limit))]
            case .atMost(let limit): ["at_most": .decimal(Self.text(limit))]
            case nil: .null
            }
        return [
            "name": .string(name), "value": .decimal(Self.text(value)), "unit": .string(unit),
            "wish": limit, "met": isMet.map { .bool($0) } ?? .null, "note": .string(note),
        ]
    }

    /// Three decimals below 100, none above.
    static func text(_ value: Double) -> String {
        if value.magnitude >= 100 { return "\(Int64(value.rounded()))" }
        let thousandths = Int64((value.magnitude * 1_000).rounded())
        let digits = "\(thousandths % 1_000)"
        let sign = value < 0 ? "-" : ""
        return "\(sign)\(thousandths / 1_000).\(String(repeating: "0", count: 3 - digits.count))"
            + digits
    }

    /// Text with spaces behind it, or before it for a negative width.
    private func padded(_ text: String, _ width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? spaces + text : text + spaces
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The smallest, middle and largest of some measurements.
struct Spread {
    let minimum: Double
    let median: Double
    let maximum: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        precondition(!sorted.isEmpty, "something was measured")
        minimum = sorted[0]
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        maximum = sorted[sorted.count - 1]
    }

    /// The range, for a note.
    var range: String { "\(Figure.text(minimum)) to \(Figure.text(maximum))" }
}
