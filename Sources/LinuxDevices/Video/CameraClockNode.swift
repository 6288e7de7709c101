internal import CVideo
internal import Devices
internal import Timebase

/// Where a camera's own clock can be read: its metadata node, and how fast the clock ticks.
struct CameraClockNode: Hashable, Sendable {
    /// The metadata node's device file.
    var path: String
    /// As the camera's descriptor says.
    var ticksPerSecond: Int64

    /// Finds it beside a capture node; nil if the camera keeps no such node, or its descriptor names no rate.
    init?(beside node: VideoNode, in tree: SystemTree) {
        guard node.usb != nil, let slash = node.devicePath.lastIndex(of: "/"),
            let descriptors = tree.bytes(node.devicePath[..<slash] + "/descriptors"),
            let ticks = UVCDescriptor.clockFrequency(descriptors)
        else { return nil }
        guard let found = MetadataQueue.nodes(beside: node, in: tree).first else { return nil }
        (path, ticksPerSecond) = (found, ticks)
    }
}

/// A camera's own clock, followed along with its frames.
final class FollowedClock {
    private let queue: MetadataQueue
    private var clock: UVCFrameClock

    init(_ node: CameraClockNode, bufferCount: Int) throws(DeviceError) {
        // A frame's metadata waits as long as the frame.
        queue = try MetadataQueue(
            path: node.path, wanted: bufferCount + 2, formats: [fl_meta_uvc],
            remedy: "without it leave `camera_clock` out of the camera's profile")
        clock = UVCFrameClock(ticksPerSecond: node.ticksPerSecond)
    }

    /// Starts before the frames' own stream.
    func start() throws(DeviceError) { try queue.start() }
    /// Stops.
    func stop() { queue.stop() }

    /// The timestamp of a frame; nil if the camera told none.
    ///
    /// Frames are asked for in order.
    func timestamp(_ sequence: UInt32) -> CameraTimestamp? {
        queue.take(sequence).flatMap { clock.timestamp(of: $0) }
    }
}
