extension FrameStatistics {
    /// Bytes that are measured at a time, about: a part of a second-level cache.
    private static let pieceBytes = 96 << 10

    /// Measures a frame in the record's layout (rows without padding, little-endian samples); allocates nothing.
    ///
    /// Piece by piece, each of whole rows. Who has to read the frame too does so alongside, and finds each piece in the
    /// processor's cache.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples.
    ///   - format: what the samples are.
    ///   - size: pixels and rows.
    ///   - reader: is given each piece once it is measured; all of them, one after the other, are the frame.
    public init(
        of frame: UnsafeRawBufferPointer, format: PixelFormat, size: FrameSize,
        alongside reader: (_ piece: UnsafeRawBufferPointer) -> Void = { _ in }
    ) {
        self.init()
        precondition(
            frame.count == size.width * size.height * format.channels * format.bytesPerSample,
            "a whole frame is measured")
        if format.bytesPerSample == 1 {
            var cells = CellRow<ByteLanes>(format, width: size.width)
            var compared = ComparedRows<ByteDifferenceLanes>(format, size)
            measure(frame, size.height, &cells, &compared, reader)
            return
        }
        guard format.bitsPerSample <= ShortWordLanes.bits else {
            measureWords(frame, format, size, reader)
            return
        }
        var cells = CellRow<ShortWordLanes>(format, width: size.width)
        var compared = ComparedRows<WordDifferenceLanes>(format, size)
        measure(frame, size.height, &cells, &compared, reader)
        if cells.isExceeded {
            // Samples beyond the largest code, as a broken driver may make them, count as what they are.
            self.init()
            measureWords(frame, format, size) { _ in }
        }
    }

    private mutating func measureWords(
        _ frame: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: FrameSize,
        _ reader: (UnsafeRawBufferPointer) -> Void
    ) {
        var cells = CellRow<WordLanes>(format, width: size.width)
        var compared = ComparedRows<WordDifferenceLanes>(format, size)
        measure(frame, size.height, &cells, &compared, reader)
    }

    private mutating func measure<Lanes: SampleLanes, Differences: SampleLanes>(
        _ frame: UnsafeRawBufferPointer, _ height: Int, _ cells: inout CellRow<Lanes>,
        _ compared: inout ComparedRows<Differences>, _ reader: (UnsafeRawBufferPointer) -> Void
    ) where Lanes.Sums == SampleSums, Differences.Sums == DifferenceSums {
        let bytesPerRow = cells.bytesPerRow
        // Even, so that each piece begins where a Bayer pattern does.
        let rowsAtOnce = max(2, Self.pieceBytes / bytesPerRow / 16 * 16)
        for cellRow in 0..<Self.rows {
            let rows = Self.range(cellRow, of: height)
            for first in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsAtOnce) {
                let piece = first..<min(first + rowsAtOnce, rows.upperBound)
                cells.add(piece, of: frame)
                compared.add(piece, of: frame)
                let bytes = piece.lowerBound * bytesPerRow..<piece.upperBound * bytesPerRow
                reader(UnsafeRawBufferPointer(rebasing: frame[bytes]))
            }
            if !rows.isEmpty { cells.finish(rows, cellRow, &self) }
        }
        compared.finish(&self)
    }
}
