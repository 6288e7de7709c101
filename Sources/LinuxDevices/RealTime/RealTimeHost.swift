internal import CRealTime
public import Devices
internal import Glibc

/// The host made ready for one run: memory locked, idle states kept shallow.
///
/// Undone when it goes, so it has to be kept for as long as the run takes. Missing rights never fail anything; they are
/// noted in ``grant``.
public final class RealTimeHost {
    /// What was granted and what was refused.
    public let grant: RealTimeGrant

    private let isLocked: Bool
    /// The open request for a low latency; a negative errno where it was refused.
    private let latencyRequest: Int32

    /// Where the kernel takes requests for a CPU latency: 32 bits, in microseconds, valid for as long as the file is
    /// open.
    ///
    /// Documentation/power/pm_qos_interface.rst.
    private static let latencyFile = "/dev/cpu_dma_latency"

    /// Asks the kernel for both.
    ///
    /// Called once buffers are allocated: memory is locked as it is then, and as it grows (`mlockall` with MCL_CURRENT
    /// and MCL_FUTURE), which RLIMIT_MEMLOCK has to allow. Memory is locked for the whole process, whichever thread
    /// calls.
    public init() {
        var grant = RealTimeGrant()
        let locked = fl_memory_lock()
        grant.note(
            "memory locked", locked,
            advice: "raise memlock (LimitMEMLOCK=infinity in the unit; people join the group "
                + "framelock, which has it by deploy/install's `@framelock - memlock unlimited`)")
        isLocked = locked >= 0
        latencyRequest = RealTimeHost.requestLatency()
        grant.note(
            "CPU idle latency of 0 us (\(RealTimeHost.latencyFile))",
            latencyRequest < 0 ? latencyRequest : 0,
            advice: "join the group framelock, to which deploy/install's udev rules give "
                + "\(RealTimeHost.latencyFile)"
        )
        self.grant = grant
    }

    deinit {
        if isLocked { _ = fl_memory_unlock() }
        // The kernel keeps the request for as long as the file is open.
        if latencyRequest >= 0 { close(latencyRequest) }
    }

    /// Opens ``latencyFile`` and writes 0 into it, which keeps CPUs in the idle state that they leave fastest.
    ///
    /// - Returns: the open descriptor, or the negative errno.
    private static func requestLatency() -> Int32 {
        let descriptor = open(latencyFile, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return -errno }
        var microseconds: Int32 = 0
        guard write(descriptor, &microseconds, MemoryLayout<Int32>.size) > 0 else {
            let error = -errno
            close(descriptor)
            return error
        }
        return descriptor
    }
}
