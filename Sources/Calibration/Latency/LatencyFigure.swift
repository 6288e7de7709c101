public import Devices

/// The latency of a control as its trials say it.
public struct LatencyFigure: Hashable, Sendable {
    /// How sure it is.
    public enum Certainty: Hashable, Sendable {
        /// One number of frames explains every trial, and no other does.
        case exact
        /// Several numbers explain every trial: timestamps say too little.
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
    /// The fewest frames from the one being exposed at a write to the first that shows it.
    public var leastFrames: Int
    /// After so many frames every write shows.
    public var frames: Int
    /// How sure that is.
    public var certainty: Certainty
    /// The trials.
    public var tally: LatencyTally

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
