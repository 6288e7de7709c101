public import Timebase

/// What a ``ManualCamera`` goes by, beside the camera's profile.
public struct ManualOptions: Hashable, Sendable {
    /// The frame rate that the camera accepted; exposures longer than its period are refused.
    public var rate: FrameRate?
    /// How metered exposure is split into duration and gain; never longer than a frame at ``rate``.
    public var programme = ExposureProgramme()
    /// How metered white balance is found.
    public var balanceMethod = WhiteBalanceRoutine.Method.grayWorld
    /// How the lens is brought to a position; nil lets it go there directly.
    public var lensApproach: LensApproach?
    /// The ranges that the device gives its controls in the active format; a profile's codes beyond them are refused.
    public var deviceControls: [ControlDescription]
    /// How many frames pass between two looks at what the camera's own automatics do.
    public var observeEveryFrames = 8
    /// Which camera it is, for messages.
    public var cameraID: String

    /// Creates options.
    public init(
        cameraID: String, rate: FrameRate? = nil, deviceControls: [ControlDescription] = [],
        lensApproach: LensApproach? = nil
    ) {
        self.cameraID = cameraID
        self.rate = rate
        self.deviceControls = deviceControls
        self.lensApproach = lensApproach
    }
}
