internal import Timebase

extension CameraProfile {
    /// The name that records give to the profile of a camera of which nothing is known.
    public static let unknownName = "unknown"

    /// Nothing is known: timestamps may be late by a long way, and no setting can be locked.
    public static let unknown = CameraProfile(
        name: unknownName, summary: "a camera without a profile",
        timestamps: TimestampModel(
            point: .endOfReadout, delay: .milliseconds(50), readout: nil))

    /// Whether it stands for a camera without a profile.
    public var isUnknown: Bool { name == Self.unknownName }
}
