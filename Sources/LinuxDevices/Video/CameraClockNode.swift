internal import CVideo
internal import Devices
internal import Timebase

/// Where a camera's own clock can be read: its metadata node, and how fast the clock ticks.
struct CameraClockNode: Hashable, Sendable {
    /// The metadata node's device file.
    var path: String
    /// Ticks of the camera's clock in a second, as its descriptor states (`dwClockFrequency`).
    var ticksPerSecond: Int64

    /// Finds it beside a capture node; nil if the camera keeps no such node, or its descriptor names no rate.
    ///
    /// Of USB cameras alone: their descriptors are a file of the device above the interface in sysfs.
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
///
/// Reads the packet headers that `uvcvideo` keeps on the metadata node (UVCH); one thread at a time.
final class FollowedClock {
    private let queue: MetadataQueue
    private var clock: UVCFrameClock

    /// - Parameters:
    ///   - node: where the clock is read.
    ///   - bufferCount: how many frame buffers the camera has; two more are asked for here.
    /// - Throws: ``DeviceError`` if the node can't be opened or keeps no such headers.
    init(_ node: CameraClockNode, bufferCount: Int) throws(DeviceError) {
        // A frame's metadata waits as long as the frame.
        queue = try MetadataQueue(
            path: node.path, wanted: bufferCount + 2, formats: [fl_meta_uvc],
            remedy: "without it leave `camera_clock` out of the camera's profile")
        clock = UVCFrameClock(ticksPerSecond: node.ticksPerSecond)
    }

    /// Starts before the frames' own stream, so that no frame comes without its headers.
    func start() throws(DeviceError) { try queue.start() }
    /// Stops.
    func stop() { queue.stop() }

    /// The timestamp of a frame; nil if the camera sent none.
    ///
    /// Frames are asked for in order.
    func timestamp(_ sequence: UInt32) -> CameraTimestamp? {
        queue.take(sequence).flatMap { clock.timestamp(of: $0) }
    }
}
