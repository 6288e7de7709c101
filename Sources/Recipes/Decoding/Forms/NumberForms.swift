import Devices
import Imaging
import Notation

extension ScalarShape {
    /// A whole number within limits; each pair of limits is a definition of its own in the schema, named after them.
    static func integer(_ range: ClosedRange<Int64>) -> ScalarShape {
        ScalarShape(
            "integer_\(range.lowerBound)_to_\(range.upperBound)", "a whole number",
            .integer(range), "A whole number, \(range.lowerBound) to \(range.upperBound).")
    }

    /// A plain number; the limits are texts, so that the schema has them exactly.
    static func number(_ name: String, _ summary: String, from: String, to: String) -> ScalarShape {
        ScalarShape(name, "a number", .number(from: from, to: to), summary)
    }

    static let size = ScalarShape(
        "size", "a frame size", .text(pattern: "^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$"),
        "Width and height in pixels, for example `1456x1088`.")

    static let region = ScalarShape(
        "region", "a region",
        .text(
            pattern: #"^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\+(0|[1-9][0-9]{0,4})\+(0|[1-9][0-9]{0,4})$"#
        ),
        "Width, height, and the place of the top left corner, for example `640x480+100+50`.")

    static let codes = ScalarShape(
        "codes", "a range of codes", .text(pattern: #"^-?[0-9]+\.\.-?[0-9]+( step [0-9]+)?$"#),
        "The smallest and largest code of a control, for example `1..5000` or `2800..6500 step 10`."
    )

    static let boolean = ScalarShape(
        "boolean", "`true` or `false`", .boolean, "`true` or `false`.")
}

extension Form where Value == Int64 {
    /// A whole number within limits.
    static func integer(_ range: ClosedRange<Int64>) -> Form {
        Form.scalar(
            .integer(range), limits: "\(range.lowerBound) to \(range.upperBound)",
            isTaken: range.contains,
            parse: range.lowerBound < 0 ? Quantity.signedInteger : Quantity.integer)
    }

    /// A duration in picoseconds, 1 ps to 1 s: what one code of an exposure control stands for.
    static let picoseconds = Form.scalar(
        .picoseconds, limits: "1 ps to 1 s", isTaken: { (1...1_000_000_000_000).contains($0) },
        parse: Quantity.picoseconds)
}

extension Form where Value == Int {
    /// A whole number within limits, as `Int` for counts of things; the limits must fit one.
    static func count(_ range: ClosedRange<Int64>) -> Form {
        Form<Int64>.integer(range).map { Int($0) }
    }
}

extension Form where Value == FrameSize {
    /// A frame size.
    static let size = Form.scalar(.size, parse: Quantity.size)
}

extension Form where Value == FrameRegion {
    /// A part of the image, which begins at a place counted from 0.
    static let region = Form.scalar(.region, parse: Quantity.region)
}

extension Form where Value == CodeRange {
    /// The codes of a control, the smallest first, with a step of 1 if none is written.
    static let codes = Form.scalar(.codes, parse: Quantity.codes)
}

extension Form where Value == Bool {
    /// `true` or `false`, no other spelling.
    static let boolean = Form.scalar(.boolean) { text throws(QuantityProblem) in
        switch text {
        case "true": return true
        case "false": return false
        default:
            let meant: String? =
                switch text.lowercased() {
                case "yes", "on", "true", "1": "true"
                case "no", "off", "false", "0": "false"
                default: nil
                }
            throw QuantityProblem(
                "unknown-word", "\(Diagnostic.quote(text)) is neither `true` nor `false`",
                hint: meant.map { "write `\($0)`" }, part: 0..<text.unicodeScalars.count)
        }
    }
}
