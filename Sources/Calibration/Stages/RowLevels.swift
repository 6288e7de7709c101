internal import Imaging

/// How bright each row of a frame is.
enum RowLevels {
    /// The mean of all luminance samples of each row, in thousandths of codes.
    ///
    /// Of 4:2:2 luma alone; the black level is not subtracted, since stages compare rows with themselves.
    ///
    /// - Parameter frame: exactly the frame's samples in the record's layout.
    /// - Returns: one number for each row, from the top.
    static func thousandths(_ frame: UnsafeRawBufferPointer, _ layout: FrameLayout) -> [Int64] {
        let bytes = layout.recordedByteCount / layout.size.height
        guard let size = FrameSize(width: layout.size.width, height: 1) else { return [] }
        return (0..<layout.size.height).map { row in
            let statistics = FrameStatistics(
                of: UnsafeRawBufferPointer(rebasing: frame[row * bytes..<(row + 1) * bytes]),
                format: layout.pixelFormat, size: size)
            return Int64(statistics.sum * 1_000 / max(1, statistics.count))
        }
    }
}
