import Imaging
import LiveControl

/// A frame in the record's layout, painted pixel by pixel.
struct PaintedFrame {
    let format: PixelFormat
    let size: FrameSize
    private let bytes: [UInt8]

    /// Paints a Bayer or grey frame of 12 bits; nil for other formats.
    ///
    /// - Parameter code: the code at column and row.
    init?(_ format: String, _ width: Int = 64, _ height: Int = 48, code: (Int, Int) -> Int) {
        guard let pixels = PixelFormat.named(format), pixels.bytesPerSample == 2,
            pixels.channels == 1, let size = FrameSize(width: width, height: height)
        else { return nil }
        self.format = pixels
        self.size = size
        bytes = (0..<width * height).flatMap { place in
            let code = min(max(code(place % width, place / width), 0), pixels.maximum)
            return [UInt8(code & 0xff), UInt8(code >> 8)]
        }
    }

    /// Measures it for a region.
    func read(
        _ region: MeteringRegion = MeteringRegion(), subjects: FrameMeter.Subjects = .all
    ) -> FrameReading {
        let meter = region.meter(format: format, size: size, subjects: subjects)
        return bytes.withUnsafeBytes { meter.read($0) }
    }
}
