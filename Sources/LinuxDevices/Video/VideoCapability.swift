internal import CVideo
internal import Devices

/// What a video node reports of itself (VIDIOC_QUERYCAP).
struct VideoCapability: Hashable, Sendable {
    /// The kernel driver, for example `uvcvideo`.
    var driver: String
    /// What the device calls itself.
    var card: String
    /// Where it is attached, for example `usb-0000:01:00.0-1.2`.
    var bus: String
    /// What this node (not the whole device) can do: `V4L2_CAP_…`.
    var flags: UInt32

    /// Whether the node gives frames: single- or multi-planar capture, not memory-to-memory.
    var isCapture: Bool {
        let capture = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        return flags & capture != 0
    }
    /// Whether frames come in mapped buffers.
    var isStreaming: Bool { flags & UInt32(V4L2_CAP_STREAMING) != 0 }
    /// Whether only the multi-planar interface is there.
    var isMultiplanar: Bool { flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 }
    /// Whether inputs and formats are decided in the media graph.
    var isMediaCentric: Bool { flags & UInt32(V4L2_CAP_IO_MC) != 0 }

    /// Asks an open descriptor.
    ///
    /// A node for metadata or for output answers as well, and is refused here.
    ///
    /// - Throws: ``DeviceError`` if it is no V4L2 device, or one that does not capture by streaming.
    static func query(descriptor: Int32, path: String) throws(DeviceError) -> VideoCapability {
        let capability: VideoCapability
        switch ask(descriptor: descriptor) {
        case .success(let answer): capability = answer
        case .failure(let error):
            throw DeviceError(.unsupported, "\(path) is not a camera: \(error)")
        }
        guard capability.isCapture, capability.isStreaming else {
            throw DeviceError(
                .unsupported,
                "\(path) (\(capability.card)) is no node that frames can be captured from; "
                    + "`framelock devices` lists those that are")
        }
        return capability
    }

    /// Asks an open descriptor, whatever kind of node it is (VIDIOC_QUERYCAP).
    static func ask(descriptor: Int32) -> Result<VideoCapability, KernelError> {
        var answer = v4l2_capability()
        if let error = KernelError(result: fl_querycap(descriptor, &answer)) {
            return .failure(error)
        }
        // A driver of many nodes reports them all in `capabilities`, this one in `device_caps`.
        let perNode = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        return .success(
            VideoCapability(
                driver: fixedText(answer.driver), card: fixedText(answer.card),
                bus: fixedText(answer.bus_info),
                flags: perNode ? answer.device_caps : answer.capabilities))
    }
}

/// The text in a C array of characters, which need not end with a zero.
func fixedText<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
