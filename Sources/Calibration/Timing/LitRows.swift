internal import Timebase

/// Which rows of the frames saw flashes, and where lit bands begin and end.
///
/// What is certain is kept apart from what is likely: where a band begins is bounded by rows that surely saw some of a
/// flash and rows that surely missed some of it.
struct LitRows {
    /// Rows that see the light at all, in the order in which they are read.
    let known: [Int]
    /// How many rows a frame has.
    let rowCount: Int
    /// Whether the image is read from its last row.
    let isFlipped: Bool
    /// How much brighter each row became at the most.
    private let most: [Int64]
    /// How far rows lie apart without any flash.
    private let spread: Int64
    /// The longest of the flashes that made ``most`` can have lasted so long.
    private let longest: Interval

    /// Learns from all samples of a sweep which rows see the light, and how much at most.
    ///
    /// A row sees it if its brightest rise is at least half a code and four times the spread of the dark.
    ///
    /// - Parameter isFlipped: whether the last row is read first; then ``known`` runs from it.
    /// - Throws: ``CalibrationError`` where fewer than a quarter of the rows see the light.
    init(_ samples: [FlashSample], dark: DarkRows, isFlipped: Bool = false) throws(CalibrationError)
    {
        rowCount = dark.means.count
        self.isFlipped = isFlipped
        var most = Array(repeating: Int64(0), count: rowCount)
        for sample in samples {
            for (row, rise) in sample.rises.enumerated() where rise > most[row] { most[row] = rise }
        }
        let least = max(500, dark.spread * 4)
        let rows = isFlipped ? Array((0..<rowCount).reversed()) : Array(0..<rowCount)
        known = rows.filter { most[$0] >= least }
        self.most = most
        spread = dark.spread
        longest =
            samples.flatMap(\.flashes).map { $0.offLatest - $0.onEarliest }.max() ?? .zero
        guard known.count * 4 >= rowCount, rowCount > 0 else {
            throw CalibrationError(
                "no light: \(known.count) of \(rowCount) rows saw the flashes; point the camera at the"
                    + " light, check which line drives it, darken the room, or flash longer (--pulse)"
            )
        }
    }

    /// The place of a row in the order of reading.
    private func place(_ row: Int) -> Int64 { Int64(isFlipped ? rowCount - 1 - row : row) }

    /// Whether a row counts as lit: more than half of the most that it ever rose.
    private func isLit(_ row: Int, _ sample: FlashSample) -> Bool {
        sample.rises[row] > most[row] / 2
    }

    /// The margin between some of a flash and none of it, and between all of it and a part.
    private func margin(_ row: Int) -> Int64 { min(most[row] / 2, max(most[row] / 8, spread * 2)) }

    /// Whether a row saw some of a flash, for certain.
    private func sawSome(_ row: Int, _ sample: FlashSample) -> Bool {
        sample.rises[row] > margin(row)
    }

    /// Whether a row missed some of a flash, for certain.
    ///
    /// A flash may be shorter than those that made a row brightest. The code follows the light in proportion or, as
    /// with a gamma, rises more at first, so that all of a flash gives at least its share of the most.
    private func missedSome(_ row: Int, _ sample: FlashSample, _ flash: Flash) -> Bool {
        let lasted = max(0, (flash.offEarliest - flash.onLatest).nanoseconds)
        let whole = Int128(most[row]) * Int128(lasted) / Int128(max(1, longest.nanoseconds))
        return sample.rises[row] < Int64(min(whole, Int128(most[row]))) - margin(row)
    }

    /// The lit bands of a frame, as ranges of indices into ``known``; rows that see no light do not part them.
    func bands(_ sample: FlashSample) -> [ClosedRange<Int>] {
        var bands: [ClosedRange<Int>] = []
        for (index, row) in known.enumerated() where isLit(row, sample) {
            if let last = bands.last, last.upperBound == index - 1 {
                bands[bands.count - 1] = last.lowerBound...index
            } else {
                bands.append(index...index)
            }
        }
        return bands
    }

    /// Whether every row saw a part of a flash, none of them all or nothing.
    func isPartial(_ sample: FlashSample) -> Bool {
        guard let flash = sample.flashes.first else { return false }
        return known.allSatisfy { sawSome($0, sample) && missedSome($0, sample, flash) }
    }

    /// The edges of a frame whose lit bands are its flashes, in order; none where they are not.
    func edges(_ sample: FlashSample, frame: Int) -> [RowEdge] {
        let bands = bands(sample)
        guard bands.count == sample.flashes.count else { return [] }
        return zip(bands, sample.flashes).enumerated().flatMap { index, lit in
            let (band, flash) = lit
            let least = (flash.onEarliest - sample.timestamp).nanoseconds
            let most = (flash.offLatest - sample.timestamp).nanoseconds
            let borders = borders(band, flash, sample)
            return [(RowEdge.Moment.end, borders.end), (.start, borders.start)].compactMap {
                moment, border in
                border.map {
                    RowEdge(
                        moment: moment, frame: frame, flash: index, least: least, most: most,
                        rowAbove: place(known[$0.above]), rowBelow: place(known[$0.below]))
                }
            }
        }
    }

    /// Where a lit band begins and ends, as places in ``known``; nil where the band reaches the edge of the picture.
    ///
    /// At `above` the moment of the exposure is not before the flash, at `below` it is not after it; a row may be both.
    private func borders(
        _ band: ClosedRange<Int>, _ flash: Flash, _ sample: FlashSample
    ) -> (end: (above: Int, below: Int)?, start: (above: Int, below: Int)?) {
        func missed(_ index: Int) -> Bool { missedSome(known[index], sample, flash) }
        func saw(_ index: Int) -> Bool { sawSome(known[index], sample) }
        var first = (above: band.lowerBound, below: band.lowerBound - 1)
        var last = (above: band.upperBound + 1, below: band.upperBound)
        if band.contains(where: { !missed($0) }) {
            while missed(first.below + 1) { first.below += 1 }
            while missed(last.above - 1) { last.above -= 1 }
        }
        while first.above > 0, saw(first.above - 1), !isLit(known[first.above - 1], sample) {
            first.above -= 1
        }
        while last.below < known.count - 1, saw(last.below + 1),
            !isLit(known[last.below + 1], sample)
        {
            last.below += 1
        }
        return (
            band.lowerBound > 0 && missed(first.below) ? first : nil,
            band.upperBound < known.count - 1 && missed(last.above) ? last : nil
        )
    }
}
