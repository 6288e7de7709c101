public import Timebase

/// In which form a sensor says what its frames were exposed with.
public enum EmbeddedDataFormat: String, Hashable, Sendable, CaseIterable {
    /// Its registers, tagged: ``EmbeddedData``.
    case smia
}

extension CameraProfile {
    /// Longer frames are counted in multiples of lines, and the registers do not say of how many.
    private static let longestCountedFrame: Int64 = 65_500

    /// The exposure that a sensor's registers stand for: the exposure control's codes are what they hold.
    ///
    /// - Returns: nil where they do not say it, and for frames so long that they can't.
    public func exposure(of data: EmbeddedData) -> Interval? {
        guard let lines = data.exposureLines, let exposure else { return nil }
        guard let timing else { return exposure.duration(ofCode: Int64(lines)) }
        guard timing.frameLines <= Self.longestCountedFrame else { return nil }
        guard let pixels = data.linePixels,
            let line = CodeDuration(
                linePixels: Int64(pixels), pixelRateHertz: timing.mode.pixelRateHertz)
        else { return exposure.duration(ofCode: Int64(lines)) }
        return line.duration(ofCodes: Int64(lines)) + exposure.offset
    }

    /// The gain, in millionths, that they stand for; nil where they do not say it.
    public func gainMillionths(of data: EmbeddedData) -> Int64? {
        data.gainCode.flatMap { gain?.gain(ofCode: Int64($0))?.millionths }
    }
}
