/// Sums over the luminance samples of one recorded frame: exact integers, the same on every machine.
public struct FrameStatistics: Hashable, Sendable {
    /// Sum of all luminance samples, in the sensor's codes (4:2:2: luma; mono, Bayer and RGB: all samples).
    public let sum: UInt64
    /// How many samples were summed.
    public let count: UInt64
    /// How many of them have the largest code.
    public let saturatedCount: UInt64

    /// Measures a frame in the record's layout (rows without padding, little-endian samples); allocates nothing.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples, at most 2^32 bytes.
    ///   - format: what the samples are.
    public init(of frame: UnsafeRawBufferPointer, format: PixelFormat) {
        precondition(frame.count % (format.bytesPerSample * format.channels) == 0, "whole pixels")
        precondition(frame.count <= 1 << 32, "sums fit into 64 bits by far, counts by this")
        let lanes: Lanes =
            switch format.samples {
            case .yuv422(let lumaFirst): lumaFirst ? .lowBytes : .highBytes
            case .mono, .bayer, .rgb: format.bytesPerSample == 1 ? .bytes : .words
            }
        var totals = Totals(maximum: UInt16(format.maximum))
        totals.add(frame, lanes: lanes)
        sum = totals.sum
        saturatedCount = totals.saturated
        count = UInt64(lanes == .bytes ? frame.count : frame.count / 2)
    }
}

/// Which parts of a 16-bit word (little-endian) are samples.
private enum Lanes {
    /// Both bytes, each by itself.
    case bytes
    /// The low byte: the first of two.
    case lowBytes
    /// The high byte: the second of two.
    case highBytes
    /// The whole word.
    case words
}

/// Running sums in vector lanes, carried over into 64 bits before a lane can overflow.
///
/// Written with the standard library's SIMD types, so that it allocates nothing and every machine sums the same.
private struct Totals {
    typealias Vector = SIMD8<UInt16>
    /// Rounds of vectors whose sums surely fit into the 16-bit lanes: 255 codes × 2 bytes × 128 < 2^16.
    static let byteRounds = 128
    /// The same for words in lanes of 32 bits, and for counts in lanes of 16: (2^16 − 1) × 2^14 < 2^32.
    static let wordRounds = 1 << 14

    let maximum: UInt16
    var sum: UInt64 = 0
    var saturated: UInt64 = 0

    init(maximum: UInt16) {
        self.maximum = maximum
    }

    mutating func add(_ frame: UnsafeRawBufferPointer, lanes: Lanes) {
        guard let base = frame.baseAddress else { return }
        let vectors = frame.count / 16
        let rounds = lanes == .words ? Self.wordRounds : Self.byteRounds
        var done = 0
        while done < vectors {
            let next = min(vectors, done + rounds)
            let part = base + done * 16
            switch lanes {
            case .bytes: addBytes(part, vectors: next - done)
            case .lowBytes: addHalves(part, vectors: next - done, shift: 0)
            case .highBytes: addHalves(part, vectors: next - done, shift: 8)
            case .words: addWords(part, vectors: next - done)
            }
            done = next
        }
        addRest(UnsafeRawBufferPointer(rebasing: frame[(vectors * 16)...]), lanes: lanes)
    }

    /// Samples of 8 bits: even and odd bytes are summed apart, in lanes of 16 bits.
    ///
    /// - Parameter vectors: at most ``byteRounds``; the caller splits longer frames.
    private mutating func addBytes(_ base: UnsafeRawPointer, vectors: Int) {
        let full = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: maximum))
        let low = Vector(repeating: 0xFF)
        var sums = Vector.zero
        var hits = SIMD16<UInt8>.zero
        for index in 0..<vectors {
            let bytes = base.loadUnaligned(fromByteOffset: index * 16, as: SIMD16<UInt8>.self)
            let words = unsafeBitCast(bytes, to: Vector.self)
            sums &+= words & low
            sums &+= words &>> 8
            // A lane that equals is −1.
            hits &-= unsafeBitCast(bytes .== full, to: SIMD16<UInt8>.self)
        }
        sum += total(sums)
        let hitWords = unsafeBitCast(hits, to: Vector.self)
        saturated += total(hitWords & low) + total(hitWords &>> 8)
    }

    /// One byte of each word: the luma of 4:2:2, whose chroma is not summed.
    ///
    /// - Parameters:
    ///   - vectors: at most ``byteRounds``.
    ///   - shift: 0 for the low byte, 8 for the high one.
    private mutating func addHalves(_ base: UnsafeRawPointer, vectors: Int, shift: UInt16) {
        let full = Vector(repeating: maximum)
        let low = Vector(repeating: 0xFF)
        let shifts = Vector(repeating: shift)
        var sums = Vector.zero
        var hits = Vector.zero
        for index in 0..<vectors {
            let words = base.loadUnaligned(fromByteOffset: index * 16, as: Vector.self)
            let samples = (words &>> shifts) & low
            sums &+= samples
            hits &-= unsafeBitCast(samples .== full, to: Vector.self)
        }
        sum += total(sums)
        saturated += total(hits)
    }

    /// Samples of two bytes; even and odd words are summed apart, in lanes of 32 bits.
    ///
    /// - Parameter vectors: at most ``wordRounds``.
    private mutating func addWords(_ base: UnsafeRawPointer, vectors: Int) {
        let full = Vector(repeating: maximum)
        let low = SIMD4<UInt32>(repeating: 0xFFFF)
        var sums = SIMD4<UInt32>.zero
        var sumsOfOdd = SIMD4<UInt32>.zero
        var hits = Vector.zero
        for index in 0..<vectors {
            let words = base.loadUnaligned(fromByteOffset: index * 16, as: Vector.self)
            let pairs = unsafeBitCast(words, to: SIMD4<UInt32>.self)
            sums &+= pairs & low
            sumsOfOdd &+= pairs &>> 16
            hits &-= unsafeBitCast(words .== full, to: Vector.self)
        }
        for lane in 0..<4 { sum += UInt64(sums[lane]) + UInt64(sumsOfOdd[lane]) }
        saturated += total(hits)
    }

    /// The bytes behind the last whole vector of 16, fewer than that.
    private mutating func addRest(_ rest: UnsafeRawBufferPointer, lanes: Lanes) {
        let step = lanes == .bytes ? 1 : 2
        for offset in stride(from: 0, to: rest.count, by: step) {
            let first = UInt16(rest[offset])
            let sample: UInt16 =
                switch lanes {
                case .bytes, .lowBytes: first
                case .highBytes: UInt16(rest[offset + 1])
                case .words: first | UInt16(rest[offset + 1]) << 8
                }
            sum += UInt64(sample)
            saturated += sample == maximum ? 1 : 0
        }
    }

    private func total(_ lanes: Vector) -> UInt64 {
        var total: UInt64 = 0
        for lane in 0..<8 { total += UInt64(lanes[lane]) }
        return total
    }
}
