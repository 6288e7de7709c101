internal import CVideo
internal import Cameras
internal import Glibc

extension VideoDevice {
    /// Claims the recording priority, so that programs of ordinary priority can't change settings meanwhile.
    ///
    /// - Throws: ``CameraError`` `busy` if another program records; drivers without priorities are let be.
    func claimPriority() throws(CameraError) {
        var priority = V4L2_PRIORITY_RECORD.rawValue
        let result = fl_s_priority(descriptor, &priority)
        if result == -EBUSY {
            throw CameraError(
                .busy,
                "\(subject) is being recorded from by another program; end that first")
        }
    }
}
