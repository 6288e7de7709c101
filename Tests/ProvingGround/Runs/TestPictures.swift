/// The buffers of a test camera: a scene that stands still, as bright as it was exposed.
///
/// Unsafe memory: the engine reads frames where the driver left them. Made before the run, freed with the camera.
final class TestPictures {
    let frameBytes: Int
    private let memory: UnsafeMutableRawBufferPointer

    init(count: Int, frameBytes: Int) {
        self.frameBytes = frameBytes
        memory = .allocate(byteCount: frameBytes * count, alignment: 4096)
        for buffer in 0..<count { expose(buffer, code: 0) }
    }

    deinit { memory.deallocate() }

    /// Puts the picture of an exposure into a buffer; codes up to 10,000 do not saturate it.
    func expose(_ buffer: Int, code: Int64) {
        for place in 0..<frameBytes {
            memory[buffer * frameBytes + place] = Self.pixel(place, code: code)
        }
    }

    /// How bright a picture of so many pixels is in the mean.
    static func mean(_ pixels: Int, code: Int64) -> Double {
        let sum = (0..<pixels).reduce(0) { $0 + Int(pixel($1, code: code)) }
        return Double(sum) / Double(pixels)
    }

    private static func pixel(_ place: Int, code: Int64) -> UInt8 {
        let light = 40 + Int64(place) * 7 % 24
        return UInt8(min(255, light * code / 2_600))
    }

    func bytes(_ buffer: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(memory)[
                buffer * frameBytes..<(buffer + 1) * frameBytes])
    }
}
