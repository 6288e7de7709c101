internal import Imaging

/// Smaller and smaller pictures of a plane: each pixel is the mean of two by two of the level before.
///
/// An odd last row or column is left out.
enum Pyramid {
    /// A level is no larger than this across or down before no more are made.
    private static let least = 256

    /// The sizes of all levels, the whole one first.
    static func sizes(of size: FrameSize) -> [FrameSize] {
        var sizes = [size]
        while let last = sizes.last, max(last.width, last.height) > least,
            let half = FrameSize(width: last.width / 2, height: last.height / 2)
        {
            sizes.append(half)
        }
        return sizes
    }

    /// The next level of samples of a plane, little-endian.
    static func halved(_ samples: [UInt8], _ size: FrameSize, bytesPerSample: Int) -> [UInt8] {
        bytesPerSample == 1
            ? halved(samples, size, as: UInt8.self) : halved(samples, size, as: UInt16.self)
    }

    private static func halved<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ samples: [UInt8], _ size: FrameSize, as type: Sample.Type
    ) -> [UInt8] {
        let (width, height) = (size.width / 2, size.height / 2)
        let step = MemoryLayout<Sample>.size
        let count = width * height * step
        return samples.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                let result = UnsafeMutableRawBufferPointer(buffer)
                func sample(_ row: Int, _ column: Int) -> UInt32 {
                    let offset = (row * size.width + column) * step
                    return UInt32(
                        Sample(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type)))
                }
                for row in 0..<height {
                    for column in 0..<width {
                        let sum =
                            sample(2 * row, 2 * column) + sample(2 * row, 2 * column + 1)
                            + sample(2 * row + 1, 2 * column)
                            + sample(2 * row + 1, 2 * column + 1)
                        let mean = Sample(truncatingIfNeeded: (sum + 2) / 4)
                        result.storeBytes(
                            of: mean.littleEndian, toByteOffset: (row * width + column) * step,
                            as: type)
                    }
                }
                initialized = count
            }
        }
    }
}
