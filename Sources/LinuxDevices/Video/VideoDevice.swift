internal import CVideo
internal import Devices
internal import Glibc

/// An open V4L2 capture node and what it reported of itself.
///
/// Closes its descriptor when it goes. One thread at a time.
final class VideoDevice {
    /// The device file, for messages.
    let path: String
    /// The descriptor, non-blocking.
    let descriptor: Int32
    /// What the node reported of itself when it was opened.
    let capability: VideoCapability

    /// Whether frames come through the multi-planar interface.
    var isMultiplanar: Bool { capability.isMultiplanar }

    /// The device file's number, by which the media graph knows the node; nil if it is gone.
    var number: DeviceNumber? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? DeviceNumber(UInt64(status.st_rdev)) : nil
    }

    /// The buffer type that every request of this node carries.
    var bufferType: UInt32 {
        isMultiplanar
            ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    }

    /// How messages name the camera, for example `camera C920 (/dev/video0)`.
    var subject: String { "camera \(capability.card) (\(path))" }

    /// Opens a node.
    ///
    /// Opens for reading and writing, without blocking, by plain ioctls: libv4l's own open may switch on software
    /// automatics.
    ///
    /// - Throws: ``DeviceError`` if it is not there, rights are missing, or it does not capture by streaming.
    convenience init(path: String) throws(DeviceError) {
        let descriptor = fl_device_open(path)
        if let error = KernelError(result: descriptor) {
            throw VideoDevice.openingFailed(path, error)
        }
        try self.init(descriptor: descriptor, path: path)
    }

    /// Takes over an open descriptor; it is closed even if this throws.
    ///
    /// Asks VIDIOC_QUERYCAP alone; nothing is configured.
    init(descriptor: Int32, path: String) throws(DeviceError) {
        self.descriptor = descriptor
        self.path = path
        do throws(DeviceError) {
            capability = try VideoCapability.query(descriptor: descriptor, path: path)
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit {
        _ = close(descriptor)
    }

    /// The error of a request that failed, in words.
    ///
    /// - Parameters:
    ///   - result: what the request returned, negative.
    ///   - action: what it was to do, for example `set the frame rate`.
    ///   - advice: what the person can do; empty if nothing general is known.
    /// - Returns: the driver's refusal with the device's name, the errno and the advice. EBUSY names the programs that
    ///   have the device open, as far as this user may see them.
    func failure(_ result: Int32, _ action: String, advice: String = "") -> DeviceError {
        let error = KernelError(code: -result)
        let tail = advice.isEmpty ? generalAdvice(error.code) : advice
        let hint = tail.isEmpty ? "" : "; \(tail)"
        return DeviceError(
            VideoDevice.kind(of: error.code),
            "\(subject) could not \(action): \(error)\(hint)")
    }

    /// Why a device file could not be opened; without a device, so without its name.
    private static func openingFailed(_ path: String, _ error: KernelError) -> DeviceError {
        switch error.code {
        case EACCES, EPERM:
            return DeviceError(.permission, MissingRight.message(path: path, group: "video"))
        case ENOENT, ENXIO, ENODEV:
            return DeviceError(
                .notFound,
                "there is no camera at \(path) (\(error)); `framelock devices` lists what is there")
        default:
            return DeviceError(kind(of: error.code), "camera \(path) could not be opened: \(error)")
        }
    }

    /// What an errno of V4L2 means to the caller: ENODEV and the like are a camera that is gone, EINVAL and ENOTTY a
    /// request that the driver does not know.
    private static func kind(of code: Int32) -> DeviceError.Kind {
        switch code {
        case ENODEV, ENXIO, ENOENT: .notFound
        case EBUSY: .busy
        case EACCES, EPERM: .permission
        case EINVAL, ENOTTY, EOPNOTSUPP, ENODATA: .unsupported
        default: .failed
        }
    }

    /// What helps whatever was asked; empty where that depends on the request.
    private func generalAdvice(_ code: Int32) -> String {
        switch code {
        case ENODEV: "it was unplugged or its driver gave it up"
        case EBUSY: "it is in use by \(users())"
        case EIO: "check the cable and the camera's power"
        case ETIMEDOUT: "the camera does not answer; unplug it and plug it in again"
        default: ""
        }
    }

    /// The other programs that have the device open, for messages.
    private func users() -> String {
        let names = DeviceUsers.of(path).map(\.description).joined(separator: ", ")
        return names.isEmpty ? "another program" : names
    }
}
