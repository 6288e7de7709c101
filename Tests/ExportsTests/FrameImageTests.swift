import Imaging
import Testing

@testable import Exports

/// The planes that a frame has, of samples that count up.
struct FrameImageTests {
    private static func planes(
        of name: String, _ width: Int, _ height: Int, isMosaic: Bool = false,
        isPlanar: Bool = true
    ) throws -> [[String: [UInt8]]] {
        let format = try #require(PixelFormat.known.first { $0.name == name })
        let size = try #require(FrameSize(width: width, height: height))
        let count = width * height * format.channels * format.bytesPerSample
        let frame = (0..<count).map { UInt8($0) }
        return FrameImage.all(of: format, size, isMosaic: isMosaic, isPlanar: isPlanar).map {
            image in
            Dictionary(
                uniqueKeysWithValues: image.planes.map { plane in
                    (
                        plane.name,
                        frame.withUnsafeBytes { image.samples(plane, of: $0, format, size) }
                    )
                })
        }
    }

    @Test(arguments: [
        ("SRGGB8", [0, 1, 4, 5]), ("SGRBG8", [1, 0, 5, 4]), ("SGBRG8", [4, 5, 0, 1]),
        ("SBGGR8", [5, 4, 1, 0]),
    ])
    func `a raw colour frame has a sample of each colour of every two by two`(
        format: String, first: [UInt8]
    ) throws {
        let planes = try #require(try Self.planes(of: format, 4, 2).first)
        for (name, first) in zip(["R", "Gr", "Gb", "B"], first) {
            #expect(planes[name] == [first, first + 2])
        }
        #expect(try Self.planes(of: format, 4, 2, isMosaic: true)[0][""]?.count == 8)
        // Half a pattern would be left over.
        #expect(try Self.planes(of: format, 3, 2)[0][""] == [0, 1, 2, 3, 4, 5])
    }

    @Test func `samples of two bytes stay whole`() throws {
        let planes = try #require(try Self.planes(of: "SRGGB12", 4, 2).first)
        #expect(planes["R"] == [0, 1, 4, 5] && planes["B"] == [10, 11, 14, 15])
    }

    @Test func `red, green and blue are planes, or stay side by side`() throws {
        let planes = try #require(try Self.planes(of: "RGB24", 2, 1).first)
        #expect(planes == ["R": [0, 3], "G": [1, 4], "B": [2, 5]])
        #expect(try Self.planes(of: "RGB24", 2, 1, isPlanar: false) == [["": [0, 1, 2, 3, 4, 5]]])
    }

    @Test func `luma and chroma are two images, in either order`() throws {
        #expect(
            try Self.planes(of: "YUYV", 4, 1)
                == [["": [0, 2, 4, 6]], ["Cb": [1, 5], "Cr": [3, 7]]])
        #expect(
            try Self.planes(of: "UYVY", 4, 1)
                == [["": [1, 3, 5, 7]], ["Cb": [0, 4], "Cr": [2, 6]]])
    }

    @Test func `a pyramid ends at 256 pixels, and means round to the nearest`() throws {
        let size = try #require(FrameSize(width: 1_030, height: 3))
        #expect(Pyramid.sizes(of: size).map(\.width) == [1_030, 515])
        let small = try #require(FrameSize(width: 3, height: 2))
        #expect(Pyramid.halved([1, 2, 9, 2, 1, 9], small, bytesPerSample: 1) == [2])
        #expect(
            Pyramid.halved(
                [255, 255, 254, 255, 0, 0, 255, 255, 255, 255, 0, 0], small, bytesPerSample: 2)
                == [255, 255])
    }

    @Test func `a viewer begins with all but a thousandth at either end`() {
        var histogram = SampleHistogram()
        histogram.add([UInt8](repeating: 7, count: 998) + [0, 200], bytesPerSample: 1)
        #expect(histogram.window == (7, 8))
        var wide = SampleHistogram()
        wide.add([0x10, 0x27, 0x20, 0x4E], bytesPerSample: 2)
        #expect(wide.window == (10_000, 20_000))
    }
}
