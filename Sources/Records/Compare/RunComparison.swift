internal import Imaging
public import Notation
internal import Recipes

/// In what two runs differ: recipe, plan, manifest, ledger, log, pixels, stills and what tells others of the frames.
///
/// Nothing is verified and no member is left out: clocks and dates of two real runs differ, and are listed as all else.
/// Names of the folders are no difference, nor is what is no part of the record or only sums it up: `truth.jsonl`,
/// `refit.json` and `refit.csv`, `checksums`.
public struct RunComparison {
    /// Lines of a section that texts show; JSON has all.
    private static let mostLines = 20

    private let paths: (a: String, b: String)
    private let manifest: [JSONDifference]
    private let plan: [JSONDifference]
    /// What the person who ran them asked for; it is in the manifests too.
    private let asked: [String]
    private let recipe: LineComparison
    private let ledger: LedgerComparison
    private let events: LineComparison
    /// Nil where pixels were not compared.
    private let frames: FrameComparison?
    /// Why they were not, where one of the runs has other frames than the other.
    private let framesDiffer: String?
    /// Stills and descriptions of frames whose content is another one, or that only one has.
    private let files: [String]

    /// Compares two runs; one that goes on, or was cut, as far as it is there.
    ///
    /// - Parameter comparesPixels: whether all frames of both are read.
    /// - Throws: ``UnreadableRun``.
    public init(_ a: String, _ b: String, comparesPixels: Bool = true) throws(UnreadableRun) {
        let (first, second) = (try RecordedRun(path: a), try RecordedRun(path: b))
        paths = (a, b)
        manifest = JSONDifference.between(first.json, second.json)
        asked = Self.asked(first.manifest, second.manifest)
        do {
            plan = try Self.plans(first, second)
            recipe = try LineComparison(first.folder.recipe, second.folder.recipe)
            events = try LineComparison(first.folder.events, second.folder.events)
            var frames = comparesPixels ? FrameComparison(first, second) : nil
            ledger = try LedgerComparison(first, second) { a, b in
                if a.isFrame, b.isFrame { frames?.add(slot: a.slot) }
            }
            files = try Self.files(first, second)
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

    /// Parameters by their names, and what a simulation was told.
    private static func asked(_ a: Manifest, _ b: Manifest) -> [String] {
        func facts(_ manifest: Manifest) -> [(String, String)] {
            manifest.parameters.map { ("parameter \($0.name)", $0.value) }
                + manifest.simulationFacts
        }
        let (first, second) = (facts(a), facts(b))
        let names =
            first.map(\.0) + second.map(\.0).filter { name in !first.contains { $0.0 == name } }
        return names.compactMap { name in
            let (one, other) = (
                first.first { $0.0 == name }?.1 ?? "nothing",
                second.first { $0.0 == name }?.1 ?? "nothing"
            )
            return one == other ? nil : "\(name): \(one) / \(other)"
        }
    }

    /// Plans are compared as they stand in their files, whatever hashes of them the manifests have.
    private static func plans(
        _ a: RecordedRun, _ b: RecordedRun
    ) throws(StorageError) -> [JSONDifference] {
        let (first, second) = (
            try WholeFile.read(a.folder.plan), try WholeFile.read(b.folder.plan)
        )
        guard first != second else { return [] }
        // Both were read as JSON before.
        guard let one = try? JSONReader.read(first, name: "A"),
            let two = try? JSONReader.read(second, name: "B")
        else { return [] }
        return JSONDifference.between(one, two)
    }

    /// Files of stills, and those that describe the frames to other programs, by their content.
    private static func files(_ a: RecordedRun, _ b: RecordedRun) throws(StorageError) -> [String] {
        func digests(_ run: RecordedRun) throws(StorageError) -> [String: FileDigest] {
            var names =
                run.container.map { kind in kind.descriptions.map { "\(kind.path)/\($0)" } } ?? []
            if Folder.exists(run.folder.stills) {
                names += try Folder.names(in: run.folder.stills).map { "stills/\($0)" }
            }
            var digests: [String: FileDigest] = [:]
            for name in names {
                let path = "\(run.folder.path)/\(name)"
                if WholeFile.exists(path) { digests[name] = try FileDigest.ofFile(path) }
            }
            return digests
        }
        let (first, second) = (try digests(a), try digests(b))
        return Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }.sorted()
    }

    /// Whether nothing differs.
    public var isSame: Bool { sections.allSatisfy(\.lines.isEmpty) }

    /// What `framelock diff` exits with: 0 where nothing differs, else 1, as of diff(1).
    public var exitCode: Int32 { isSame ? 0 : 1 }

    private var sections: [(name: String, lines: [String])] {
        let files = files.map { "\($0) differs, or only one run has it" }
        return [
            ("asked for", asked), ("recipe.yaml", recipe.lines), ("ledger.csv", ledger.lines),
            (
                "frames",
                framesDiffer.map { ["pixels can't be compared: \($0)"] } ?? frames?.lines ?? []
            ),
            ("files", files), ("events.jsonl", events.lines),
            ("plan.json", JSONDifference.lines(plan)),
            ("run.json", JSONDifference.lines(manifest)),
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
            "asked": .array(asked.map { .string($0) }),
            "recipe": recipe.json, "plan": .array(plan.map(\.json)),
            "manifest": .array(manifest.map(\.json)), "ledger": ledger.json,
            "events": events.json,
            "frames": framesDiffer.map { ["unlike": .string($0)] } ?? frames?.json ?? .null,
            "files": .array(files.map { .string($0) }),
        ]
    }
}
