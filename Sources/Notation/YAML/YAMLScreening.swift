/// The checks that need no parser: size, encoding, characters that a text file does not have.
///
/// Made before libyaml sees a byte.
struct YAMLScreening {
    let file: SourceFile
    let limits: YAMLLimits

    /// The first reason not to parse the file at all.
    var refusal: Diagnostic? {
        tooLarge ?? invalidEncoding ?? forbiddenCharacter
    }

    /// A file over the limit of bytes, whatever it holds.
    private var tooLarge: Diagnostic? {
        guard file.bytes.count > limits.maximumBytes else { return nil }
        return Diagnostic(
            "file-too-large", at: SourceRange(at: .start), in: file.name,
            "the file has \(file.bytes.count) bytes, more than the limit of \(limits.maximumBytes)")
    }

    /// The first byte that is no UTF-8; UTF-16 by its byte order mark.
    private var invalidEncoding: Diagnostic? {
        // UTF-16 is refused under its own name: its bytes are valid or invalid UTF-8 by chance.
        let isUTF16 =
            file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF])
        if isUTF16 {
            return Diagnostic(
                "invalid-utf8", at: SourceRange(at: .start), in: file.name,
                "the file is encoded in UTF-16", hint: "save the file as UTF-8")
        }
        guard let offset = firstInvalidUTF8Offset(in: file.bytes) else { return nil }
        let byte = String(file.bytes[offset], radix: 16, uppercase: true)
        return Diagnostic(
            "invalid-utf8", at: SourceRange(at: file.position(ofByte: offset), columns: 1),
            in: file.name, "byte 0x\(byte) is not valid UTF-8 here", hint: "save the file as UTF-8")
    }

    /// The first character that a YAML text may not have; a byte order mark at the start is left out.
    private var forbiddenCharacter: Diagnostic? {
        let text = String(
            decoding: file.bytes[file.lines.byteOrderMarkLength...], as: UTF8.self)
        for (index, scalar) in text.unicodeScalars.enumerated() where Self.isForbidden(scalar) {
            let position = file.lines.position(ofScalar: index)
            let range = SourceRange(at: position, columns: 1)
            if scalar.value == 0 {
                return Diagnostic(
                    "nul-byte", at: range, in: file.name, "the file contains a NUL byte",
                    hint: "this may be no text file, or one that is not encoded in UTF-8")
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let padding = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
            return Diagnostic(
                "control-character", at: range, in: file.name,
                "character U+\(padding)\(digits) is not allowed in YAML",
                hint: "remove it; in a text that needs it, write an escape in double quotes")
        }
        return nil
    }

    /// Characters outside of YAML's printable set (YAML 1.2.2 §5.1).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20..<0x7F, 0x85, 0xA0..<0xFFFE, 0x10000...0x10FFFF: false
        default: true
        }
    }
}

extension Diagnostic {
    /// An empty file; also reported for one with only comments or an empty document.
    static func emptyFile(_ file: SourceFile) -> Diagnostic {
        Diagnostic(
            "empty-file", at: SourceRange(at: .start), in: file.name,
            "the file contains no YAML, or only comments")
    }
}
