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
    ///   - rows: how many there are, 1 to 8.
    ///   - other: what is compared with.
    ///   - ahead: where the as many rows behind begin that come next, whole; they are fetched along the way, since
    ///     processors foresee only who reads row by row. Nil for none.
    ///   - lanes: is added to.
    @inline(__always)
    func add<Lanes: SampleLanes>(
        of frame: UnsafeRawBufferPointer, at offset: Int, rowStep: Int, rows: Int,
        against other: Comparison, fetching ahead: Int?, to lanes: inout FilledLanes<Lanes>
    ) {
        if rows == 8 {
            return add(frame, offset, rowStep, rows: 8, other, ahead, &lanes)
        }
        var offset = offset
        if rows & 4 != 0 {
            add(frame, offset, rowStep, rows: 4, other, ahead, &lanes)
            offset += 4 * rowStep
        }
        if rows & 2 != 0 {
            add(frame, offset, rowStep, rows: 2, other, ahead, &lanes)
            offset += 2 * rowStep
        }
        if rows & 1 != 0 { add(frame, offset, rowStep, rows: 1, other, ahead, &lanes) }
    }

    @inline(__always)
    private func add<Lanes: SampleLanes>(
        _ frame: UnsafeRawBufferPointer, _ offset: Int, _ rowStep: Int, rows: Int,
        _ other: Comparison, _ ahead: Int?, _ filled: inout FilledLanes<Lanes>
    ) {
        guard let base = frame.baseAddress else { return }
        var position = offset + start
        var fetched = (ahead ?? 0) + rows * start
        var left = wholeVectors
        repeat {
            // Long parts are cut, so that no lane overflows.
            let count = min(left, Lanes.limit / 8 - 1)
            left -= count
            filled.makeRoom(for: rows * (count + 1))
            // Apart from where they are kept, so that they stay in registers.
            var lanes = Lanes()
            for _ in 0..<count {
                if ahead != nil, rows >= 4 {
                    // What the whole width of these rows is to those, 16 bytes of each are to this.
                    fl_fetch(base + fetched)
                    if rows == 8 { fl_fetch(base + fetched + 64) }
                    fetched &+= rows &* step
                }
                var place = position
                for _ in 0..<rows {
                    let compared =
                        switch other {
                        case .code(let full): full
                        case .neighbour(let distance):
                            base.loadUnaligned(
                                fromByteOffset: place &+ distance, as: SIMD16<UInt8>.self)
                        }
                    lanes.add(
                        base.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self), compared)
                    place &+= rowStep
                }
                position &+= step
            }
            filled.add(lanes)
        } while left > 0
        guard let rest else { return }
        for _ in 0..<rows {
            let compared =
                switch other {
                case .code(let full): full
                case .neighbour(let distance): Self.vector(frame, position + distance) & rest
                }
            filled.add(Self.vector(frame, position) & rest, compared)
            position &+= rowStep
        }
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
