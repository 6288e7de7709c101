internal import CVideo
internal import Devices
internal import Glibc

/// How long the kernel is to refuse other programs' writes to a camera (V4L2's priorities).
public enum PriorityClaim: Hashable, Sendable {
    /// Not at all.
    case never
    /// While the camera is configured: from then on writes of others succeed, and are noticed.
    case untilStart
    /// As long as the camera is open: `v4l2-ctl` and others get EBUSY.
    case always
}

extension VideoDevice {
    /// What a descriptor may be claimed for.
    enum Priority {
        /// As every program is by itself.
        case interactive
        /// Above every program that claims nothing.
        case record
    }

    /// Claims a priority for this descriptor.
    ///
    /// VIDIOC_S_PRIORITY: while a descriptor has the record priority, the kernel refuses changes by all other
    /// descriptors of the device (EBUSY), also by our own of its metadata node.
    ///
    /// - Throws: ``DeviceError`` `busy` if another program records; drivers without priorities are let be.
    func setPriority(_ priority: Priority) throws(DeviceError) {
        var code =
            priority == .record
            ? V4L2_PRIORITY_RECORD.rawValue : V4L2_PRIORITY_INTERACTIVE.rawValue
        let result = fl_s_priority(descriptor, &code)
        if result == -EBUSY {
            throw DeviceError(
                .busy,
                "\(subject) is being recorded from by another program; end that first")
        }
    }
}
