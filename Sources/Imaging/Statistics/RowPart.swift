internal import CImaging

/// A part of a row, the same one in each: where vectors of 16 bytes are taken.
struct RowPart: BitwiseCopyable {
    /// Where it begins in the row, in bytes.
    private var start = 0
    /// How many whole vectors it has.
    private var wholeVectors = 0
    /// From one vector to the next, in bytes.
    private var step = 16
    /// What counts of one more vector; nil where there is none.
    private var rest: SIMD16<UInt8>?

    /// What its samples are compared with.
    enum Comparison {
        /// One code, in all lanes.
        case code(SIMD16<UInt8>)
        /// The samples so many bytes behind.
        case neighbour(distance: Int)

        /// What 16 bytes at a place are compared with; of neighbours, there are as many.
        @inline(__always)
        fileprivate func vector(_ base: UnsafeRawPointer, _ place: Int) -> SIMD16<UInt8> {
            switch self {
            case .code(let full): full
            case .neighbour(let distance):
                base.loadUnaligned(fromByteOffset: place &+ distance, as: SIMD16<UInt8>.self)
            }
        }
    }

    /// A part without bytes.
    init() {}

    /// - Parameters:
    ///   - bytes: where it lies in the row.
    ///   - step: from one vector to the next; what lies between them does not count.
    init(_ bytes: Range<Int>, step: Int = 16) {
        start = bytes.lowerBound
        self.step = step
        wholeVectors = bytes.count < 16 ? 0 : (bytes.count - 16) / step + 1
        let left = bytes.count - wholeVectors * step
        guard left > 0 else { return }
        var mask = SIMD16<UInt8>.zero
        for index in 0..<min(16, left) { mask[index] = 0xFF }
        rest = mask
    }

    /// Adds the part of some rows.
    ///
    /// Vectors that lie below each other come first: a short part takes little longer than its share of a long one.
    ///
    /// - Parameters:
    ///   - frame: all rows.
    ///   - offset: where the first of the rows begins.
    ///   - rowStep: from one of them to the next, in bytes.
    ///   - rows: how many there are.
    ///   - other: what is compared with.
    ///   - ahead: where the as many rows begin that come next; they are fetched along the way, since processors foresee
    ///     only who reads row by row. Nil for none.
    ///   - lanes: is added to.
    @inline(__always)
    func add<Lanes: SampleLanes>(
        of frame: UnsafeRawBufferPointer, at offset: Int, rowStep: Int, rows: Int,
        against other: Comparison, fetching ahead: Int?, to lanes: inout FilledLanes<Lanes>
    ) {
        var strip = Strip<Lanes>(
            frame: frame, other: other, rowStep: rowStep, position: offset + start,
            fetched: ahead.map { $0 + rows * start })
        for _ in 0..<rows / 8 { add(8, &strip, &lanes) }
        if rows & 4 != 0 { add(4, &strip, &lanes) }
        if rows & 2 != 0 { add(2, &strip, &lanes) }
        if rows & 1 != 0 { add(1, &strip, &lanes) }
        lanes.add(strip.lanes, vectors: strip.vectors)
    }

    /// Where the rows of a part are read, and what they add up to.
    private struct Strip<Lanes: SampleLanes> {
        let frame: UnsafeRawBufferPointer
        let other: Comparison
        let rowStep: Int
        /// The next row.
        var position: Int
        /// What is fetched next; nil for nothing.
        var fetched: Int?
        /// Apart from where they are kept, so that they stay in registers.
        var lanes = Lanes()
        var vectors = 0
    }

    /// Adds the next rows of a strip, 1, 2, 4 or 8.
    @inline(__always)
    private func add<Lanes: SampleLanes>(
        _ rows: Int, _ strip: inout Strip<Lanes>, _ filled: inout FilledLanes<Lanes>
    ) {
        guard let base = strip.frame.baseAddress else { return }
        var position = strip.position
        var left = wholeVectors
        repeat {
            // Long parts are cut, so that no lane overflows.
            let count = min(left, Lanes.limit / 8 - 1)
            left -= count
            if strip.vectors + rows * (count + 1) > Lanes.limit {
                filled.add(strip.lanes, vectors: strip.vectors)
                (strip.lanes, strip.vectors) = (Lanes(), 0)
            }
            strip.vectors += rows * (count + 1)
            for _ in 0..<count {
                if rows >= 4, let fetched = strip.fetched {
                    // What the whole width of these rows is to those, 16 bytes of each are to this.
                    fl_fetch(base + fetched)
                    if rows == 8 { fl_fetch(base + fetched + 64) }
                    strip.fetched = fetched &+ rows &* step
                }
                var place = position
                for _ in 0..<rows {
                    strip.lanes.add(
                        base.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self),
                        strip.other.vector(base, place))
                    place &+= strip.rowStep
                }
                strip.lanes.settle()
                position &+= step
            }
        } while left > 0
        if let rest {
            var place = position
            for _ in 0..<rows {
                let other =
                    switch strip.other {
                    case .code(let full): full
                    case .neighbour(let distance):
                        Self.vector(strip.frame, place + distance) & rest
                    }
                strip.lanes.add(Self.vector(strip.frame, place) & rest, other)
                place &+= strip.rowStep
            }
            strip.lanes.settle()
        }
        strip.position &+= rows &* strip.rowStep
    }

    /// 16 bytes; 0 behind the frame's end.
    @inline(__always)
    private static func vector(_ frame: UnsafeRawBufferPointer, _ offset: Int) -> SIMD16<UInt8> {
        guard let base = frame.baseAddress, offset &+ 16 <= frame.count else {
            return lastVector(frame, offset)
        }
        return base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    @inline(never)
    private static func lastVector(_ frame: UnsafeRawBufferPointer, _ offset: Int) -> SIMD16<UInt8>
    {
        var bytes = SIMD16<UInt8>.zero
        for index in 0..<max(0, min(16, frame.count - offset)) {
            bytes[index] = frame[offset + index]
        }
        return bytes
    }
}
