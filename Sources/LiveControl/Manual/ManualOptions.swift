public import Timebase

/// What a ``ManualCamera`` needs besides the camera's profile.
public struct ManualOptions: Hashable, Sendable {
    /// The frame rate that the camera accepted; exposures longer than its period are refused.
    public var rate: FrameRate?
    /// How metered exposure is split into duration and gain; never longer than a frame at ``rate``.
    public var programme = ExposureProgramme()
    /// How metered white balance is found; nil takes a grey centre, or the colour curve of a camera that takes only
    /// temperatures.
    public var balanceMethod: WhiteBalanceRoutine.Method?
    /// How many frames pass between two looks at what the camera's own automatics do.
    public var observeEveryFrames = 8
    /// Which camera it is, for messages.
    public var cameraID: String

    /// Creates options.
    public init(
        cameraID: String, rate: FrameRate? = nil
    ) {
        self.cameraID = cameraID
        self.rate = rate
    }
}
