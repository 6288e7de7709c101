internal import Notation
internal import Timebase

/// What `refit.json` says.
struct RefitFile: Sendable {
    /// What the fit was made from.
    var events, ledger: FileDigest
    /// `refit.csv`.
    var table: FileDigest
    /// Nil where frames have none.
    var rhythm: Rhythm?
    var clocks: [RelatedClock]

    /// How frames followed each other.
    struct Rhythm: Sendable {
        /// In femtoseconds; nil where nothing bounds it.
        var shortest, longest: Int64?
        var lateTimestamps: Int64

        init(_ clock: FrameClock) {
            let period = clock.periodFemtoseconds
            shortest = period.flatMap { Int64(exactly: $0.lowerBound) }
            longest = period.flatMap { Int64(exactly: $0.upperBound) }
            lateTimestamps = Int64(clock.outliers)
        }

        fileprivate init() { lateTimestamps = 0 }
    }
}

extension JSONForm where Value == RefitFile {
    static let refit = object(
        RefitFile(
            events: FileDigest(of: []), ledger: FileDigest(of: []), table: FileDigest(of: []),
            clocks: []),
        [
            .constant("framelock_refit", 1),
            .group(
                "made_from",
                [
                    .member("events.jsonl", \.events, .digest),
                    .member("ledger.csv", \.ledger, .digest),
                ]),
            .member("refit.csv", \.table, .digest), .nullable("frames", \.rhythm, .rhythm),
            .member("clocks", \.clocks, .clocks),
        ])
}

extension JSONForm where Value == RefitFile.Rhythm {
    fileprivate static let rhythm = object(
        RefitFile.Rhythm(),
        [
            .nullable("shortest_period_fs", \.shortest, .number),
            .nullable("longest_period_fs", \.longest, .number),
            .member("late_timestamps", \.lateTimestamps, .number),
        ])
}
