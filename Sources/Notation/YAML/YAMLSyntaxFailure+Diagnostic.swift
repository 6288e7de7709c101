extension YAMLSyntaxFailure {
    /// The failure as people need it: the place, what is wrong there, where that began, a way out.
    ///
    /// Messages of libyaml are recognised by their exact words; any other message is handed on as it is.
    ///
    /// - Parameter file: the text that was read, from which places get their line and column.
    func diagnostic(in file: SourceFile) -> Diagnostic {
        let start = contextScalarIndex.map { file.lines.position(ofScalar: $0) }
        // What was left open is shown where it begins; libyaml notices it much later.
        if let start, let (message, hint) = unfinished {
            return Diagnostic(
                "yaml-syntax", at: SourceRange(at: start, columns: 1), in: file.name, message,
                hint: hint)
        }
        let position =
            byteOffset.map { file.position(ofByte: $0 + file.lines.byteOrderMarkLength) }
            ?? file.lines.position(ofScalar: scalarIndex ?? 0)
        let found = character(at: scalarIndex ?? 0, in: file)
        var notes: [Diagnostic.Note] = []
        if let start, start != position, let whole {
            notes.append(
                .init("in \(whole) that begins here", at: SourceRange(at: start), in: file.name))
        }
        let (message, hint) = wording(found: found)
        return Diagnostic(
            isAboutTags ? "tag" : "yaml-syntax",
            at: SourceRange(at: position, columns: found == nil ? 0 : 1),
            in: file.name, message, notes: notes, hint: hint)
    }

    /// The character at the place; nil at the end of a line or of the file.
    ///
    /// - Parameter index: in Unicode scalars from the start, a byte order mark not counted.
    private func character(at index: Int, in file: SourceFile) -> Unicode.Scalar? {
        let offset = file.lines.byteOffset(ofScalar: index, in: file.bytes)
        let bytes = file.bytes[offset...].prefix(4)
        let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
        return scalar == "\n" || scalar == "\r" ? nil : scalar
    }

    /// Whether libyaml stumbled over a tag, which is refused in the same words as one that it can read.
    private var isAboutTags: Bool {
        problem == "found undefined tag handle" || context == "while scanning a tag"
            || context == "while parsing a tag"
    }

    /// Words for a quote that is never closed and a key that never gets its colon.
    ///
    /// Shown where the context begins, since libyaml notices them at the end of the file or of the line.
    private var unfinished: (message: String, hint: String?)? {
        switch (context, problem) {
        case ("while scanning a quoted scalar", "found unexpected end of stream"):
            ("the quote that opens here is never closed", nil)
        case ("while scanning a simple key", _):
            (
                "this line is no `key: value`",
                "write a space after the colon, or check the indentation"
            )
        default: nil
        }
    }

    /// What libyaml was reading, in words that are used outside of parsers.
    private var whole: String? {
        switch context {
        case "while parsing a block mapping": "the mapping"
        case "while parsing a flow mapping": "the mapping in braces"
        case "while parsing a block collection": "the list"
        case "while parsing a flow sequence": "the list in brackets"
        case "while parsing a quoted scalar", "while scanning a quoted scalar": "the quoted text"
        case "while scanning a block scalar": "the block of text"
        case "while scanning a plain scalar": "the value"
        case "while scanning a directive", "while scanning a %YAML directive": "the directive"
        default: nil
        }
    }

    /// What is wrong: libyaml's words, made clearer where the usual mistake is known.
    ///
    /// - Parameter found: the character at the place; nil at the end of a line or of the file.
    /// - Returns: the message, and a way out where one is known.
    private func wording(found: Unicode.Scalar?) -> (message: String, hint: String?) {
        if isAboutTags {
            return (YAMLTreeBuilder.tagMessage, YAMLTreeBuilder.tagHint)
        }
        switch problem {
        case "found character that cannot start any token" where found != "\t":
            let shown = found.map { Diagnostic.quote(String($0)) } ?? "this character"
            return ("\(shown) cannot begin a value", "put the value in quotes")
        case "found character that cannot start any token",
            "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("a tab cannot indent YAML", "indent with spaces")
        case "mapping values are not allowed in this context":
            return (
                "a `:` is not allowed here",
                "put a value that contains `: ` in quotes, and check the indentation"
            )
        case "did not find expected key":
            return ("expected a key here", "keys of one mapping begin in the same column")
        case "did not find expected '-' indicator":
            return ("expected `- ` here", "entries of one list begin in the same column")
        case "did not find expected node content": return ("expected a value here", nil)
        case "did not find expected ',' or ']'":
            return ("expected `,` or `]` here", "check that the list is closed and has all commas")
        case "did not find expected ',' or '}'":
            return (
                "expected `,` or `}` here", "check that the mapping is closed and has all commas"
            )
        case "found unknown escape character":
            return (
                "this is no escape that YAML knows",
                "write a backslash in double quotes as `\\\\`, or use single quotes"
            )
        case "found incompatible YAML document":
            return ("this version of YAML is not known", "remove the line; 1.1 and 1.2 are read")
        default: return (problem, nil)
        }
    }
}
