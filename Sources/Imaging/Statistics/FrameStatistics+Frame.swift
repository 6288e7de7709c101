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
        let differences = WordDifferenceLanes.self
        if format.bytesPerSample == 1 {
            measure(frame, format, size, ByteLanes.self, ByteDifferenceLanes.self, reader)
        } else if format.bitsPerSample > ShortWordLanes.bits {
            measure(frame, format, size, WordLanes.self, differences, reader)
        } else if !measure(frame, format, size, ShortWordLanes.self, differences, reader) {
            // Samples beyond the largest code, as a broken driver may make them, count as what they are.
            self.init()
            measure(frame, format, size, WordLanes.self, differences) { _ in }
        }
    }

    /// Adds a whole frame.
    ///
    /// - Returns: false if it has a sample that the lanes were not made for; the sums are worth nothing then.
    @discardableResult
    private mutating func measure<Lanes: SampleLanes, Differences: SampleLanes>(
        _ frame: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: FrameSize,
        _: Lanes.Type, _: Differences.Type, _ reader: (UnsafeRawBufferPointer) -> Void
    ) -> Bool where Lanes.Sums == SampleSums, Differences.Sums == DifferenceSums {
        var cells = CellRow<Lanes>(format, width: size.width)
        var compared = ComparedRows<Differences>(format, size)
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
