public import Timebase

/// What a ``ManualCamera`` goes by, beside the camera's profile.
public struct ManualOptions: Hashable, Sendable {
    /// The frame rate that the camera accepted; exposures longer than its period are refused.
    public var rate: FrameRate?
    /// The biases that are taken, in thousandths of an EV.
    public var biasThousandths: ClosedRange<Int64>
    /// How the lens is brought to a position; nil lets it go there directly.
    public var lensApproach: LensApproach?
    /// The ranges that the device gives its controls in the active format; a profile's codes beyond them are refused.
    public var deviceControls: [ControlDescription]
    /// How many frames pass between two looks at what the camera's own automatics do.
    public var observeEveryFrames = 8
    /// Which camera it is, for messages.
    public var cameraID: String

    /// Creates options with a bias of −8…+8 EV and no approach.
    public init(
        cameraID: String, rate: FrameRate? = nil, deviceControls: [ControlDescription] = [],
        lensApproach: LensApproach? = nil
    ) {
        self.cameraID = cameraID
        self.rate = rate
        self.deviceControls = deviceControls
        self.lensApproach = lensApproach
        biasThousandths = -8_000...8_000
    }
}
