/// Sums over one row of cells, while its rows of samples are added.
struct CellRow {
    let bytesPerRow: Int
    private let width: Int
    private let samples: PixelFormat.Samples
    private let addend: RowPart.Addend
    /// From one row that is added to the next one: of Bayer, even and odd rows are summed apart.
    private let rowStep: Int
    /// How many sums of a cell are kept apart: of Bayer, of even and of odd rows; of RGB, of first, second and third
    /// vectors.
    private let apart: Int
    /// ``FrameStatistics/columns`` for each of the up to three that are summed apart.
    ///
    /// Used by its span: the array's own subscript copies all of it for each element.
    private var parts = InlineArray<24, RowPart>(repeating: RowPart())
    /// Whether there was a sample that the sums were not made for; they are worth nothing then.
    private(set) var isExceeded = false

    init(_ format: PixelFormat, width: Int, _ addend: RowPart.Addend) {
        self.width = width
        self.addend = addend
        samples = format.samples
        let bytesPerPixel = format.channels * format.bytesPerSample
        bytesPerRow = width * bytesPerPixel
        let vectorsApart: Int
        switch samples {
        case .mono, .yuv422: (rowStep, vectorsApart) = (1, 1)
        case .bayer: (rowStep, vectorsApart) = (2, 1)
        case .rgb: (rowStep, vectorsApart) = (1, 3)
        }
        let apart = rowStep * vectorsApart
        self.apart = apart
        var parts = parts.mutableSpan
        for index in 0..<apart * FrameStatistics.columns {
            let range = FrameStatistics.range(index % FrameStatistics.columns, of: width)
            let skipped =
                vectorsApart == 1 ? 0 : index / FrameStatistics.columns * RowPart.vector
            let end = range.upperBound * bytesPerPixel
            parts[index] = RowPart(
                min(range.lowerBound * bytesPerPixel + skipped, end)..<end,
                step: vectorsApart * RowPart.vector, other: Int(format.maximum))
        }
    }

    /// Adds rows, of which the first is an even one.
    mutating func add(_ rows: Range<Int>, of frame: UnsafeRawBufferPointer) {
        let (bytesPerRow, rowStep, addend, apart) = (bytesPerRow, rowStep, addend, apart)
        var parts = parts.mutableSpan
        for part in 0..<apart {
            let parity = rowStep == 1 ? 0 : part
            let start = rows.lowerBound + parity
            let count = (rows.upperBound - start + rowStep - 1) / rowStep
            let ahead = rows.upperBound * bytesPerRow + parity * count * bytesPerRow
            for column in 0..<FrameStatistics.columns {
                parts[part * FrameStatistics.columns + column].add(
                    addend, of: frame, at: start * bytesPerRow, rowStep: rowStep * bytesPerRow,
                    rows: count, fetching: ahead)
            }
        }
    }

    /// Gives the sums away and begins again.
    ///
    /// - Parameters:
    ///   - rows: all that were added.
    ///   - cellRow: which row of cells they are.
    mutating func finish(_ rows: Range<Int>, _ cellRow: Int, _ statistics: inout FrameStatistics) {
        for column in 0..<FrameStatistics.columns {
            let width = FrameStatistics.range(column, of: width).count
            if width == 0 { continue }
            var cell = FrameStatistics.Cell()
            for index in 0..<apart {
                add(index, column, width, rows.count, to: &cell, &statistics)
            }
            var cells = statistics.cells.mutableSpan
            cells[cellRow * FrameStatistics.columns + column] = cell
        }
    }

    private mutating func add(
        _ index: Int, _ column: Int, _ width: Int, _ height: Int,
        to cell: inout FrameStatistics.Cell, _ statistics: inout FrameStatistics
    ) {
        let place = index * FrameStatistics.columns + column
        let samples = samples
        var parts = parts.mutableSpan
        if case .rgb = samples {
            statistics.channels[index].add(0, width * height)
            // Vectors of 32 bytes begin with another colour each.
            for byte in 0..<3 {
                let colour = (index * RowPart.vector + byte) % 3
                statistics.channels[colour].add(parts[place].sum(of: byte, every: 3), 0)
            }
        }
        let totals = parts[place].take()
        if totals.isExceeded { isExceeded = true }
        let (evens, odds) = ((width + 1) / 2, width / 2)
        switch samples {
        case .mono, .rgb:
            cell.add(
                totals.even + totals.odd, width * height, saturated: totals.hits.0 + totals.hits.1)
        case .bayer(let pattern):
            let height = (height + 1 - index) / 2
            cell.add(
                totals.even + totals.odd, width * height, saturated: totals.hits.0 + totals.hits.1)
            let (even, odd) = (
                pattern.channel(row: index, column: 0), pattern.channel(row: index, column: 1)
            )
            statistics.channels[even].add(totals.even, evens * height)
            statistics.channels[odd].add(totals.odd, odds * height)
        case .yuv422(let lumaFirst):
            let (sums, hits) = (totals.quarters, totals.hits)
            let luma = lumaFirst ? totals.even : totals.odd
            cell.add(luma, width * height, saturated: lumaFirst ? hits.0 : hits.1)
            statistics.channels[0].add(luma, width * height)
            statistics.channels[1].add(lumaFirst ? sums.1 : sums.0, evens * height)
            statistics.channels[2].add(lumaFirst ? sums.3 : sums.2, odds * height)
        }
    }
}

extension FrameStatistics.Cell {
    fileprivate mutating func add(_ sum: UInt64, _ count: Int, saturated: UInt64) {
        self.sum += sum
        self.count += UInt32(count)
        saturatedCount += UInt32(saturated)
    }
}

extension FrameStatistics.Channel {
    fileprivate mutating func add(_ sum: UInt64, _ count: Int) {
        self.sum += sum
        self.count += UInt64(count)
    }
}

extension BayerPattern {
    /// 0, 1 or 2 for red, green or blue in a row's even or odd columns.
    fileprivate func channel(row: Int, column: Int) -> Int {
        guard beginsWithColour(row: row) == (column & 1 == 0) else { return 1 }
        return hasRed(row: row) ? 0 : 2
    }
}
