public import Devices

/// The latency of a control as its trials show it.
public struct LatencyFigure: Hashable, Sendable {
    /// How sure it is.
    public enum Certainty: Hashable, Sendable {
        /// One number of frames explains every trial, and no other does.
        case exact
        /// Several numbers explain every trial: timestamps are not exact enough.
        case undecided
        /// No number explains every trial.
        case varying(Variation)
    }

    /// On what a latency depends that varies.
    public enum Variation: String, Hashable, Sendable {
        /// Writes in the first half of a frame show alike, later ones do not.
        case phase = "writes in the second half of a frame show later"
        /// Rows of one frame differ.
        case rows = "the control takes effect in the middle of a frame"
        /// On nothing that was varied.
        case camera = "the camera takes its time as it likes"
    }

    /// What was stepped.
    public var control: CameraControl
    /// The fewest frames from the one being exposed at a write to the first that shows it, 0 or more.
    ///
    /// Where ``certainty`` is `undecided`, the true figure lies from here to ``frames``; where it is `varying`,
    /// latencies were seen from here to there.
    public var leastFrames: Int
    /// After so many frames every write shows; what a run may rely on.
    public var frames: Int
    /// How sure that is.
    public var certainty: Certainty
    /// The trials.
    public var tally: LatencyTally

    /// Draws the conclusion from a tally's bounds.
    ///
    /// Bounds that cross mean that no latency explains every trial. If those of early writes do not cross, the phase is
    /// the reason; else rows of one frame that differed, if there were any.
    init(_ tally: LatencyTally) {
        self.tally = tally
        control = tally.control
        let bounds = (tally.all.least, tally.all.most)
        leastFrames = Int(clamping: max(0, min(bounds.0, bounds.1)))
        frames = Int(clamping: max(0, bounds.0, bounds.1))
        if bounds.0 == bounds.1 {
            certainty = .exact
        } else if bounds.0 < bounds.1 {
            certainty = .undecided
        } else if tally.early.least <= tally.early.most {
            certainty = .varying(.phase)
        } else {
            certainty = .varying(tally.splitCount > 0 ? .rows : .camera)
        }
    }

    /// Whether it is one number of frames.
    public var isExact: Bool { certainty == .exact }
}
