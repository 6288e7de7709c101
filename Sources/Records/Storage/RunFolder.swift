public import Timebase

/// The folder of one run, and the names of what lies in it.
public struct RunFolder: Hashable, Sendable {
    /// The path as it was given, without slashes at its end.
    public let path: String

    /// A run folder that exists, or that somebody says exists.
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
        try Folder.create(folder.path)
        return folder
    }

    /// Makes a folder in another one, named after time and recipe; where that name is taken, `-2`, `-3`, … follow.
    ///
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
    /// The frames.
    public var frames: String { path + "/frames.zarr" }
    /// SHA-256 of every file but the frames, as `sha256sum -c` reads them.
    public var checksums: String { path + "/checksums" }

    /// The files whose hashes are in `checksums`, by their names in the folder and in that order.
    static let hashedFiles = [
        "events.jsonl", "frames.zarr/0/zarr.json", "frames.zarr/zarr.json", "ledger.csv",
        "plan.json", "recipe.yaml", "run.json",
    ]
}

/// A time in UTC, taken apart by the proleptic Gregorian calendar.
struct UTCTime {
    /// The date, `2026-11-20`.
    let date: String
    /// The time of day, `14:03:22`.
    let time: String
    /// Nanoseconds since the second began.
    let nanoseconds: Int64

    init(_ instant: Instant<Realtime>) {
        let second: Int64 = 1_000_000_000
        let (days, inDay) = Self.floored(instant.nanoseconds, by: 86_400 * second)
        nanoseconds = inDay % second
        let seconds = inDay / second
        time =
            "\(Self.padded(seconds / 3_600)):\(Self.padded(seconds / 60 % 60))"
            + ":\(Self.padded(seconds % 60))"
        date = Self.date(days)
    }

    /// Date and time, `2026-11-20T14:03:22.000000000Z`.
    var text: String { "\(date)T\(time).\(Self.padded(nanoseconds, 9))Z" }

    /// The calendar's date of a count of days since 1970-01-01.
    ///
    /// Years start in March here, so that the leap day is their last; 400 such years have 146,097 days.
    private static func date(_ days: Int64) -> String {
        let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let remainder = value % divisor
        return remainder < 0
            ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int = 2) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
