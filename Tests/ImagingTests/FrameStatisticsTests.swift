import Imaging
import Testing

struct FrameStatisticsTests {
    @Test(arguments: PixelFormat.known)
    func `sums equal those of a naive count, for every format and many lengths`(
        format: PixelFormat
    ) {
        var random = Random(state: 0xBEEF)
        for pixels in [0, 1, 2, 7, 8, 9, 63, 64, 1_000, 2_111, 17_000] {
            let samples = (0..<pixels * format.channels).map { _ in
                // A quarter at the top, so that saturation is counted.
                Bool.random(using: &random) && Bool.random(using: &random)
                    ? format.maximum : Int.random(in: 0...format.maximum, using: &random)
            }
            check(samples, format)
        }
    }

    @Test(arguments: ["GREY", "Y16", "YUYV", "UYVY", "RGB24"])
    func `a frame that is white all over overflows no lane`(name: String) throws {
        let format = try #require(PixelFormat.named(name))
        check(Array(repeating: format.maximum, count: 300_000 * format.channels), format)
    }

    private func check(_ samples: [Int], _ format: PixelFormat) {
        var bytes: [UInt8] = []
        for sample in samples {
            bytes.append(UInt8(sample % 256))
            if format.bytesPerSample == 2 { bytes.append(UInt8(sample / 256)) }
        }
        let statistics = bytes.withUnsafeBytes { FrameStatistics(of: $0, format: format) }
        let luminance: [Int] =
            switch format.samples {
            case .mono, .bayer, .rgb: samples
            case .yuv422(let lumaFirst):
                samples.enumerated().filter { ($0.offset % 2 == 0) == lumaFirst }.map(\.element)
            }
        #expect(statistics.count == UInt64(luminance.count))
        #expect(statistics.sum == UInt64(luminance.reduce(0, +)))
        #expect(
            statistics.saturatedCount
                == UInt64(luminance.filter { $0 == format.maximum }.count))
    }
}
