import Glibc

/// CLOCK_MONOTONIC, and waiting on it.
enum HostClock {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Sleeps until there is something to read, a signal arrives, or the time has come.
    ///
    /// By pselect, since it has nanoseconds where poll has milliseconds.
    ///
    /// - Parameters:
    ///   - socket: what to read from; nil to wait for time and signals only.
    ///   - deadline: nil to wait without end.
    /// - Returns: whether the socket has something to read, or is closed.
    static func wait(
        socket: Int32?, until deadline: Int64?, signals: sigset_t
    ) throws(SystemFailure) -> Bool {
        var readable = fd_set()
        if let socket {
            guard socket < 1024 else { throw SystemFailure("too many open files", code: EMFILE) }
            withUnsafeMutableBytes(of: &readable) { $0[Int(socket) / 8] |= 1 << UInt8(socket % 8) }
        }
        var mask = signals
        let highest = (socket ?? -1) + 1
        let result: Int32
        if let deadline {
            let remaining = max(0, deadline - now())
            var limit = timespec(
                tv_sec: Int(remaining / 1_000_000_000), tv_nsec: Int(remaining % 1_000_000_000))
            result = pselect(highest, &readable, nil, nil, &limit, &mask)
        } else {
            result = pselect(highest, &readable, nil, nil, nil, &mask)
        }
        if result < 0, errno != EINTR { throw SystemFailure("cannot wait for the host") }
        return result > 0
    }

    /// Asks for a real-time priority: a thread without one is woken up to 50 µs late by design (timer slack).
    static func becomeRealTime() {
        var parameters = sched_param()
        parameters.sched_priority = 20
        sched_setscheduler(0, SCHED_FIFO, &parameters)
    }
}
