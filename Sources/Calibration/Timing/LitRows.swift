internal import Timebase

/// Which rows of the frames saw flashes, and where lit bands begin and end.
struct LitRows {
    /// Rows that see the light at all, in the order in which they are read.
    let known: [Int]
    /// How many rows a frame has.
    let rowCount: Int
    /// Whether the image is read from its last row.
    let isFlipped: Bool
    private let thresholds: [Int64]

    /// - Throws: ``CalibrationError`` where too few rows see the light.
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
        thresholds = most.map { $0 / 2 }
        guard known.count * 4 >= rowCount, rowCount > 0 else {
            throw CalibrationError(
                "no light: \(known.count) of \(rowCount) rows saw the flashes; point the camera at the"
                    + " light, check which line drives it, darken the room, or flash longer (--pulse)"
            )
        }
    }

    /// The place of a row in the order of reading.
    private func place(_ row: Int) -> Int64 { Int64(isFlipped ? rowCount - 1 - row : row) }

    private func isLit(_ row: Int, _ sample: FlashSample) -> Bool {
        sample.rises[row] > thresholds[row]
    }

    /// The lit bands of a frame, as ranges of ``known``.
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
        known.allSatisfy {
            let most = thresholds[$0] * 2
            return sample.rises[$0] > most / 8 && sample.rises[$0] < most - most / 8
        }
    }

    /// The edges of a frame whose lit bands are its flashes, in order; none where they are not.
    func edges(_ sample: FlashSample, frame: Int) -> [RowEdge] {
        let bands = bands(sample)
        guard bands.count == sample.flashes.count else { return [] }
        var edges: [RowEdge] = []
        for (index, (band, flash)) in zip(bands, sample.flashes).enumerated() {
            let least = (flash.onEarliest - sample.stamp).nanoseconds
            let most = (flash.offLatest - sample.stamp).nanoseconds
            if band.lowerBound > 0 {
                edges.append(
                    RowEdge(
                        moment: .end, frame: frame, flash: index, least: least, most: most,
                        rowAbove: place(known[band.lowerBound]),
                        rowBelow: place(known[band.lowerBound - 1])))
            }
            if band.upperBound < known.count - 1 {
                edges.append(
                    RowEdge(
                        moment: .start, frame: frame, flash: index, least: least, most: most,
                        rowAbove: place(known[band.upperBound + 1]),
                        rowBelow: place(known[band.upperBound])))
            }
        }
        return edges
    }
}
