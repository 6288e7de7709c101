/// How large a sequence becomes; counts stop at the largest number instead of overflowing.
struct SequenceExtent {
    /// Steps after brackets and sweeps are written out.
    static let maximumSteps: Int64 = 1_000_000
    /// Frames of a finite sequence.
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

    /// The extent with everything written out so many times.
    func sweeping(_ count: Int64) -> SequenceExtent {
        SequenceExtent(
            steps: Self.multiply(steps, count), frames: Self.multiply(frames, count),
            isComplete: isComplete)
    }

    /// The extent with rounds that are not written out.
    func repeating(_ count: Int64) -> SequenceExtent {
        SequenceExtent(
            steps: Self.add(steps, 1), frames: Self.multiply(frames, count),
            isComplete: isComplete)
    }

    static func multiply(_ a: Int64, _ b: Int64) -> Int64 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? .max : product
    }

    private static func add(_ a: Int64, _ b: Int64) -> Int64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
