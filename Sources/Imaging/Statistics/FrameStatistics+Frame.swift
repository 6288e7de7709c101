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
            measure(frame, format, size, .bytes, reader)
        } else if format.bitsPerSample > RowPart.shortBits {
            measure(frame, format, size, .words, reader)
        } else if !measure(frame, format, size, .shortWords, reader) {
            // Samples beyond the largest code, as a broken driver may make them, count as what they are.
            self.init()
            measure(frame, format, size, .words) { _ in }
        }
    }

    /// Adds a whole frame.
    ///
    /// - Returns: false if it has a sample that the sums were not made for; they are worth nothing then.
    @discardableResult
    private mutating func measure(
        _ frame: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: FrameSize,
        _ addend: RowPart.Addend, _ reader: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var cells = CellRow(format, width: size.width, addend)
        var compared = ComparedRows(format, size)
        let bytesPerRow = cells.bytesPerRow
        // Even, so that each piece begins where a Bayer pattern does.
        let rowsAtOnce = max(2, Self.pieceBytes / bytesPerRow / 16 * 16)
        for cellRow in 0..<Self.rows {
            let rows = Self.range(cellRow, of: size.height)
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
        return !cells.isExceeded
    }
}
