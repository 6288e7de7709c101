import Imaging

/// A frame in the record's layout, painted pixel by pixel.
struct SmallFrame {
    let format: PixelFormat
    let size: FrameSize
    var bytes: [UInt8]

    /// Paints samples in the order of the record.
    ///
    /// - Parameter sample: the code at column, row and channel.
    init?(
        _ format: String, _ width: Int, _ height: Int, sample: (Int, Int, Int) -> Int
    ) {
        guard let pixels = PixelFormat.named(format),
            let size = FrameSize(width: width, height: height)
        else { return nil }
        self.format = pixels
        self.size = size
        bytes = []
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<pixels.channels {
                    let code = sample(x, y, channel)
                    bytes.append(UInt8(code & 0xff))
                    if pixels.bytesPerSample == 2 { bytes.append(UInt8(code >> 8)) }
                }
            }
        }
    }

    func read(
        black: Int = 0, subjects: FrameMeter.Subjects = .all, point: FramePoint = .centre
    ) -> FrameReading {
        let meter = FrameMeter(
            format: format, size: size, blackLevel: black, focusPoint: point, subjects: subjects)
        return bytes.withUnsafeBytes { meter.read($0) }
    }
}
