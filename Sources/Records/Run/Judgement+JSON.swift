internal import Notation

extension Judgement {
    /// The verdict as members of `run.json` and of `framelock show --json`.
    var members: [(String, JSONValue)] {
        [
            ("verdict", .string(verdict.rawValue)), ("exit_code", .integer(Int64(exitCode))),
            ("findings", .array(findings.map(\.json))),
        ]
    }
}

extension Judgement.Finding {
    var json: JSONValue {
        [
            "id": .string(id), "message": .string(message), "over_limit": .bool(isOverLimit),
            "look": .string(look),
        ]
    }
}
