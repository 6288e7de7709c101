internal import CImaging

/// A part of a row, the same one in each: where vectors of 32 bytes are taken, and what they add up to.
struct RowPart: BitwiseCopyable {
    /// Where it begins in the row, in bytes.
    private var start = 0
    /// What is taken of a row.
    private var taken = fl_sum_rows()
    /// What was added until now.
    private var sums = fl_sums()

    /// What is added of a part.
    enum Addend {
        /// Samples of 8 bits.
        case bytes
        /// Samples of 9 to 16 bits.
        case words
        /// Samples of up to 13 bits, quicker.
        case shortWords
        /// Squared differences between samples of 8 bits.
        case byteDifferences
        /// Squared differences between samples of 9 to 16 bits.
        case wordDifferences
    }

    /// A part without bytes.
    init() {}

    /// - Parameters:
    ///   - bytes: where it lies in the row.
    ///   - step: from one vector to the next; what lies between them does not count.
    ///   - other: for sums, the code that counts as saturated; for differences, how far the neighbour is, in bytes.
    init(_ bytes: Range<Int>, step: Int = vector, other: Int) {
        start = bytes.lowerBound
        taken.vectors = bytes.count < Self.vector ? 0 : (bytes.count - Self.vector) / step + 1
        taken.vector_step = step
        // Negative where the last vector's step reaches behind the part.
        taken.rest = max(0, bytes.count - taken.vectors * step)
        taken.other = other
    }

    /// Bytes of a vector.
    static var vector: Int { Int(fl_sum_vector) }

    /// Adds the part of some rows.
    ///
    /// - Parameters:
    ///   - addend: what is added; always the same.
    ///   - frame: all rows.
    ///   - offset: where the first of the rows begins.
    ///   - rowStep: from one of them to the next, in bytes.
    ///   - rows: how many there are.
    ///   - ahead: where the as many rows begin that come next; nil where there are none.
    mutating func add(
        _ addend: Addend, of frame: UnsafeRawBufferPointer, at offset: Int, rowStep: Int, rows: Int,
        fetching ahead: Int?
    ) {
        guard let base = frame.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        taken.row_step = rowStep
        taken.rows = rows
        taken.end = base + frame.count
        // What is fetched may lie behind the frame; a part of eight rows is fetched as one piece.
        taken.ahead = ahead.map { base + $0 + rows * start }
        let samples = base + offset + start
        switch addend {
        case .bytes: fl_sum_bytes(samples, &taken, &sums)
        case .words: fl_sum_words(samples, &taken, &sums)
        case .shortWords: fl_sum_short_words(samples, &taken, &sums)
        case .byteDifferences: fl_sum_byte_differences(samples, &taken, &sums)
        case .wordDifferences: fl_sum_word_differences(samples, &taken, &sums)
        }
    }

    /// The sum of the samples at a place in the vectors and at every so many places behind it.
    func sum(of place: Int, every step: Int) -> UInt64 {
        withUnsafePointer(to: sums) { fl_sum_of($0, place, step) }
    }

    /// Puts the sums together and begins again.
    mutating func take() -> Totals {
        let totals = fl_take_sums(&sums)
        return Totals(
            quarters: totals.samples, hits: totals.hits,
            isExceeded: totals.seen >> Self.shortBits != 0)
    }

    /// How many bits a short word may have.
    static let shortBits = 13

    /// What samples add up to, by their place in the vectors.
    struct Totals {
        /// Samples of one byte, by the remainder of their place divided by 4; of two bytes, even and odd ones first.
        let quarters: (UInt64, UInt64, UInt64, UInt64)
        /// How many even and how many odd samples are saturated.
        let hits: (UInt64, UInt64)
        /// Whether there was a sample too long for ``Addend/shortWords``; all sums are worth nothing then.
        let isExceeded: Bool

        /// Samples at even places.
        var even: UInt64 { quarters.0 + quarters.2 }
        /// Samples at odd places.
        var odd: UInt64 { quarters.1 + quarters.3 }
    }
}
