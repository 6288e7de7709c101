extension SourceRange {
    /// The range as JSON: `start` and `end`, each with `line` and `column` from 1, `end` exclusive.
    public var jsonValue: JSONValue {
        ["start": start.jsonValue, "end": end.jsonValue]
    }
}

extension SourcePosition {
    /// The position as JSON: `line` and `column`, from 1.
    public var jsonValue: JSONValue {
        ["line": .integer(Int64(line)), "column": .integer(Int64(column))]
    }
}

extension Diagnostic {
    /// The diagnostic as JSON, every member always there; `hint` is null where there is none.
    public var jsonValue: JSONValue {
        [
            "severity": .string(severity.rawValue),
            "id": .string(id),
            "file": .string(file),
            "range": range.jsonValue,
            "message": .string(message),
            "notes": .array(notes.map(\.jsonValue)),
            "hint": hint.map(JSONValue.string) ?? .null,
        ]
    }
}

extension Diagnostic.Note {
    /// The note as JSON: `message`, `file`, `range`.
    public var jsonValue: JSONValue {
        ["message": .string(message), "file": .string(file), "range": range.jsonValue]
    }
}

extension DiagnosticList {
    /// The list as JSON: the shown `diagnostics` and how many were `omitted`.
    public var jsonValue: JSONValue {
        [
            "diagnostics": .array(shown.map(\.jsonValue)),
            "omitted": .integer(Int64(omittedCount)),
        ]
    }
}
