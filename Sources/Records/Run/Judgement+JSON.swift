public import Notation

extension Judgement {
    /// The verdict as members of `run.json` and of `framelock show --json`.
    var members: [(String, JSONValue)] {
        [
            ("verdict", .string(verdict.rawValue)), ("exit_code", .integer(Int64(exitCode))),
            ("findings", .array(findings.map { .object($0.json) })),
        ]
    }
}

extension Judgement.Finding {
    /// The finding as it stands in `run.json`, `show --json` and `report --json`.
    public var json: JSONObject {
        [
            "id": .string(id), "message": .string(message), "over_limit": .bool(isOverLimit),
            "look": .string(look),
        ]
    }
}
