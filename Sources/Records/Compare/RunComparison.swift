internal import Imaging
public import Notation

/// In what two runs differ: recipe, plan, manifest, ledger, log, pixels and stills.
///
/// Nothing is verified and nothing is left out: clocks and dates of two real runs differ, and are listed as all else.
/// Names of the folders are no difference, nor is what is no part of the record (`truth.jsonl`, `refit.json`).
public struct RunComparison {
    /// Lines of a section that texts show; JSON has all.
    private static let mostLines = 20

    private let paths: (a: String, b: String)
    private let manifest: [JSONDifference]
    private let plan: [JSONDifference]
    private let recipe: LineComparison
    private let ledger: LedgerComparison
    private let events: LineComparison
    /// Nil where pixels were not compared.
    private let frames: FrameComparison?
    /// Why they were not, where one of the runs has other frames than the other.
    private let framesDiffer: String?
    /// Files of stills whose content is another one, or that only one has.
    private let stills: [String]

    /// Compares two runs; one that goes on, or was cut, as far as it is there.
    ///
    /// - Parameter comparesPixels: whether all frames of both are read.
    /// - Throws: ``UnreadableRun``.
    public init(_ a: String, _ b: String, comparesPixels: Bool = true) throws(UnreadableRun) {
        let (first, second) = (try RecordedRun(path: a), try RecordedRun(path: b))
        paths = (a, b)
        manifest = JSONDifference.between(first.json, second.json)
        do {
            plan = try Self.plans(first, second)
            recipe = try LineComparison(first.folder.recipe, second.folder.recipe)
            events = try LineComparison(first.folder.events, second.folder.events)
            var frames = comparesPixels ? FrameComparison(first, second) : nil
            ledger = try LedgerComparison(first, second) { a, b in
                if a.isFrame, b.isFrame { frames?.add(slot: a.slot) }
            }
            stills = try Self.stills(first.folder, second.folder)
            self.frames = frames
        } catch {
            throw UnreadableRun("\(error)")
        }
        framesDiffer =
            comparesPixels && frames == nil && (first.container != nil || second.container != nil)
            ? "\(Self.kind(first)) / \(Self.kind(second))" : nil
    }

    private static func kind(_ run: RecordedRun) -> String {
        run.container == nil ? "no pixels" : "\(run.frames.pixelFormat.name) \(run.frames.size)"
    }

    /// Plans are compared as they stand, since texts of numbers count.
    private static func plans(
        _ a: RecordedRun, _ b: RecordedRun
    ) throws(StorageError) -> [JSONDifference] {
        guard a.manifest.planDigest != b.manifest.planDigest else { return [] }
        let (first, second) = (
            try WholeFile.read(a.folder.plan), try WholeFile.read(b.folder.plan)
        )
        // Both were read as JSON before.
        guard let one = try? JSONReader.read(first, name: "A"),
            let two = try? JSONReader.read(second, name: "B")
        else { return [] }
        return JSONDifference.between(one, two)
    }

    /// By the lines of `checksums`, which a run has at its end.
    private static func stills(
        _ a: RunFolder, _ b: RunFolder
    ) throws(StorageError) -> [String] {
        func listed(_ folder: RunFolder) throws(StorageError) -> [String: String] {
            let text = String(decoding: try WholeFile.read(folder.checksums), as: UTF8.self)
            var digests: [String: String] = [:]
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: " ", maxSplits: 1)
                let name = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
                if name.hasPrefix("stills/") { digests[String(name)] = String(parts[0]) }
            }
            return digests
        }
        let (first, second) = (try listed(a), try listed(b))
        return Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }.sorted()
    }

    /// Whether nothing differs.
    public var isSame: Bool { sections.allSatisfy(\.lines.isEmpty) }

    /// What `framelock diff` exits with: 0 where nothing differs, else 1, as of diff(1).
    public var exitCode: Int32 { isSame ? 0 : 1 }

    private var sections: [(name: String, lines: [String])] {
        let files = stills.map { "\($0) differs, or only one run has it" }
        return [
            ("recipe.yaml", recipe.lines), ("plan.json", JSONDifference.lines(plan)),
            ("run.json", JSONDifference.lines(manifest)), ("ledger.csv", ledger.lines),
            ("events.jsonl", events.lines),
            (
                "frames",
                framesDiffer.map { ["pixels can't be compared: \($0)"] } ?? frames?.lines ?? []
            ),
            ("stills", files),
        ]
    }

    /// What differs, in sections; a line if nothing does.
    public var text: String {
        let frames = frames.map { ", \($0.compared.of("frame"))" } ?? ""
        guard !isSame else {
            return
                "nothing differs: \(ledger.slots.of("slot"))\(frames), \(events.linesA.of("event"))"
        }
        let parts = sections.filter { !$0.lines.isEmpty }.map { section in
            let more = section.lines.count - Self.mostLines
            let shown = section.lines.prefix(Self.mostLines).map { "  " + $0 }
            return
                ([section.name] + shown + (more > 0 ? ["  and \(more) more: --json has them"] : []))
                .joined(separator: "\n")
        }
        return (["A \(paths.a)", "B \(paths.b)"] + parts).joined(separator: "\n")
    }

    /// The same for programs.
    public var json: JSONValue {
        [
            "a": .string(paths.a), "b": .string(paths.b), "same": .bool(isSame),
            "recipe": recipe.json, "plan": .array(plan.map(\.json)),
            "manifest": .array(manifest.map(\.json)), "ledger": ledger.json,
            "events": events.json,
            "frames": framesDiffer.map { ["unlike": .string($0)] } ?? frames?.json ?? .null,
            "stills": .array(stills.map { .string($0) }),
        ]
    }
}
