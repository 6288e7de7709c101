public import Timebase

extension CameraProfile {
    /// How the rows of frames of a size are read out, as far as the profile knows.
    ///
    /// A sensor that is told to flip (`vertical_flip: 1` among what is pinned) reads the last row first.
    ///
    /// - Parameters:
    ///   - rows: rows of the frames.
    ///   - rate: what the camera promised; a readout of unknown length takes no longer than a frame.
    public func readout(rows: Int, rate: FrameRate?) -> RowReadout {
        let isFlipped = isPinned(.verticalFlip)
        return RowReadout(
            rows: Int64(max(1, rows)),
            embeddedLines: (sensor?.embeddedLines ?? 0) * (timing?.mode.linesPerCount ?? 1),
            isBottomUp: isFlipped, duration: timestamps.readout,
            longest: (timing?.rate ?? rate)?.period, offset: timestamps.exposureEnd)
    }
}
