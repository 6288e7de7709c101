internal import CVideo
internal import Devices
internal import Glibc

/// Writes controls without allocating: the kernel's structures are made once.
///
/// Called on the capture thread. A batch goes out as one request per 16 controls, in the order given; which of them the
/// hardware gets first is the driver's business.
final class ControlWriter {
    /// Controls in one request; more are sent as several.
    static let batchMaximum = 16

    private let descriptor: Int32
    private let controls: UnsafeMutablePointer<v4l2_ext_control>
    /// The request, which points to ``controls``.
    private let request: UnsafeMutablePointer<v4l2_ext_controls>

    /// - Parameter descriptor: whose controls are written; stays the caller's.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        controls = .allocate(capacity: ControlWriter.batchMaximum)
        controls.initialize(repeating: v4l2_ext_control(), count: ControlWriter.batchMaximum)
        request = .allocate(capacity: 1)
        request.initialize(to: v4l2_ext_controls())
    }

    deinit {
        controls.deallocate()
        request.deallocate()
    }

    /// Sets one place of the next request.
    ///
    /// - Parameters:
    ///   - place: 0 to ``batchMaximum`` − 1; places are filled from 0 on.
    ///   - id: `V4L2_CID_…`.
    ///   - code: the value; of a 32-bit control its lower half counts.
    @_noLocks
    func put(_ place: Int, id: UInt32, code: Int64) {
        controls[place] = v4l2_ext_control()
        controls[place].id = id
        // Little-endian, so that a 32-bit control finds its value in the lower half.
        controls[place].value64 = code
    }

    /// Sends the first `count` places (VIDIOC_S_EXT_CTRLS).
    ///
    /// The kernel checks all values before it writes the first. After that each is a step of its own, so that an error
    /// may leave the earlier ones in force (VIDIOC_S_EXT_CTRLS, `error_idx`). Values out of range are clamped in
    /// silence.
    ///
    /// - Returns: 0, or the negative errno: EACCES for an inactive control of `uvcvideo`, EBUSY for one that is
    ///   grabbed, EIO or EILSEQ where the device refuses, ETIMEDOUT after about 5 s where a USB camera is silent.
    @_noLocks
    func send(_ count: Int) -> Int32 {
        request.pointee = v4l2_ext_controls()
        request.pointee.count = UInt32(truncatingIfNeeded: count)
        request.pointee.controls = controls
        let result = fl_s_ext_ctrls(descriptor, request)
        return result < 0 ? result : 0
    }
}
