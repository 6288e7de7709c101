/// What is summed over the samples of one recorded frame: exact integers, the same on every machine.
///
/// Raw codes throughout: no black level is subtracted. Of fixed size, so that it can be made without allocating.
public struct FrameStatistics: BitwiseCopyable, Sendable {
    /// Cells across.
    public static let columns = 8
    /// Cells down.
    public static let rows = 8
    /// Neighbours are compared in the rows whose number is a multiple of this, so in even rows of a Bayer pattern.
    ///
    /// A power of two: 32, and more in frames of 1024 rows and more, of which at least 16 rows are compared.
    ///
    /// - Parameter height: rows of the picture.
    public static func comparedRowStep(height: Int) -> Int {
        height < 1024 ? 32 : 1 << (Int.bitWidth - 1 - (height / 16).leadingZeroBitCount)
    }

    /// The luminance samples of one cell.
    public struct Cell: BitwiseCopyable, Hashable, Sendable {
        /// Their sum (4:2:2: luma; mono, Bayer and RGB: all samples).
        public var sum: UInt64 = 0
        /// How many there are; 0 where a picture of fewer than 16 columns or rows leaves a cell empty.
        public var count: UInt32 = 0
        /// How many of them have the largest code.
        public var saturatedCount: UInt32 = 0

        /// Creates an empty cell.
        public init() {}
    }

    /// The samples of one colour, or of luma or chroma; saturated ones too.
    public struct Channel: BitwiseCopyable, Hashable, Sendable {
        /// Their sum.
        public var sum: UInt64 = 0
        /// How many there are.
        public var count: UInt64 = 0

        /// Creates an empty channel.
        public init() {}
    }

    /// The cells, row by row from the top left; ``range(_:of:)`` says which pixels are whose.
    public internal(set) var cells = InlineArray<64, Cell>(repeating: Cell())
    /// Bayer and RGB: red, green, blue; 4:2:2: luma and the differences of blue and of red, which are at 128 for grey;
    /// mono: three empty ones.
    public internal(set) var channels = InlineArray<3, Channel>(repeating: Channel())
    /// Sum of the squared differences of luminance samples from the next ones of the same colour in their row.
    ///
    /// That is one pixel to the right, for Bayer two; RGB compares all three colours. Some rows count, see
    /// ``comparedRowStep(height:)``. Over ``differenceCount`` and the square of the mean it is a figure of sharpness:
    /// of one scene, light changes it little and a lens that moved much.
    public internal(set) var differenceSquares: UInt64 = 0
    /// How many differences were squared.
    public internal(set) var differenceCount: UInt64 = 0

    /// Creates the statistics of nothing.
    public init() {}

    /// The pixels, along one side of the picture, of a column or row of cells.
    ///
    /// Cell `i` of a side of `n` pixels begins at `2 * (i * n / 16)`, rounded down, and ends where the next begins, the
    /// last one at `n`. So it begins at an even pixel, differs by 2 pixels at most from the others (an odd last pixel
    /// apart), and has all four colours of a Bayer pattern where sides are of 16 or more.
    ///
    /// - Parameters:
    ///   - index: the column or row of cells, 0 to 7.
    ///   - side: the picture's width or height in pixels.
    public static func range(_ index: Int, of side: Int) -> Range<Int> {
        2 * (index * side / 16)..<(index == 7 ? side : 2 * ((index + 1) * side / 16))
    }

    /// Sum of all luminance samples, in the sensor's codes (4:2:2: luma; mono, Bayer and RGB: all samples).
    public var sum: UInt64 { total { $0.sum } }
    /// How many samples were summed.
    public var count: UInt64 { total { UInt64($0.count) } }
    /// How many of them have the largest code.
    public var saturatedCount: UInt64 { total { UInt64($0.saturatedCount) } }

    private func total(_ part: (Cell) -> UInt64) -> UInt64 {
        var total: UInt64 = 0
        // Not by the array's own subscript, which copies all cells for each.
        let cells = cells.span
        for index in cells.indices { total += part(cells[index]) }
        return total
    }
}

extension FrameStatistics: Hashable {
    /// Whether all sums and counts are equal.
    public static func == (a: FrameStatistics, b: FrameStatistics) -> Bool {
        a.cells.indices.allSatisfy { a.cells[$0] == b.cells[$0] }
            && a.channels.indices.allSatisfy { a.channels[$0] == b.channels[$0] }
            && a.differenceSquares == b.differenceSquares && a.differenceCount == b.differenceCount
    }

    /// Feeds all sums and counts.
    public func hash(into hasher: inout Hasher) {
        for index in cells.indices { hasher.combine(cells[index]) }
        for index in channels.indices { hasher.combine(channels[index]) }
        hasher.combine(differenceSquares)
        hasher.combine(differenceCount)
    }
}
