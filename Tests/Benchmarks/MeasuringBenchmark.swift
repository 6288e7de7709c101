internal import Imaging
internal import Records

/// What is measured on every frame before it is written: its checksum and its statistics.
enum MeasuringBenchmark {
    /// Samples of one byte are as many bytes in rows twice as long.
    private static let (width, height) = (1920, 1080)
    private static let frameBytes = width * height * 2
    private static let repeats = 200

    static func figures() -> [Figure] {
        var frame = [UInt8](repeating: 0, count: frameBytes)
        var noise: UInt64 = 1
        for index in frame.indices {
            noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            frame[index] = UInt8(truncatingIfNeeded: noise >> 56)
        }
        var figures = [
            throughput(
                "CRC-32C", frame, note: CRC32C.isAccelerated ? "by instructions" : "by tables"
            ) {
                UInt64(CRC32C.checksum(of: $0))
            }
        ]
        for name in ["GREY", "YUYV", "SRGGB12"] {
            guard let format = PixelFormat.named(name),
                let size = FrameSize(
                    width: 2 * width / format.channels / format.bytesPerSample, height: height)
            else { continue }
            figures.append(
                throughput("frame statistics, \(name)", samples(frame, format)) {
                    FrameStatistics(of: $0, format: format, size: size).sum
                })
        }
        return figures
    }

    /// Noise of samples that the format can have.
    private static func samples(_ frame: [UInt8], _ format: PixelFormat) -> [UInt8] {
        guard format.bytesPerSample == 2 else { return frame }
        let high = UInt8(format.maximum >> 8)
        return frame.indices.map { $0 % 2 == 0 ? frame[$0] : frame[$0] & high }
    }

    private static func throughput(
        _ name: String, _ frame: [UInt8], note: String = "",
        _ work: (UnsafeRawBufferPointer) -> UInt64
    ) -> Figure {
        var total: UInt64 = 0
        let elapsed = ContinuousClock().measure {
            for _ in 0..<repeats { total &+= frame.withUnsafeBytes { work($0) } }
        }
        // Looked at, so that no compiler leaves the work out.
        precondition(total != 1, "sums of noise are not one")
        return Figure(
            name: name, value: Double(repeats * frameBytes) / elapsed.seconds / 1e6, unit: "MB/s",
            note: note)
    }
}
