public import Devices

/// A frame as ``BrightnessFilter`` sees it: what it should have, and how bright it is.
public struct BrightnessFrame: Sendable {
    /// How sure it is that a frame has what it should of a group.
    public enum Certainty: Sendable {
        /// The frame's own metadata report it: pixels cannot refute it.
        case proven
        /// The driver reported it after the write.
        case reported
        /// It was written, and the driver did not report it.
        case expected
    }

    /// The caller's name for it, in rising order.
    public var name: Int64
    /// Exposure in nanoseconds and gain in millionths, both positive; of other groups nothing is looked at.
    public var claimed: PerGroup<Int64>
    /// How sure they are.
    public var certainty: PerGroup<Certainty>
    /// Frames of the same number look at the same scene: the same lights, the same white balance.
    public var scene: Int
    /// The natural logarithm of the brightness above black, 0 at full scale; nil where it cannot be measured.
    public var level: Double?
    /// Variance of the level that noise and rounding make.
    public var variance: Double
    /// Variance of the level beside others that the scene has with other settings, and the same in all frames of these:
    /// a linear camera's black level that is off.
    public var bias: Double
    /// Whether the level is missing because the frame is too bright.
    public var isSaturated: Bool
    /// Where the level is missing because the frame is too dark: it is no more than this.
    public var atMost: Double?
    /// Frames of the camera since the last one that was taken, 1 if none was left out.
    public var distance: Int
    /// Groups that were written for it, even with the value that they should have had already; another value counts as
    /// written.
    public var written: ControlGroups

    /// Creates a frame.
    public init(
        name: Int64, claimed: PerGroup<Int64>, certainty: PerGroup<Certainty>, scene: Int = 0,
        level: Double?, variance: Double = 1e-6, bias: Double = 0, isSaturated: Bool = false,
        atMost: Double? = nil, distance: Int = 1,
        written: ControlGroups = []
    ) {
        self.name = name
        self.claimed = claimed
        self.certainty = certainty
        self.scene = scene
        self.level = level
        self.variance = variance
        self.bias = bias
        self.isSaturated = isSaturated
        self.atMost = atMost
        self.distance = distance
        self.written = written
    }
}

extension BrightnessFrame {
    /// The number of a scene, which is 0 or more, for frames that are a measure for each other and for no others of it.
    public static func provisional(_ scene: Int) -> Int { ~scene }
}

extension PerGroup where Value == Int64 {
    /// Stands for a value that is unknown, as before the first write.
    static var unknown: Int64 { -1 }
}

/// What the pixels show of a frame's setting.
public enum PixelVerdict: Hashable, Sendable {
    /// Nothing: the report of the camera stands alone.
    case unseen
    /// The frame has it: its brightness would be another one if the write had been lost.
    case confirmed
    /// It may have it or not.
    case doubted
    /// It does not have it, but `shown`; nil where several other values look alike.
    case contradicted(shown: Int64?)

    /// Whether the frame does not have it.
    public var isContradicted: Bool { if case .contradicted = self { true } else { false } }
}
