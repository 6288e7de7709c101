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
    /// The frames: where they are, in which kind of container, and their layout; nil where they were recorded without
    /// pixels.
    public let frames: (path: String, container: String, layout: FrameLayout)?
    /// Why no frame came, as far as the camera and the plan show it; empty if any did.
    public let whyNoFrames: [String]
    /// What was injected into a simulation and what became of its frames, in a line for people.
    package let truth: String?
}
