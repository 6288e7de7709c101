public import Notation

/// The runs that lie in a folder, by their manifests alone: nothing of them is verified, and no frame is read.
public struct RunList: Hashable, Sendable {
    /// Stands for a verdict where the run goes on or was cut.
    public static let notFinalised = Judgement.Finding.Kind.notFinalised.rawValue
    /// Stands for one where `run.json` is none.
    private static let unreadable = "unreadable"
    /// What ``Entry/verdict`` can be.
    public static let verdicts = Verdict.allCases.map(\.rawValue) + [notFinalised, unreadable]

    /// One run.
    ///
    /// Of its manifest only these members are looked at, so that ten thousand runs are a matter of a second.
    public struct Entry: Hashable, Sendable {
        /// The name of its folder.
        public let name: String
        /// The verdict's word; `not-finalised` for a run that goes on or was cut, `unreadable` without a manifest.
        public let verdict: String
        /// Null where the run was not finalised.
        fileprivate var (exitCode, slots, frames) = (JSONValue.null, JSONValue.null, JSONValue.null)
        /// When it began in UTC, to the second; empty where nobody knows.
        fileprivate var started = ""
        fileprivate var (recipe, camera) = ("", "")
        /// Pixels of its frames; nil where it is not known how many these are, or they were not kept.
        fileprivate var byteCount: Int64?
        /// Where a text is looked for: name, recipe, camera, metadata, and parameters as `name=value`.
        fileprivate var words: [String]

        fileprivate init(_ name: String, verdict: String) {
            (self.name, self.verdict, words) = (name, verdict, [name])
        }
    }

    /// Which runs are asked for; nil for what does not matter.
    public struct Filter: Sendable {
        /// Their verdict's word.
        public var verdict: String?
        /// A text in their name, recipe, camera or parameters, in letters of either case.
        public var text: String?
        /// They began at this date or time (UTC, as in names of folders) or later; any beginning of it will do.
        public var since: String?

        /// All runs.
        public init() {}
    }

    /// The folder that they lie in.
    public let folder: String
    /// The newest first; of those that began in the same second by name.
    public let entries: [Entry]

    /// Reads the manifests of all runs in a folder.
    ///
    /// What has no `run.json` is no run, or one that was cut in its first moment, and is left out.
    ///
    /// - Throws: ``StorageError`` if the folder can't be read.
    public init(_ folder: String, _ filter: Filter = Filter()) throws(StorageError) {
        self.folder = RunFolder(path: folder).path
        var entries: [Entry] = []
        for name in try Folder.names(in: self.folder) where !name.hasPrefix(".") {
            let path = RunFolder(path: "\(self.folder)/\(name)").manifest
            guard WholeFile.exists(path) else { continue }
            let entry = Self.entry(name, path)
            if filter.takes(entry) { entries.append(entry) }
        }
        self.entries = entries.sorted { ($1.started, $0.name) < ($0.started, $1.name) }
    }

    private static func entry(_ name: String, _ path: String) -> Entry {
        guard let bytes = try? WholeFile.read(path),
            let json = try? JSONReader.read(bytes, name: path),
            json["framelock_run"]?.integerValue == Manifest.format
        else { return Entry(name, verdict: unreadable) }
        func text(_ value: JSONValue?) -> String { value?.stringValue ?? "" }
        let isFinalised = text(json["state"]) == Manifest.State.finalised.rawValue
        var entry = Entry(
            name, verdict: isFinalised ? text(json["verdict"]) : notFinalised)
        entry.recipe = text(json["recipe"]?["name"])
        entry.camera = text(json["camera"]?["id"])
        entry.started = String(text(json["session"]?["started"]?["utc"]).prefix { $0 != "." })
        if !entry.started.isEmpty { entry.started += "Z" }
        let parameters = json["recipe"]?["parameters"]?.arrayValue ?? []
        entry.words =
            [name, entry.recipe, entry.camera, text(json["camera"]?["name"])]
            + words(of: json["metadata"])
            + parameters.map { "\(text($0["name"]))=\(text($0["value"]))" }
        guard isFinalised else { return entry }
        entry.exitCode = json["exit_code"] ?? .null
        entry.slots = json["slots"] ?? .null
        entry.frames = json["frames"] ?? .null
        if json["container"]?["path"] != nil, let frames = entry.frames.integerValue,
            let each = json["configuration"]?["recorded_frame_bytes"]?.integerValue
        {
            let bytes = frames.multipliedReportingOverflow(by: each)
            entry.byteCount = bytes.overflow ? nil : bytes.partialValue
        }
        return entry
    }

    /// Texts and numbers of a run's metadata, those of its notes too.
    private static func words(of json: JSONValue?) -> [String] {
        (json?.objectValue?.members ?? []).flatMap { member in
            member.value.stringValue.map { [$0] } ?? member.value.numberText.map { [$0] }
                ?? words(of: member.value)
        }
    }

    /// A table for people, a run a line.
    public var text: String {
        guard !entries.isEmpty else { return "no runs in \(folder)" }
        var rows = [["started", "verdict", "frames", "size", "recipe", "camera", "folder"]]
        rows += entries.map { entry in
            [
                entry.started, entry.verdict,
                entry.frames == .null ? "" : "\(entry.frames.text()) of \(entry.slots.text())",
                entry.byteCount?.byteText ?? "", entry.recipe, entry.camera, entry.name,
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).dropLast().map { text, width in
                text + String(repeating: " ", count: width - text.count + 2)
            }.joined() + (row.last ?? "")
        }.joined(separator: "\n")
    }

    /// The folder, and an object for each run in `runs`; null for what is not known.
    public var json: JSONValue {
        ["folder": .string(folder), "runs": .array(entries.map(json))]
    }

    private func json(_ entry: Entry) -> JSONValue {
        func known(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
        return [
            "path": .string("\(folder)/\(entry.name)"),
            "started": known(entry.started), "verdict": .string(entry.verdict),
            "exit_code": entry.exitCode, "slots": entry.slots, "frames": entry.frames,
            "frame_bytes": entry.byteCount.map { .integer($0) } ?? .null,
            "recipe": known(entry.recipe), "camera": known(entry.camera),
        ]
    }
}

extension RunList.Filter {
    fileprivate func takes(_ entry: RunList.Entry) -> Bool {
        if let verdict, entry.verdict != verdict { return false }
        if let since, entry.started < since { return false }
        guard let text = text?.lowercased() else { return true }
        return entry.words.contains { $0.lowercased().contains(text) }
    }
}
