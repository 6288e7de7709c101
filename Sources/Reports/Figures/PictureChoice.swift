internal import Records

/// Which frames a report shows: the first one of each step with each of its settings and lights, and some more where
/// these are few.
///
/// Of a run of any length no more than some hundreds are kept.
struct PictureChoice {
    /// Pictures of a report at most.
    static let most = 24
    /// Where first frames are fewer, frames from all over the run make up for it.
    private static let fewest = 8
    /// First frames that are kept to choose from.
    private static let mostFirst = 480

    /// What makes a frame the first of its kind.
    private struct Kind: Hashable {
        let step, settings: Int32
        let lights: UInt32
    }

    private var kinds: Set<Kind> = []
    private var firsts: [LedgerEntry] = []
    /// Every so many frames one is kept; twice as many from the moment on that there are too many.
    private var stride: Int64 = 1
    private var spread: [LedgerEntry] = []
    private var frames: Int64 = 0
    private var last: LedgerEntry?

    /// Takes a row, in the order of slots; holes have no picture.
    mutating func add(_ entry: LedgerEntry) {
        guard entry.row.reason == nil else { return }
        let kind = Kind(
            step: entry.row.step, settings: entry.row.settings, lights: entry.place.lights)
        if firsts.count < Self.mostFirst, kinds.insert(kind).inserted { firsts.append(entry) }
        if frames % stride == 0 {
            spread.append(entry)
            if spread.count > 2 * Self.fewest {
                spread = spread.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                stride *= 2
            }
        }
        frames += 1
        last = entry
    }

    /// The frames that are shown, in the order of slots.
    var chosen: [LedgerEntry] {
        var chosen = Self.thinned(firsts, to: Self.most)
        if chosen.count < Self.fewest {
            chosen += Self.thinned(
                spread + [last].compactMap { $0 }, to: Self.fewest)
        }
        var slots: Set<Int64> = []
        return chosen.filter { slots.insert($0.row.slot).inserted }
            .sorted { $0.row.slot < $1.row.slot }
    }

    /// So many of a list, evenly spread, the first and the last among them.
    private static func thinned(_ entries: [LedgerEntry], to count: Int) -> [LedgerEntry] {
        guard entries.count > count else { return entries }
        return (0..<count).map { entries[$0 * (entries.count - 1) / (count - 1)] }
    }
}
