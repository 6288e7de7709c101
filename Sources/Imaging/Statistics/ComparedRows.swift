/// Sums over the rows whose neighbours are compared.
struct ComparedRows<Lanes: SampleLanes> where Lanes.Sums == DifferenceSums {
    private let bytesPerRow: Int
    private let bytesPerSample: Int
    private let samples: PixelFormat.Samples
    /// From a sample to the next of its colour, in bytes.
    private let distance: Int
    private let part: RowPart
    private let step: Int
    private var lanes = FilledLanes<Lanes>()
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
        part = RowPart(0..<max(0, bytesPerRow - distance))
    }

    /// Adds those of some rows that are compared.
    @inline(__always)
    mutating func add(_ rows: Range<Int>, of frame: UnsafeRawBufferPointer) {
        let first = (rows.lowerBound + step - 1) / step * step
        for row in stride(from: first, to: rows.upperBound, by: step) {
            part.add(
                of: frame, at: row * bytesPerRow, rowStep: 0, rows: 1,
                against: .neighbour(distance: distance), fetching: nil, to: &lanes)
            rowCount += 1
        }
    }

    /// Gives the sums away.
    mutating func finish(_ statistics: inout FrameStatistics) {
        let sums = lanes.take()
        let differences = max(0, bytesPerRow - distance) / bytesPerSample * rowCount
        switch samples {
        case .mono, .bayer, .rgb:
            statistics.differenceSquares = sums.even + sums.odd
            statistics.differenceCount = UInt64(differences)
        case .yuv422(let lumaFirst):
            statistics.differenceSquares = lumaFirst ? sums.even : sums.odd
            statistics.differenceCount = UInt64(differences / 2)
        }
    }
}
