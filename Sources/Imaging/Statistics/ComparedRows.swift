/// Sums over the rows whose neighbours are compared.
struct ComparedRows {
    private let bytesPerRow: Int
    private let bytesPerSample: Int
    private let samples: PixelFormat.Samples
    /// From a sample to the next of its colour, in bytes.
    private let distance: Int
    private let step: Int
    private var part: RowPart
    private var rowCount = 0

    init(_ format: PixelFormat, _ size: FrameSize) {
        step = FrameStatistics.comparedRowStep(height: size.height)
        bytesPerSample = format.bytesPerSample
        samples = format.samples
        let bytesPerPixel = format.channels * format.bytesPerSample
        bytesPerRow = size.width * bytesPerPixel
        if case .bayer = format.samples {
            distance = 2 * bytesPerPixel
        } else {
            distance = bytesPerPixel
        }
        part = RowPart(0..<max(0, bytesPerRow - distance), other: distance)
    }

    /// Adds those of some rows that are compared.
    mutating func add(_ rows: Range<Int>, of frame: UnsafeRawBufferPointer) {
        let first = (rows.lowerBound + step - 1) / step * step
        for row in stride(from: first, to: rows.upperBound, by: step) {
            part.add(
                bytesPerSample == 1 ? .byteDifferences : .wordDifferences,
                of: frame, at: row * bytesPerRow, rowStep: 0, rows: 1, fetching: nil)
            rowCount += 1
        }
    }

    /// Gives the sums away.
    mutating func finish(_ statistics: inout FrameStatistics) {
        let totals = part.take()
        let differences = max(0, bytesPerRow - distance) / bytesPerSample * rowCount
        switch samples {
        case .mono, .bayer, .rgb:
            statistics.differenceSquares = totals.even + totals.odd
            statistics.differenceCount = UInt64(differences)
        case .yuv422(let lumaFirst):
            statistics.differenceSquares = lumaFirst ? totals.even : totals.odd
            statistics.differenceCount = UInt64(differences / 2)
        }
    }
}
