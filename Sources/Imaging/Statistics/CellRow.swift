/// Sums over one row of cells, while its rows of samples are added.
struct CellRow<Lanes: SampleLanes> where Lanes.Sums == SampleSums {
    let bytesPerRow: Int
    private let width: Int
    private let samples: PixelFormat.Samples
    /// The largest code, in all lanes.
    private let full: SIMD16<UInt8>
    /// From one row that is added to the next one: of Bayer, even and odd rows are summed apart.
    private let rowStep: Int
    /// From one vector to the next: of RGB, first, second and third ones are summed apart.
    private let vectorStep: Int
    /// ``FrameStatistics/columns`` for each of the up to three that are summed apart.
    ///
    /// Used by its span: the array's own subscript copies all of it for each element.
    private var columns = InlineArray<24, Column>(repeating: Column())
    /// Whether there was a sample that the lanes were not made for; all sums are worth nothing then.
    private(set) var isExceeded = false

    /// A part of each row, and its sums.
    private struct Column: BitwiseCopyable {
        var part = RowPart()
        var lanes = FilledLanes<Lanes>()

        @inline(__always)
        mutating func add(
            of frame: UnsafeRawBufferPointer, at offset: Int, rowStep: Int, rows: Int,
            against full: SIMD16<UInt8>, fetching ahead: Int
        ) {
            part.add(
                of: frame, at: offset, rowStep: rowStep, rows: rows, against: .code(full),
                fetching: ahead, to: &lanes)
        }
    }

    init(_ format: PixelFormat, width: Int) {
        self.width = width
        samples = format.samples
        let bytesPerPixel = format.channels * format.bytesPerSample
        bytesPerRow = width * bytesPerPixel
        let code = UInt16(format.maximum)
        full =
            format.bytesPerSample == 1
            ? SIMD16(repeating: UInt8(truncatingIfNeeded: code))
            : unsafeBitCast(SIMD8(repeating: code), to: SIMD16<UInt8>.self)
        switch samples {
        case .mono, .yuv422: (rowStep, vectorStep) = (1, 16)
        case .bayer: (rowStep, vectorStep) = (2, 16)
        case .rgb: (rowStep, vectorStep) = (1, 48)
        }
        for index in 0..<apart * FrameStatistics.columns {
            let range = FrameStatistics.range(index % FrameStatistics.columns, of: width)
            let skipped = vectorStep == 16 ? 0 : index / FrameStatistics.columns * 16
            let end = range.upperBound * bytesPerPixel
            columns[index].part = RowPart(
                min(range.lowerBound * bytesPerPixel + skipped, end)..<end, step: vectorStep)
        }
    }

    /// How many sums of a cell are kept apart.
    private var apart: Int { rowStep * vectorStep / 16 }

    /// Adds rows, of which the first is an even one.
    @inline(__always)
    mutating func add(_ rows: Range<Int>, of frame: UnsafeRawBufferPointer) {
        let (apart, bytesPerRow, rowStep, full) = (apart, bytesPerRow, rowStep, full)
        var columns = columns.mutableSpan
        for part in 0..<apart {
            let parity = rowStep == 1 ? 0 : part
            let start = rows.lowerBound + parity
            let count = (rows.upperBound - start + rowStep - 1) / rowStep
            let ahead = rows.upperBound * bytesPerRow + parity * count * bytesPerRow
            for column in 0..<FrameStatistics.columns {
                columns[part * FrameStatistics.columns + column].add(
                    of: frame, at: start * bytesPerRow, rowStep: rowStep * bytesPerRow,
                    rows: count, against: full, fetching: ahead)
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
            for part in 0..<apart {
                var columns = columns.mutableSpan
                let sums = columns[part * FrameStatistics.columns + column].lanes.take()
                if sums.isExceeded { isExceeded = true }
                add(sums, part, width, rows.count, to: &cell, &statistics)
            }
            var cells = statistics.cells.mutableSpan
            cells[cellRow * FrameStatistics.columns + column] = cell
        }
    }

    private func add(
        _ sums: SampleSums, _ part: Int, _ width: Int, _ height: Int,
        to cell: inout FrameStatistics.Cell, _ statistics: inout FrameStatistics
    ) {
        let (evens, odds) = ((width + 1) / 2, width / 2)
        switch samples {
        case .mono:
            cell.add(sums.even + sums.odd, width * height, saturated: sums.hits)
        case .bayer(let pattern):
            let height = (height + 1 - part) / 2
            cell.add(sums.even + sums.odd, width * height, saturated: sums.hits)
            let (even, odd) = (
                pattern.channel(row: part, column: 0), pattern.channel(row: part, column: 1)
            )
            statistics.channels[even].add(sums.even, evens * height)
            statistics.channels[odd].add(sums.odd, odds * height)
        case .yuv422(let lumaFirst):
            let luma = lumaFirst ? sums.even : sums.odd
            cell.add(
                luma, width * height,
                saturated: lumaFirst ? sums.evenHits.total : sums.oddHits.total)
            statistics.channels[0].add(luma, width * height)
            let (blue, red) =
                lumaFirst
                ? (sums.quarters.1, sums.quarters.3) : (sums.quarters.0, sums.quarters.2)
            statistics.channels[1].add(blue.total, evens * height)
            statistics.channels[2].add(red.total, odds * height)
        case .rgb:
            cell.add(sums.even + sums.odd, width * height, saturated: sums.hits)
            statistics.channels[part].add(0, width * height)
            // The first byte of a first vector is red, of a second one green, of a third one blue.
            for byte in 0..<16 {
                statistics.channels[(part + byte) % 3].add(sums.sum(ofByte: byte), 0)
            }
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
