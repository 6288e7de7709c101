internal import CVideo
internal import Devices

/// What a driver claims of the timestamps on its frames, for the record of a run.
///
/// A claim, not the truth: some drivers timestamp the start of readout and flag its end. What counts is the camera
/// profile.
public struct TimestampSource: Hashable, Sendable {
    /// The clock that the timestamps are read from, always `CLOCK_MONOTONIC`: other clocks are refused.
    public let clock: String
    /// The moment that the driver claims: `start_of_exposure` (V4L2's SOE) or `end_of_frame` (EOF).
    public let claimedPoint: String
    /// The grain of the timestamps in nanoseconds: V4L2 hands them over in microseconds.
    public let resolutionNanoseconds: Int64

    /// Reads the flags that a driver keeps for its buffers.
    ///
    /// - Parameters:
    ///   - bufferFlags: the flags of a buffer (`V4L2_BUF_FLAG_TIMESTAMP_…` and `V4L2_BUF_FLAG_TSTAMP_SRC_…`); drivers
    ///     keep them for a buffer also before it is filled.
    ///   - device: the node, for messages.
    /// - Throws: ``DeviceError`` for timestamps of a clock that lines and schedules do not share.
    init(bufferFlags: UInt32, device: VideoDevice) throws(DeviceError) {
        let clockFlags = bufferFlags & fl_timestamp_mask
        guard clockFlags == fl_timestamp_monotonic else {
            let kind =
                clockFlags == fl_timestamp_copy ? "copied from elsewhere" : "of an unknown clock"
            throw DeviceError(
                .unsupported,
                "\(device.subject): its driver \(device.capability.driver) gives timestamps "
                    + "\(kind), but CLOCK_MONOTONIC is needed to know when a frame was taken")
        }
        if let other = Self.otherMeaning(device.capability.driver, in: SystemTree(root: "/")) {
            throw DeviceError(
                .unsupported,
                "\(device.subject): its driver was loaded with `\(other)`, so its timestamps are not"
                    + " what the flags say. Load it without: `modprobe -r uvcvideo; modprobe uvcvideo`,"
                    + " and look for the parameter in /etc/modprobe.d and on the kernel's command line"
            )
        }
        clock = "CLOCK_MONOTONIC"
        let source = bufferFlags & fl_timestamp_source_mask
        claimedPoint = source == fl_timestamp_source_start ? "start_of_exposure" : "end_of_frame"
        resolutionNanoseconds = 1_000
    }

    /// The parameter by which a driver's timestamps are others than it claims; nil for none.
    ///
    /// uvcvideo keeps its flags whatever it was loaded with: `hwtimestamps` makes timestamps of the camera's own ones,
    /// which may lie before a frame's readout, and not of all frames. That of another clock is found out while frames
    /// come.
    static func otherMeaning(_ driver: String, in tree: SystemTree) -> String? {
        guard driver == "uvcvideo" else { return nil }
        return tree.switchedOn("hwtimestamps", of: driver).map { "hwtimestamps=\($0.value)" }
    }
}
