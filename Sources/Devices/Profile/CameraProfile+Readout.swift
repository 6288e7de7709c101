public import Timebase

extension CameraProfile {
    /// How the rows of frames of a size are read out, as far as the profile knows.
    ///
    /// A sensor that is set to flip (`vertical_flip: 1` among what is pinned) reads the last row first.
    ///
    /// - Parameters:
    ///   - rows: rows of the frames.
    ///   - rate: what the camera promised; a readout of unknown length takes no longer than a frame.
    ///   - mode: the mode of a raw sensor.
    public func readout(rows: Int, rate: FrameRate?, mode: SensorMode? = nil) -> RowReadout {
        let isFlipped = isPinned(.verticalFlip)
        var readout = RowReadout(
            rows: Int64(max(1, rows)),
            embeddedLines: (sensor?.embeddedLines ?? 0) * (mode?.linesPerCount ?? 1),
            isBottomUp: isFlipped, duration: timestamps.readout,
            longest: (timing?.rate ?? rate)?.period, offset: timestamps.exposureEnd)
        readout.clockPerMillion = clockPerMillion
        return readout
    }

    /// How far exposures and rows that a raw sensor counts may be off, in parts per million; 0 for other cameras.
    public var clockPerMillion: Int64 { sensor == nil ? 0 : SensorClock.tolerancePerMillion }
}
