import Imaging
import Notation

extension ScalarShape {
    static let text = ScalarShape("text", "a text", .text(pattern: nil), "A text.")

    static let name = ScalarShape(
        "name", "a name", .text(pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$"),
        "A name: a letter, then letters, digits, `_` and `-`; at most 64.")

    static let label = ScalarShape(
        "label", "a text",
        .text(pattern: #"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}$"#),
        "A text of one line, 1 to 64 characters.")

    static let recipeName = ScalarShape(
        "recipe_name", "a name", .text(pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"),
        "A name that can be a folder: letters, digits, `-`, `_`, `.`; at most 64; first a letter or digit."
    )

    static let pixels = ScalarShape(
        "pixels", "a pixel format", .text(pattern: nil),
        "A pixel format by its V4L2 name: \(PixelFormat.known.map(\.name).joined(separator: ", "))."
    )
}

extension Form where Value == String {
    /// A text of one line for people; empty is not a text.
    ///
    /// - Parameter maximumLength: the most Unicode scalars that it may have.
    static func text(_ maximumLength: Int = 200) -> Form { text(.text, maximumLength) }

    /// What frames are called.
    static let label = text(.label, 64)

    private static func text(_ shape: ScalarShape, _ maximumLength: Int) -> Form {
        Form.scalar(
            shape, limits: "1 to \(maximumLength) characters",
            isTaken: { text in
                (1...maximumLength).contains(text.unicodeScalars.count)
            }
        ) { text throws(QuantityProblem) in
            try refuseControls(in: text)
            return text
        }
    }

    /// Prose of any number of lines, taken as it is.
    static let prose = Form.scalar(.text) { text throws(QuantityProblem) in text }

    /// The name of something in this file: what `$name`, steps and rigs refer to.
    static let name = Form.scalar(.name, parse: readName)

    /// The name of a recipe, from which the run folder's name is made.
    static let recipeName = Form.scalar(.recipeName) { text throws(QuantityProblem) in
        let rest = "-_.".unicodeScalars
        guard let first = text.unicodeScalars.first, isLetterOrDigit(first),
            text.unicodeScalars.allSatisfy({ isLetterOrDigit($0) || rest.contains($0) }),
            text.unicodeScalars.count <= 64
        else {
            throw QuantityProblem(
                "bad-name", "\(Diagnostic.quote(text)) can't be part of a folder's name",
                hint: "use letters, digits, `-`, `_` and `.`, at most 64, first a letter or digit",
                part: 0..<text.unicodeScalars.count)
        }
        return text
    }
}

/// Reads the name of a parameter, line or camera: a letter, then letters, digits, `_` and `-`, at most 64, all ASCII.
///
/// Without a point or a colon, so that no name can be taken for a stable id or a path.
func readName(_ text: String) throws(QuantityProblem) -> String {
    let rest = "-_".unicodeScalars
    guard let first = text.unicodeScalars.first, isLetter(first),
        text.unicodeScalars.allSatisfy({ isLetterOrDigit($0) || rest.contains($0) }),
        text.unicodeScalars.count <= 64
    else {
        throw QuantityProblem(
            "bad-name", "\(Diagnostic.quote(text)) is not a name",
            hint: "a name is a letter, then letters, digits, `_` and `-`; at most 64",
            part: 0..<text.unicodeScalars.count)
    }
    return text
}

/// Refuses line ends and control characters (C0, DEL, C1, U+2028, U+2029), which would break the lines of messages and
/// records.
private func refuseControls(in text: String) throws(QuantityProblem) {
    for (index, scalar) in text.unicodeScalars.enumerated()
    where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x2028...0x2029).contains(scalar.value)
    {
        throw QuantityProblem(
            "control-character", "a line end or control character can't stand in this text",
            hint: "write the text on one line", part: index..<index + 1)
    }
}

private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
}

private func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || ("0"..."9").contains(scalar)
}

extension Form where Value == PixelFormat {
    /// A pixel format that framelock records, by its V4L2 name.
    static let pixels = Form(.scalar(.pixels)) { node, context in
        guard let scalar = context.scalar(node, wanted: "a pixel format") else { return nil }
        if let format = PixelFormat.named(scalar.text) { return format }
        let known = PixelFormat.known.map(\.name)
        context.reportUnknown(
            "unknown-pixel-format", scalar, among: known,
            "\(context.subject) takes a pixel format that framelock records",
            otherwise: "these are " + known.joined(separator: ", "))
        return nil
    }
}
