import Foundation
import Imaging
import Testing

struct FrameUnpackingTests {
    @Test(arguments: [
        (
            "SRGGB10P", [0x12, 0x34, 0x56, 0x78, 0xE4] as [UInt8],
            [0x048, 0x0D1, 0x15A, 0x1E3] as [UInt16]
        ),
        ("Y12P", [0xAB, 0xCD, 0x21], [0xAB1, 0xCD2]),
    ])
    func `published vectors come out as published`(
        name: String, packed: [UInt8], samples: [UInt16]
    ) throws {
        let format = try #require(PixelFormat.named(name))
        let size = try #require(FrameSize(width: samples.count, height: 1))
        let layout = try #require(FrameLayout(pixelFormat: format, size: size))
        #expect(
            try unpacked(packed, layout) == samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }

    @Test(arguments: PixelFormat.known)
    func `every format unpacks like a naive decoder, whatever the padding`(
        format: PixelFormat
    ) throws {
        var random = Random(state: 0xF00D)
        for _ in 0..<40 {
            // Whole groups: 4 pixels of 10 bits, 2 of anything else.
            let group = format.bitsPerSample == 10 ? 4 : 2
            let width = group * Int.random(in: 1...40, using: &random)
            let size = try #require(
                FrameSize(width: width, height: Int.random(in: 1...9, using: &random)))
            let padding = Int.random(in: 0...40, using: &random)
            let layout = try #require(
                FrameLayout(
                    pixelFormat: format, size: size,
                    bytesPerRow: format.bytesPerRow(width: width) + padding))
            let packed = (0..<layout.byteCount).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let expected = (0..<size.height).flatMap { row in
                naiveRow(Array(packed[(row * layout.bytesPerRow)...]), format, width: width)
            }
            #expect(try unpacked(packed, layout) == expected)
        }
    }

    @Test func `rows that end inside a packed group are refused`() throws {
        for (name, width) in [("Y10P", 6), ("Y10P", 7), ("SRGGB12P", 5)] {
            let format = try #require(PixelFormat.named(name))
            let size = try #require(FrameSize(width: width, height: 2))
            let layout = try #require(FrameLayout(pixelFormat: format, size: size))
            #expect(FrameUnpacking(layout) == nil)
        }
    }

    @Test func `nothing behind a frame is read, since that may be no memory`() async {
        await #expect(processExitsWith: .success) {
            let page = sysconf(Int32(_SC_PAGESIZE))
            let memory = try #require(
                mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            // Whoever touches the second page is killed.
            try #require(mprotect(memory + page, page, PROT_NONE) == 0)
            for format in PixelFormat.known {
                let group = format.bitsPerSample == 10 ? 4 : 2
                for width in stride(from: group, through: 20 * group, by: group) {
                    guard let size = FrameSize(width: width, height: 1),
                        let layout = FrameLayout(pixelFormat: format, size: size),
                        let unpacking = FrameUnpacking(layout)
                    else { continue }
                    let frame = UnsafeRawBufferPointer(
                        start: memory + page - layout.byteCount, count: layout.byteCount)
                    var output = [UInt8](repeating: 0, count: layout.recordedByteCount)
                    output.withUnsafeMutableBytes { unpacking.unpack(frame, into: $0) }
                }
            }
        }
    }

    @Test func `rows that are shorter than their pixels are no layout`() throws {
        let format = try #require(PixelFormat.named("Y10P"))
        let size = try #require(FrameSize(width: 8, height: 2))
        let strides = [nil, 9, 10, 11].map {
            FrameLayout(pixelFormat: format, size: size, bytesPerRow: $0)?.bytesPerRow
        }
        #expect(strides == [10, nil, 10, 11])
    }

    /// Unpacks, and checks that nothing behind the frame was touched.
    private func unpacked(_ packed: [UInt8], _ layout: FrameLayout) throws -> [UInt8] {
        let unpacking = try #require(FrameUnpacking(layout))
        var output = [UInt8](repeating: 0x5A, count: layout.recordedByteCount + 32)
        packed.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { unpacking.unpack(source, into: $0) }
        }
        #expect(output.suffix(32).allSatisfy { $0 == 0x5A })
        return Array(output.dropLast(32))
    }

    /// Sample by sample from the bit positions that the kernel's documentation gives.
    private func naiveRow(_ row: [UInt8], _ format: PixelFormat, width: Int) -> [UInt8] {
        guard format.packing == .csi2 else {
            return Array(row.prefix(format.bytesPerRow(width: width)))
        }
        let bits = format.bitsPerSample
        let (pixels, bytes) = bits == 10 ? (4, 5) : (2, 3)
        return (0..<width).flatMap { pixel -> [UInt8] in
            let group = pixel / pixels * bytes
            let inGroup = pixel % pixels
            var sample = Int(row[group + inGroup])
            for bit in (0..<(bits - 8)).reversed() {
                let position = inGroup * (bits - 8) + bit
                sample = sample * 2 + Int(row[group + bytes - 1] >> position) % 2
            }
            return [UInt8(sample % 256), UInt8(sample / 256)]
        }
    }
}

/// Pseudo-random numbers from a seed (xorshift).
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
