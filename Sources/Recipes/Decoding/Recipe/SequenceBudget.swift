import Notation

/// How much of a sequence may still be written out, and the one message when it is too much.
///
/// A few lines of YAML can mean more shots than there is memory for: sizes are counted before anything is written out.
/// Further places are not reported, since they are most likely consequences of the first.
struct SequenceBudget {
    private let context: DecodingContext
    /// Shots that brackets and sweeps may still be written out to, over the whole sequence.
    private var shotsLeft = Int(SequenceExtent.maximumSteps)
    /// Whether the one message was given.
    private var hasReported = false

    init(context: DecodingContext) {
        self.context = context
    }

    /// Takes shots; false, and reported, if there are not enough left.
    ///
    /// To be called before the shots are written out.
    mutating func take(_ count: Int, at range: SourceRange) -> Bool {
        guard count <= shotsLeft else {
            report("more than \(SequenceExtent.maximumSteps) shots", at: range)
            return false
        }
        shotsLeft -= count
        return true
    }

    /// Whether an extent is within the limits; reports the first that is not.
    ///
    /// - Parameter range: of the step up to which the extent was counted.
    @discardableResult
    mutating func check(_ extent: SequenceExtent, at range: SourceRange) -> Bool {
        if extent.steps > SequenceExtent.maximumSteps {
            report("more than \(SequenceExtent.maximumSteps) steps", at: range)
            return false
        }
        if extent.frames > SequenceExtent.maximumFrames {
            report("more than \(SequenceExtent.maximumFrames) frames", at: range)
            return false
        }
        return true
    }

    private mutating func report(_ size: String, at range: SourceRange) {
        if hasReported { return }
        hasReported = true
        context.report(
            "sequence-too-large", at: SourceRange(at: range.start, columns: 1),
            "brackets and sweeps written out, the sequence has \(size) up to here",
            hint: "use fewer values; for the same frames again and again use `repeat`")
    }
}
