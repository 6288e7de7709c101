internal import CVideo
internal import Cameras
internal import Glibc
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
        let siblings = tree.names(in: node.devicePath + "/video4linux").filter { $0 != node.name }
        let found = siblings.map { tree.path("/dev/\($0)") }.first(where: Self.isMetadataNode)
        guard let found else { return nil }
        (path, ticksPerSecond) = (found, ticks)
    }

    private static func isMetadataNode(_ path: String) -> Bool {
        let descriptor = fl_device_open(path)
        guard descriptor >= 0 else { return descriptor == -EACCES || descriptor == -EPERM }
        defer { close(descriptor) }
        guard case .success(let capability) = VideoCapability.ask(descriptor: descriptor) else {
            return false
        }
        return capability.flags & UInt32(V4L2_CAP_META_CAPTURE) != 0
    }
}

/// A camera's own clock, followed along with its frames.
final class FollowedClock {
    private let queue: MetadataQueue
    private var clock: UVCFrameClock

    init(_ node: CameraClockNode, bufferCount: Int) throws(CameraError) {
        // A frame's metadata waits as long as the frame.
        queue = try MetadataQueue(path: node.path, wanted: bufferCount + 2)
        clock = UVCFrameClock(ticksPerSecond: node.ticksPerSecond)
    }

    /// Starts before the frames' own stream.
    func start() throws(CameraError) { try queue.start() }
    /// Stops.
    func stop() { queue.stop() }

    /// The stamp of a frame; nil if the camera told none.
    ///
    /// Frames are asked for in order.
    func stamp(_ sequence: UInt32) -> CameraStamp? {
        queue.take(sequence).flatMap { clock.stamp(of: $0) }
    }
}
