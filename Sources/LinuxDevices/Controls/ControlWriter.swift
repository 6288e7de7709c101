internal import CVideo
internal import Devices
internal import Glibc

/// Writes controls without allocating: the kernel's structures are made once.
///
/// Called on the capture thread. A batch goes out as one request per 16 controls, in the order given; which of them the
/// hardware gets first is the driver's business.
final class ControlWriter {
    /// Controls in one request.
    static let batchMaximum = 16

    private let descriptor: Int32
    private let controls: UnsafeMutablePointer<v4l2_ext_control>
    private let request: UnsafeMutablePointer<v4l2_ext_controls>

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
    @_noLocks
    func put(_ place: Int, id: UInt32, code: Int64) {
        controls[place] = v4l2_ext_control()
        controls[place].id = id
        // Little-endian, so that a 32-bit control finds its value in the lower half.
        controls[place].value64 = code
    }

    /// Sends the first `count` places.
    ///
    /// - Returns: 0, or the negative errno.
    @_noLocks
    func send(_ count: Int) -> Int32 {
        request.pointee = v4l2_ext_controls()
        request.pointee.count = UInt32(truncatingIfNeeded: count)
        request.pointee.controls = controls
        let result = fl_s_ext_ctrls(descriptor, request)
        return result < 0 ? result : 0
    }
}
