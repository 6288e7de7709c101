public import Imaging
public import Notation
public import Timebase

/// One step of a sequence.
///
/// Loops, sweeps and brackets are still whole here; the compiler unrolls sweeps and brackets, and keeps loops.
public struct Step: Sendable {
    /// What a step does.
    public indirect enum Kind: Sendable {
        /// Takes so many frames, one after the other; at least 1.
        case capture(Located<Int64>)
        /// Takes frames one after the other, each with changes of its own.
        case bracket(Bracket)
        /// Runs the steps once for each shot, with its changes in force.
        case sweep(SweepShots, do: [Step])
        /// Runs the steps so many times, nil for ever, each start `every` after the last where that is given.
        case `repeat`(Located<Int64>?, every: Located<Interval>?, do: [Step])
        /// Waits.
        case wait(Located<Interval>)
        /// Waits for an edge on an input line, at most `within` where that is given.
        case waitForEdge(line: Located<String>, within: Located<Interval>?)
        /// Makes an output active for a time, then goes on.
        case pulse(line: Located<String>, duration: Located<Interval>)
        /// Makes an output active during the exposure of every following frame of the same list of steps.
        case pulseWithExposure(line: Located<String>)
    }

    /// What it does.
    public var kind: Kind
    /// Where it was written.
    public var range: SourceRange
    /// Where it stands in the recipe, for example `sequence[4].do[1]`.
    ///
    /// Counted from 0, a first step that meters included; the ledger's column `step` has it.
    public var path: String
    /// The file that each frame of a capture becomes too; nil for none, and for steps that capture nothing.
    public var still: Located<StillFormat>?
    /// What its frames are called; nil for the label of the step around it, if that has one.
    public var label: String?

    /// Creates a step.
    public init(
        _ kind: Kind, at range: SourceRange, path: String, still: Located<StillFormat>? = nil,
        label: String? = nil
    ) {
        self.kind = kind
        self.range = range
        self.path = path
        self.still = still
        self.label = label
    }
}
