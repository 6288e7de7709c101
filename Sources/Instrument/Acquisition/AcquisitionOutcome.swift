public import Imaging
public import Records

/// What came of an acquisition.
public struct AcquisitionOutcome: Sendable {
    /// The verdict, with the exit code and everything that was found.
    public let judgement: Judgement
    /// Where the record is.
    public let folder: RunFolder
    /// What was counted.
    public let tally: RunTally
    /// The layout of the frames; nil where they were recorded without pixels.
    public let layout: FrameLayout?
    /// Why no frame came, as far as the camera and the plan can tell; empty if any did.
    public let whyNoFrames: [String]
    /// What was injected into a simulation and what became of its frames, in a line for people.
    package let truth: String?
}
