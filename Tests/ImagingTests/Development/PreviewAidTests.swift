import Imaging
import Testing

/// Focus peaking and zoom, pixel by pixel.
struct PreviewAidTests {
    private static func grey(_ rows: [[UInt8]]) throws -> DevelopedImage {
        let size = try #require(FrameSize(width: rows[0].count, height: rows.count))
        return try #require(
            DevelopedImage(size: size, channels: 1, bitsPerSample: 8, bytes: rows.flatMap { $0 }))
    }

    /// Which pixels are red.
    private static func marks(_ image: DevelopedImage) -> [String] {
        let pixels = image.pixels.map { $0 == [255, 0, 0] ? "#" : "." as Character }
        return stride(from: 0, to: pixels.count, by: image.size.width)
            .map { String(pixels[$0..<$0 + image.size.width]) }
    }

    @Test func `an edge is marked on both sides, and nothing else`() throws {
        let row: [UInt8] = [10, 10, 10, 200, 200, 200, 200]
        let peaking = try #require(FocusPeaking())
        let marked = try #require(peaking.marked(Self.grey([row, row, row, row])))
        #expect(Self.marks(marked) == [".......", "..##...", "..##...", "......."])
        // What is not marked stays what it was.
        #expect(marked.pixels[0] == [10, 10, 10] && marked.pixels[6] == [200, 200, 200])
    }

    @Test func `the threshold is the slope in codes per pixel`() throws {
        // A ramp of 20 codes a pixel, level from row to row.
        let row = (0..<8).map { UInt8($0 * 20) }
        let ramp = try Self.grey([row, row, row])
        let at = try #require(FocusPeaking(threshold: 20)?.marked(ramp))
        let above = try #require(FocusPeaking(threshold: 21)?.marked(ramp))
        #expect(Self.marks(at)[1] == ".######.")
        #expect(Self.marks(above)[1] == "........")
    }

    @Test func `the sharper of two frames of one scene has more marks`() throws {
        // The same stripes, once in focus and once smeared over five pixels.
        let sharp = (0..<40).map { UInt8(($0 / 8) % 2 == 0 ? 20 : 220) }
        let blurred = sharp.indices.map { index -> UInt8 in
            let near = (-4...4).map { Int(sharp[min(max(index + $0, 0), 39)]) }
            return UInt8(near.reduce(0, +) / near.count)
        }
        let peaking = try #require(FocusPeaking(threshold: 40))
        func count(_ row: [UInt8]) throws -> Int {
            let marked = try #require(peaking.marked(Self.grey([row, row, row, row, row])))
            return Self.marks(marked).joined().count { $0 == "#" }
        }
        #expect(try count(sharp) > 0)
        #expect(try count(blurred) == 0)
    }

    @Test func `pictures too small for a gradient, or of 16 bits`() throws {
        let peaking = try #require(FocusPeaking())
        let small = try #require(peaking.marked(Self.grey([[0, 255]])))
        #expect(small.pixels == [[0, 0, 0], [255, 255, 255]])
        let size = try #require(FrameSize(width: 1, height: 1))
        let deep = try #require(
            DevelopedImage(size: size, channels: 1, bitsPerSample: 16, bytes: [0, 0]))
        #expect(peaking.marked(deep) == nil)
        #expect(FocusPeaking(threshold: 0) == nil)
    }

    @Test(arguments: [
        (500_000, 500_000, 3, 2), (0, 0, 0, 0), (1_000_000, 1_000_000, 6, 4),
        (250_000, 750_000, 1, 4),
    ])
    func `the window lies around its point and never leaves the frame`(
        x: Int64, y: Int64, left: Int, top: Int
    ) throws {
        let size = try #require(FrameSize(width: 10, height: 8))
        let window = try #require(FrameSize(width: 4, height: 4))
        let point = try #require(FramePoint(xMillionths: x, yMillionths: y))
        let zoom = try #require(PreviewZoom(at: point, in: size, window: window, factor: 3))
        #expect(zoom.region.left == left && zoom.region.top == top)
    }

    @Test func `zoom repeats pixels of the developed part and invents none`() throws {
        let format = try #require(PixelFormat.named("SRGGB12"))
        let size = try #require(FrameSize(width: 12, height: 10))
        let window = try #require(FrameSize(width: 5, height: 3))
        let point = try #require(FramePoint(xMillionths: 400_000, yMillionths: 600_000))
        let zoom = try #require(PreviewZoom(at: point, in: size, window: window, factor: 4))
        let development = try #require(
            Development(format, size: size, settings: DevelopmentSettings()))
        let frame = Raw.bytes(Raw.noise(120, maximum: 4_095, seed: 2), wide: true)
        try frame.withUnsafeBytes { frame in
            let whole = development.image(of: frame).pixels
            let image = try #require(zoom.image(of: frame, by: development))
            #expect(image.size.width == 20 && image.size.height == 12)
            for (index, pixel) in image.pixels.enumerated() {
                let x = zoom.region.left + index % 20 / 4
                let y = zoom.region.top + index / 20 / 4
                #expect(pixel == whole[y * 12 + x])
            }
        }
        #expect(PreviewZoom(at: point, in: window, window: size, factor: 2) == nil)
        #expect(PreviewZoom(at: point, in: size, window: window, factor: 33) == nil)
    }
}
