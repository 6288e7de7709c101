extension YAMLSyntaxFailure {
    /// The failure as people need it: the place, what libyaml was doing, and the usual mistake.
    func diagnostic(in file: SourceFile) -> Diagnostic {
        let index = scalarIndex ?? 0
        let position =
            byteOffset.map { file.position(ofByte: $0 + file.lines.byteOrderMarkLength) }
            ?? file.lines.position(ofScalar: index)
        let found = character(at: index, in: file)
        var notes: [Diagnostic.Note] = []
        if let context, let contextScalarIndex {
            let start = file.lines.position(ofScalar: contextScalarIndex)
            if start != position {
                notes.append(
                    .init("\(context) that begins here", at: SourceRange(at: start), in: file.name))
            }
        }
        let (message, hint) = wording(found: found)
        return Diagnostic(
            "yaml-syntax", at: SourceRange(at: position, columns: found == nil ? 0 : 1),
            in: file.name, message, notes: notes, hint: hint)
    }

    /// The character at the place; nil at the end of a line or of the file.
    private func character(at index: Int, in file: SourceFile) -> Unicode.Scalar? {
        let offset = file.lines.byteOffset(ofScalar: index, in: file.bytes)
        let bytes = file.bytes[offset...].prefix(4)
        let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
        return scalar == "\n" || scalar == "\r" ? nil : scalar
    }

    /// libyaml's words, made clearer where the usual mistake is known.
    private func wording(found: Unicode.Scalar?) -> (message: String, hint: String?) {
        switch problem {
        case "found character that cannot start any token":
            if found == "\t" {
                return ("a tab cannot indent YAML", "indent with spaces")
            }
            let shown = found.map { Diagnostic.quote(String($0)) } ?? "this character"
            return ("\(shown) cannot begin a value", "put the value in quotes")
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("a tab cannot indent YAML", "indent with spaces")
        case "mapping values are not allowed in this context":
            return (
                "a `:` is not allowed here",
                "put a value that contains `: ` in quotes, and check the indentation"
            )
        case "did not find expected key", "did not find expected '-' indicator":
            return (
                problem,
                "entries that belong together begin in the same column; check the indentation"
            )
        case "could not find expected ':'":
            return (problem, "write `key: value`, with a space after the colon")
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
            return (
                problem, "check that every bracket is closed and entries have commas between them"
            )
        default:
            return (problem, nil)
        }
    }
}
