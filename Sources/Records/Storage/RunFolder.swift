public import Timebase

/// The folder of one run, and the names of what lies in it.
public struct RunFolder: Hashable, Sendable {
    /// The path as it was given, without slashes at its end.
    public let path: String

    /// A run folder that exists, or that is stated to exist.
    public init(path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    /// Makes exactly this folder; parents that are missing are made too.
    ///
    /// - Throws: ``StorageError`` with EEXIST if anything of that name is there: a run never overwrites another, and
    ///   of two that start at once only one gets the name.
    public static func create(at path: String) throws(StorageError) -> RunFolder {
        let folder = RunFolder(path: path)
        try Folder.create(folder.path, with: "checksums")
        return folder
    }

    /// Makes a folder in another one, named after time and recipe; where that name is taken, `-2`, `-3`, … follow.
    ///
    /// - Parameters:
    ///   - parent: where runs lie; made if it is missing.
    ///   - recipe: its name.
    ///   - time: when the run begins.
    /// - Throws: ``StorageError`` if the folder can't be made for another reason, or a thousand have the name.
    public static func create(
        in parent: String, recipe: String, at time: Instant<Realtime>
    ) throws(StorageError) -> RunFolder {
        let path = "\(parent)/\(defaultName(recipe: recipe, at: time))"
        for number in 1..<1_000 {
            do {
                return try create(at: number == 1 ? path : "\(path)-\(number)")
            } catch {
                // EEXIST: a run of the same second has it.
                if error.errno != 17 { throw error }
            }
        }
        return try create(at: path)
    }

    /// The name that a run gets when nobody gives it one: UTC to the second and the recipe's name, for example
    /// `2026-11-20T140322Z-gel-bracket`.
    public static func defaultName(recipe: String, at time: Instant<Realtime>) -> String {
        let text = UTCTime(time)
        return "\(text.date)T\(text.time.filter { $0 != ":" })Z-\(recipe)"
    }

    /// Whether a run was cut before its record had begun: every run has `checksums` from the first moment on, and they
    /// are empty until it ends.
    var isCutAtStart: Bool {
        !WholeFile.exists(manifest) && (try? OpenFile.size(of: checksums)) == 0
    }

    /// The manifest, `run.json`.
    public var manifest: String { path + "/run.json" }
    /// The recipe's exact bytes.
    public var recipe: String { path + "/recipe.yaml" }
    /// The compiled plan; its SHA-256 is the plan's hash.
    public var plan: String { path + "/plan.json" }
    /// A row for each slot.
    public var ledger: String { path + "/ledger.csv" }
    /// An event on each line.
    public var events: String { path + "/events.jsonl" }
    /// Frames as picture files, where the recipe asks for them: `000012.dng` is slot 12.
    public var stills: String { path + "/stills" }
    /// The clocks' relations as they are known afterwards, where somebody asked for them.
    public var refit: String { path + "/refit.json" }
    /// Each slot's times as they are known afterwards.
    public var refitTable: String { path + "/refit.csv" }
    /// SHA-256 of every file that the run wrote, frames included, as `sha256sum -c` reads them; empty until it ends.
    public var checksums: String { path + "/checksums" }

    /// The files whose hashes are in `checksums` of every run, by their names in the folder and in that order; those of
    /// frames and stills come behind them.
    ///
    /// - Parameter container: of the frames; nil for a run without their pixels.
    static func hashedFiles(_ container: FrameContainer?) -> [String] {
        let frames = container.map { kind in kind.descriptions.map { "\(kind.path)/\($0)" } } ?? []
        return ["events.jsonl"] + frames + ["ledger.csv", "plan.json", "recipe.yaml", "run.json"]
    }
}
