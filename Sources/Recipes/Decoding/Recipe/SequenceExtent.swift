/// How large a sequence becomes; counts stop at the largest number instead of overflowing.
///
/// Found without writing anything out, so it may be asked of any recipe.
struct SequenceExtent {
    /// Steps after brackets and sweeps are written out; the plan's own limit is as large.
    static let maximumSteps: Int64 = 1_000_000
    /// Frames of a finite sequence; slots are numbered in 64 bits.
    static let maximumFrames: Int64 = 1_000_000_000_000

    /// Single steps: brackets and sweeps written out, repeats counted once.
    var steps: Int64 = 0
    /// Frames; a round of an endless repeat counts once.
    var frames: Int64 = 0
    /// Whether everything in it could be read; if not, the counts are too small.
    var isComplete = true

    static func + (a: SequenceExtent, b: SequenceExtent) -> SequenceExtent {
        SequenceExtent(
            steps: add(a.steps, b.steps), frames: add(a.frames, b.frames),
            isComplete: a.isComplete && b.isComplete)
    }

    /// The extent with everything written out so many times: steps and frames multiply.
    func sweeping(_ count: Int64) -> SequenceExtent {
        SequenceExtent(
            steps: Self.multiply(steps, count), frames: Self.multiply(frames, count),
            isComplete: isComplete)
    }

    /// The extent with rounds that are not written out: frames multiply, and the loop is one step more.
    ///
    /// - Parameter count: rounds; 1 for an endless loop.
    func repeating(_ count: Int64) -> SequenceExtent {
        SequenceExtent(
            steps: Self.add(steps, 1), frames: Self.multiply(frames, count),
            isComplete: isComplete)
    }

    /// A product, or the largest number where it does not fit; both factors are 0 or more.
    static func multiply(_ a: Int64, _ b: Int64) -> Int64 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? .max : product
    }

    private static func add(_ a: Int64, _ b: Int64) -> Int64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
