internal import CVideo
internal import Devices
internal import Glibc

/// One device file with controls: a capture node, or the sensor or lens behind it.
///
/// A sub-device is kept open for as long as the camera is: when the last descriptor goes, its driver may switch the
/// part off, and a lens parks.
final class ControlDevice {
    /// The part's name in the media graph; empty for the capture node.
    let part: String
    /// The device file.
    let path: String
    /// Whose controls are read, written and watched through it.
    let descriptor: Int32
    /// Its preallocated requests.
    let writer: ControlWriter
    /// Whether the descriptor is closed with this object.
    private let isOwned: Bool

    /// The controls of a capture node; the descriptor stays the node's.
    init(node: VideoDevice) {
        part = ""
        path = node.path
        descriptor = node.descriptor
        isOwned = false
        writer = ControlWriter(descriptor: descriptor)
    }

    /// Opens the sub-device of a part.
    ///
    /// It is opened for reading and writing, and without blocking.
    ///
    /// - Throws: ``DeviceError`` if rights are missing, or the kernel refuses.
    init(part: String, path: String) throws(DeviceError) {
        let opened = fl_device_open(path)
        if opened == -EACCES || opened == -EPERM {
            throw DeviceError(.permission, MissingRight.message(path: path, group: "video"))
        }
        if let error = KernelError(result: opened) {
            throw DeviceError(.failed, "`\(part)` (\(path)) could not be opened: \(error)")
        }
        self.part = part
        self.path = path
        descriptor = opened
        isOwned = true
        writer = ControlWriter(descriptor: opened)
    }

    deinit {
        if isOwned { _ = close(descriptor) }
    }

    /// Its controls, asked from the driver each time: ranges move with formats and with other controls.
    var list: ControlList { ControlList(descriptor: descriptor) }
}
