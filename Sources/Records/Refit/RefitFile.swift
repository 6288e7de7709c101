internal import Notation
internal import Timebase

/// The contents of `refit.json`.
///
/// With the hashes of what the fit was made from, so that `verify` can recognise a fit that belongs to an older record.
struct RefitFile: Sendable {
    /// What the fit was made from.
    var events, ledger: FileDigest
    /// `refit.csv`.
    var table: FileDigest
    /// How frames followed each other; nil where no rhythm was looked for or found.
    var rhythm: Rhythm?
    /// In the order in which they were first read.
    var clocks: [RelatedClock]

    /// How frames followed each other.
    struct Rhythm: Sendable {
        /// Bounds of the frames' period in femtoseconds; nil where nothing bounds it.
        var shortest, longest: Int64?
        /// Timestamps that were later than allowed: of those frames it is only known that they were earlier.
        var lateTimestamps: Int64

        /// What of a fitted rhythm fits into 64 bits.
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
    /// Every member of `refit.json`, version 1; another version is no fit for this reader.
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
    /// Bounds of the period, null where there are none, and how many timestamps came late.
    fileprivate static let rhythm = object(
        RefitFile.Rhythm(),
        [
            .nullable("shortest_period_fs", \.shortest, .number),
            .nullable("longest_period_fs", \.longest, .number),
            .member("late_timestamps", \.lateTimestamps, .number),
        ])
}
