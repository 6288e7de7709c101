internal import Timebase

/// What a sweep of single flashes shows: good enough to determine where the next flashes go.
struct RoughTiming {
    /// A rolling shutter: the first row's end after the timestamp, and the time to the last row's, in nanoseconds.
    struct Rolling {
        var firstEnd: Int64
        var readout: Int64
    }

    /// Which rows see the light, in the order of reading, which the sweep shows.
    let rows: LitRows
    /// Nil where bands do not move over the picture: a global shutter, or too little seen.
    let rolling: Rolling?
    /// Starts of flashes after the timestamp that all rows saw, and that none saw, in nanoseconds.
    private var lit: [Int64] = []
    private var dark: [Int64] = []

    /// Reads a sweep of single flashes.
    ///
    /// - Parameter sweep: a stage that has run, one flash in each programme.
    /// - Throws: ``CalibrationError`` where too few rows see the light.
    init(_ sweep: FlashStage) throws(CalibrationError) {
        var rows = try LitRows(sweep.samples, dark: sweep.dark)
        if Self.runsBackwards(sweep.samples, rows) {
            rows = try LitRows(sweep.samples, dark: sweep.dark, isFlipped: true)
        }
        self.rows = rows
        let edges = sweep.samples.enumerated().flatMap { rows.edges($0.element, frame: $0.offset) }
        rolling = Self.rolling(edges, rows: rows.rowCount)
        note(sweep.samples)
    }

    /// Takes note of what frames saw of single flashes.
    mutating func note(_ samples: [FlashSample]) {
        for sample in samples {
            let start = (sample.flashes[0].onLatest - sample.timestamp).nanoseconds
            let bands = rows.bands(sample)
            if bands == [0...rows.known.count - 1] { lit.append(start) }
            if bands.isEmpty { dark.append(start) }
        }
    }

    /// Whether later flashes light rows further up.
    private static func runsBackwards(_ samples: [FlashSample], _ rows: LitRows) -> Bool {
        let middles = samples.compactMap { sample -> (time: Int64, row: Int64)? in
            let bands = rows.bands(sample)
            guard bands.count == 1, bands[0].count < rows.known.count else { return nil }
            let time = (sample.flashes[0].onLatest - sample.timestamp).nanoseconds
            return (time, Int64(bands[0].lowerBound + bands[0].upperBound))
        }
        var agreement = 0
        for (index, one) in middles.enumerated() {
            for two in middles.dropFirst(index + 1) where one.row != two.row {
                agreement += (one.time < two.time) == (one.row < two.row) ? 1 : -1
            }
        }
        return agreement < 0
    }

    /// The first row's end and the readout, from the ends of exposures in the highest and the lowest row that showed
    /// one.
    ///
    /// - Returns: nil with fewer than four ends, or ends within a quarter of the rows.
    private static func rolling(_ edges: [RowEdge], rows: Int) -> Rolling? {
        let ends = edges.filter { $0.moment == .end }
        guard ends.count >= 4, let first = ends.min(by: { $0.rowAbove < $1.rowAbove }),
            let last = ends.max(by: { $0.rowAbove < $1.rowAbove }),
            (last.rowAbove - first.rowAbove) * 4 > Int64(rows), last.least > first.least
        else { return nil }
        let readout =
            (last.least - first.least) * Int64(rows - 1) / (last.rowAbove - first.rowAbove)
        return Rolling(
            firstEnd: first.least - first.rowAbove * readout / Int64(rows - 1), readout: readout)
    }

    /// Flashes across the end and the start of a global exposure, and the longer time from one to the next of them.
    ///
    /// - Parameters:
    ///   - count: at each of the two ends.
    ///   - pulse: how long a flash is; the stretches go as far beyond what is known.
    /// - Throws: ``CalibrationError`` where no frame saw a flash whole.
    func acrossEnds(
        _ count: Int, pulse: Interval
    ) throws(CalibrationError) -> (flashes: [[Interval]], step: Interval) {
        guard let first = lit.min(), let last = lit.max() else {
            throw CalibrationError(
                "no frame saw a flash whole: expose longer than a flash lasts (--pulse)")
        }
        let before = dark.filter { $0 < first }.max() ?? first - pulse.nanoseconds * 4
        let after = dark.filter { $0 > last }.min() ?? last + pulse.nanoseconds * 4
        let steps = Int64(count)
        func spread(_ from: Int64, _ to: Int64) -> [[Interval]] {
            let (low, high) = (from - pulse.nanoseconds, to + pulse.nanoseconds)
            return (0..<steps).map { [Interval(nanoseconds: low + (high - low) * $0 / steps)] }
        }
        let widest = max(first - before, after - last) + pulse.nanoseconds * 2
        return (
            spread(before, first) + spread(last, after), Interval(nanoseconds: widest / steps)
        )
    }

    /// The edges of frames all of whose rows saw a part of a flash.
    func partialEdges(_ samples: [FlashSample]) -> [RowEdge] {
        guard let first = lit.min(), let last = lit.max() else { return [] }
        let middle = (first + last) / 2
        return samples.enumerated().compactMap { index, sample in
            guard rows.isPartial(sample), let flash = sample.flashes.first else { return nil }
            let least = (flash.onEarliest - sample.timestamp).nanoseconds
            let most = (flash.offLatest - sample.timestamp).nanoseconds
            return RowEdge(
                moment: least > middle ? .end : .start, frame: index, flash: 0, least: least,
                most: most, rowAbove: 0, rowBelow: 0)
        }
    }
}

extension RoughTiming.Rolling {
    /// Pairs of flashes in one frame: one at 3 to 15 % of the readout, one at 80 to 95 %.
    ///
    /// - Parameters:
    ///   - count: how many, 16 at least.
    ///   - exposure: nil where the camera has no such control; counts as none.
    /// - Throws: ``CalibrationError`` where the two could light one band.
    func pairs(
        _ count: Int, exposure: Interval?, pulse: Interval
    ) throws(CalibrationError) -> [[Interval]] {
        let apart = readout * 65 / 100
        let needed = (exposure?.nanoseconds ?? 0) + pulse.nanoseconds * 2
        guard apart > needed else {
            throw CalibrationError(
                "the readout of about \(Interval(nanoseconds: readout)) is too short for two flashes in one"
                    + " frame with an exposure of \(exposure ?? .zero): use a shorter --pulse")
        }
        let steps = Int64(max(16, count))
        return (0..<steps).map { step in
            // Two counts without a common factor, so that the pairs differ.
            let early = firstEnd + readout * (30 + 120 * step / steps) / 1_000
            let late = firstEnd + readout * (800 + 150 * (step * 7 % steps) / steps) / 1_000
            return [Interval(nanoseconds: early), Interval(nanoseconds: late)]
        }
    }
}
