public import Notation
internal import Recipes
internal import Timebase

/// What `framelock show` says of a run.
public struct RunSummary: Hashable, Sendable {
    /// Everything, as the object that `--json` prints.
    ///
    /// Members that others script against: `verdict`, `exit_code`, `recipe_sha256`, `plan_sha256`, `slots`, `frames`,
    /// `holes`, `holes_by_reason`, `triggers`, `camera`, `findings`.
    public let json: JSONValue

    /// Reads the summary of a run; one that still goes on, or was cut, is counted as far as it is there, and its
    /// verdict is `partial`.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun``.
    public static func read(_ path: String) throws(UnreadableRun) -> RunSummary {
        let folder = RunFolder(path: path)
        let run = try RecordedRun(folder)
        let manifest = run.manifest
        var object: JSONObject = [
            "path": .string(folder.path), "state": .string(run.state.rawValue),
        ]
        let outcome = run.state == .finalised ? [] : try count(run)
        for name in outcomeMembers {
            let counted = outcome.first { $0.0 == name }?.1
            guard let value = counted ?? manifest[name] else {
                throw UnreadableRun("\(folder.manifest) has no `\(name)`")
            }
            object[name] = value
        }
        for name in ["stills", "missed_stills"] {
            object[name] = outcome.first { $0.0 == name }?.1 ?? manifest[name]
        }
        object["name"] = manifest["recipe"]?["name"]
        object["recipe_sha256"] = manifest["recipe"]?["sha256"]
        object["plan_sha256"] = manifest["plan"]?["sha256"]
        object["planned_slots"] = manifest["plan"]?["slots"]
        object["parameters"] = manifest["recipe"]?["parameters"]
        object["camera"] = manifest["camera"]
        object["profile"] = manifest["profile"]
        object["skipped"] = manifest["skipped"]
        object["configuration"] = manifest["configuration"]
        object["started"] = manifest["session"]?["started"]?["utc"]
        object["duration_ns"] = manifest["session"]?["duration_ns"]
        object["ending"] = manifest["ending"] ?? .null
        object["format"] = manifest["container"]?["format"]
        object["frames_path"] = run.keepsPixels ? .string(folder.frames) : .null
        object["framelock_version"] = manifest["framelock_version"]
        return RunSummary(json: .object(object))
    }

    private static let outcomeMembers =
        ["verdict", "exit_code"] + RunTally().members.map(\.0) + ["findings"]

    /// Counts the ledger and events of a run that has no outcome.
    private static func count(_ run: RecordedRun) throws(UnreadableRun) -> [(String, JSONValue)] {
        let reading = try RunReading(run).read(event: { _, _ in }, row: { _ in })
        return reading.tally.members + [
            ("verdict", .string(Verdict.partial.rawValue)), ("exit_code", 84),
            ("findings", [.object(Judgement.Finding.notFinalised.json)]),
        ]
    }
}

extension RunSummary {
    /// The summary for people, several lines.
    public var text: String {
        var lines = [
            "verdict   \(string("verdict")) (exit code \(number("exit_code")))",
            "recipe    \(string("name"))  \(string("recipe_sha256").prefix(12))",
            "camera    \(text(of: json["camera"]?["name"])) (\(text(of: json["camera"]?["id"])), "
                + "\(text(of: json["camera"]?["driver"])))",
            "format    \(text(of: json["configuration"]?["pixels"])) "
                + "\(text(of: json["configuration"]?["width"]))x"
                + text(of: json["configuration"]?["height"]),
            "started   \(string("started"))",
        ]
        if let duration = json["duration_ns"]?.integerValue {
            lines.append("duration  \(Interval(nanoseconds: duration))")
        } else {
            lines.append("state     not finalised: the run still goes on, or was cut")
        }
        lines.append(
            "slots     \(number("slots")): \(number("frames")) frames, \(number("holes")) holes")
        if let slots = json["not_reached"], slots != .null {
            let (first, last) = (text(of: slots["first_slot"]), text(of: slots["last_slot"]))
            lines.append("          \(first) to \(last) not reached")
        }
        for member in json["holes_by_reason"]?.objectValue?.members ?? [] {
            lines.append("  \(member.name): \(member.value.text())")
        }
        if let edges = json["triggers"]?["edges"]?.integerValue, edges > 0 {
            let counts = json["triggers"]?.objectValue?.members ?? []
            let parts = counts.map { "\($0.value.text()) \($0.name.replacing("_"))" }
            lines.append("triggers  \(parts.joined(separator: ", "))")
        }
        for skipped in json["skipped"]?.arrayValue ?? [] {
            lines.append(
                "skipped   \(text(of: skipped["setting"])) \(text(of: skipped["asked"])): not"
                    + " supported by the camera")
        }
        for finding in json["findings"]?.arrayValue ?? [] {
            let mark = finding["over_limit"]?.boolValue == true ? "!" : "-"
            lines.append("\(mark) \(text(of: finding["message"])) [\(text(of: finding["id"]))]")
        }
        let frames = json["frames_path"]?.stringValue
        lines.append("frames    \(frames ?? "without pixels, as the simulation was asked to")")
        if let stills = json["stills"]?.integerValue { lines.append("stills    \(stills)") }
        return lines.joined(separator: "\n")
    }

    private func string(_ name: String) -> String { text(of: json[name]) }
    private func number(_ name: String) -> String { text(of: json[name]) }
    private func text(of value: JSONValue?) -> String {
        value?.stringValue ?? value?.numberText ?? "unknown"
    }
}

extension String {
    /// The text with spaces for each of a character.
    fileprivate func replacing(_ character: Character) -> String {
        String(map { $0 == character ? " " : $0 })
    }
}
