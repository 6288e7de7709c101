internal import Records
internal import Timebase

/// How bright frames were at each exposure that they are known to have had.
///
/// A camera's signal is in proportion to its exposure, at one gain and under one light: a plot shows at a glance where
/// it is not, and where frames are full.
struct ResponseFigures {
    /// Frames of more exposures and gains than these are left out.
    private static let most = 500

    private struct Key: Hashable {
        let exposure: Int64
        let gain: Int64?
        let lights: UInt32
    }

    private var means: [Key: ClosedRange<Int64>] = [:]
    /// How many frames were left out.
    private(set) var leftOut: Int64 = 0

    /// Takes a frame.
    mutating func add(_ entry: LedgerEntry) {
        guard let mean = entry.lumaMeanThousandths, let exposure = entry.row.applied.exposure
        else { return }
        let key = Key(
            exposure: exposure.nanoseconds, gain: entry.row.applied.gainMillionths,
            lights: entry.place.lights)
        guard means.count < Self.most || means[key] != nil else { return leftOut += 1 }
        means[key] = means[key].joined(mean...mean)
    }

    /// From the shortest exposure to the longest: nanoseconds, and the darkest and the brightest mean in thousandths of
    /// a code; empty where there is one exposure alone.
    var points: [(x: Int64, y: ClosedRange<Int64>)] {
        guard Set(means.keys.map(\.exposure)).count > 1 else { return [] }
        return means.map { ($0.key.exposure, $0.value) }.sorted {
            ($0.0, $0.1.lowerBound, $0.1.upperBound) < ($1.0, $1.1.lowerBound, $1.1.upperBound)
        }
    }
}
