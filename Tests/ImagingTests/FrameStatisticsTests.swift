import Imaging
import Testing

struct FrameStatisticsTests {
    static let sizes = [
        (1, 1), (2, 1), (1, 5), (2, 2), (3, 16), (16, 3), (15, 15), (17, 3), (16, 16), (33, 47),
        (64, 49),
        (127, 66), (333, 101), (1_456, 34), (6, 1_023),
        (5, 1_024), (6, 1_300), (4, 2_050),
    ]

    @Test(arguments: PixelFormat.known)
    func `everything equals a naive count, for every format and sides that divide badly`(
        format: PixelFormat
    ) throws {
        var random = Random(state: 0xBEEF)
        for (width, height) in Self.sizes {
            let size = try #require(FrameSize(width: width, height: height))
            let samples = (0..<width * height * format.channels).map { _ in
                // A quarter at the top, so that saturation is counted.
                Bool.random(using: &random) && Bool.random(using: &random)
                    ? format.maximum : Int.random(in: 0...format.maximum, using: &random)
            }
            check(samples, format, size)
        }
    }

    @Test(arguments: ["GREY", "SGBRG8", "Y16", "SBGGR12", "YUYV", "UYVY", "RGB24"])
    func `a frame of common size, longer than a piece, has the same sums`(name: String) throws {
        let format = try #require(PixelFormat.named(name))
        var random = Random(state: 0xFEED)
        let samples = (0..<640 * 480 * format.channels).map { _ in
            Int(truncatingIfNeeded: random.next() >> 20) & format.maximum
        }
        check(samples, format, try #require(FrameSize(width: 640, height: 480)))
    }

    @Test(
        arguments: ["GREY", "SRGGB12", "Y16", "SRGGB16", "YUYV", "UYVY", "RGB24"],
        [(65_535, 3), (700, 700)])
    func `a frame that is white all over overflows no lane`(name: String, side: (Int, Int)) throws {
        let format = try #require(PixelFormat.named(name))
        let count = side.0 * side.1 * format.channels
        check(
            Array(repeating: format.maximum, count: count), format,
            try #require(FrameSize(width: side.0, height: side.1)))
    }

    @Test(arguments: ["GREY", "Y16", "SRGGB16", "YUYV", "UYVY", "RGB24"])
    func `the sharpest of all patterns overflows no lane`(name: String) throws {
        let format = try #require(PixelFormat.named(name))
        let (width, height) = (65_535, 2)
        let period = format.samples == .rgb ? 3 : format.samples == .mono ? 1 : 2
        let samples = (0..<width * height * format.channels).map {
            $0 / period % 2 == 0 ? 0 : format.maximum
        }
        check(samples, format, try #require(FrameSize(width: width, height: height)))
    }

    @Test(arguments: 1...200)
    func `cells cover each pixel once, begin at even ones and are about equal`(side: Int) {
        let ranges = (0..<8).map { FrameStatistics.range($0, of: side) }
        #expect(ranges.flatMap(Array.init) == Array(0..<side))
        #expect(ranges.allSatisfy { $0.lowerBound % 2 == 0 })
        if side >= 16 { #expect(ranges.allSatisfy { $0.count >= 2 }) }
        let counts = ranges.map { $0.count / 2 }
        #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
    }

    @Test(arguments: ["Y10", "SRGGB12", "SBGGR10"], [0, 70_000, 153_599])
    func `samples beyond the largest code count as what they are`(name: String, place: Int) throws {
        let format = try #require(PixelFormat.named(name))
        var samples = Array(repeating: format.maximum, count: 480 * 320)
        samples[place] = 0xFFFF
        let size = try #require(FrameSize(width: 480, height: 320))
        check(samples, format, size)
        var pieces = 0
        samples.map { UInt16($0) }.withUnsafeBytes { frame in
            _ = FrameStatistics(of: frame, format: format, size: size) { pieces += $0.count }
        }
        #expect(pieces == 2 * samples.count)
    }

    @Test func `who reads alongside is given the whole frame, in order`() throws {
        let format = try #require(PixelFormat.named("SRGGB12"))
        let size = try #require(FrameSize(width: 1_000, height: 333))
        let bytes = (0..<666_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) & 0x0F }
        var given: [UInt8] = []
        bytes.withUnsafeBytes { frame in
            _ = FrameStatistics(of: frame, format: format, size: size) { piece in
                #expect(piece.count <= 96 << 10)
                given += piece
            }
        }
        #expect(given == bytes)
    }

    @Test func `one other sample makes other statistics`() throws {
        let format = try #require(PixelFormat.named("GREY"))
        let size = try #require(FrameSize(width: 40, height: 40))
        var bytes = [UInt8](repeating: 7, count: 1_600)
        let before = bytes.withUnsafeBytes { FrameStatistics(of: $0, format: format, size: size) }
        bytes[1_234] = 8
        let after = bytes.withUnsafeBytes { FrameStatistics(of: $0, format: format, size: size) }
        #expect(before != after)
        bytes[1_234] = 7
        let again = bytes.withUnsafeBytes { FrameStatistics(of: $0, format: format, size: size) }
        #expect(before == again)
        #expect(before.hashValue == again.hashValue)
    }

    private func check(_ samples: [Int], _ format: PixelFormat, _ size: FrameSize) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            bytes.append(UInt8(sample % 256))
            if format.bytesPerSample == 2 { bytes.append(UInt8(sample / 256)) }
        }
        // Exactly as long as the frame, so that nothing behind it can be read without being noticed.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        let found = FrameStatistics(of: UnsafeRawBufferPointer(memory), format: format, size: size)
        let naive = NaiveStatistics(samples, format, size)
        let context: Comment = "\(format.name) \(size)"
        for index in 0..<64 {
            let cell = found.cells[index]
            #expect(
                [Int(cell.sum), Int(cell.count), Int(cell.saturatedCount)] == naive.cells[index],
                context)
        }
        for index in 0..<3 {
            let channel = found.channels[index]
            #expect([Int(channel.sum), Int(channel.count)] == naive.channels[index], context)
        }
        #expect(found.differenceSquares == UInt64(naive.squares), context)
        #expect(found.differenceCount == UInt64(naive.differences), context)
        #expect(Int(found.sum) == naive.cells.map { $0[0] }.reduce(0, +), context)
        #expect(found.count == UInt64(size.width * size.height * (format.samples == .rgb ? 3 : 1)))
        #expect(Int(found.saturatedCount) == naive.cells.map { $0[2] }.reduce(0, +), context)
    }
}

/// The same sums, sample by sample and by the words of the definition.
private struct NaiveStatistics {
    /// Sum, count and saturated count of each cell.
    var cells = Array(repeating: [0, 0, 0], count: 64)
    /// Sum and count of each channel.
    var channels = Array(repeating: [0, 0], count: 3)
    var squares = 0
    var differences = 0

    init(_ samples: [Int], _ format: PixelFormat, _ size: FrameSize) {
        let (columns, rows) = (Self.cells(of: size.width), Self.cells(of: size.height))
        let quad = Self.quad(format)
        // Every 32nd row, or half as many as long as 16 are left.
        var step = 32
        while size.height / (2 * step) >= 16 { step *= 2 }
        for y in 0..<size.height {
            for x in 0..<size.width {
                for part in 0..<format.channels {
                    let colour = Self.colour(x, y, part, format, quad)
                    let index = (y * size.width + x) * format.channels + part
                    if let channel = colour.channel {
                        channels[channel][0] += samples[index]
                        channels[channel][1] += 1
                    }
                    guard colour.isLuminance else { continue }
                    let cell = rows[y] * 8 + columns[x]
                    cells[cell][0] += samples[index]
                    cells[cell][1] += 1
                    cells[cell][2] += samples[index] == format.maximum ? 1 : 0
                    guard y % step == 0, x + colour.distance < size.width else { continue }
                    let difference =
                        samples[index] - samples[index + colour.distance * format.channels]
                    squares += difference * difference
                    differences += 1
                }
            }
        }
    }

    /// The cell of each pixel along a side.
    private static func cells(of side: Int) -> [Int] {
        (0..<side).map { pixel in
            (0..<8).last { $0 * side / 16 * 2 <= pixel } ?? 0
        }
    }

    /// The channels of four Bayer pixels, row by row.
    private static func quad(_ format: PixelFormat) -> [Int] {
        guard case .bayer(let pattern) = format.samples else { return [] }
        return pattern.rawValue.compactMap { ["R": 0, "G": 1, "B": 2][$0] }
    }

    private static func colour(
        _ x: Int, _ y: Int, _ part: Int, _ format: PixelFormat, _ quad: [Int]
    ) -> (channel: Int?, isLuminance: Bool, distance: Int) {
        switch format.samples {
        case .mono: return (nil, true, 1)
        case .bayer: return (quad[y % 2 * 2 + x % 2], true, 2)
        case .yuv422(let lumaFirst):
            let isLuma = (part == 0) == lumaFirst
            return (isLuma ? 0 : 1 + x % 2, isLuma, 1)
        case .rgb: return (part, true, 1)
        }
    }
}
