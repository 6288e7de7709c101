internal import CRealTime

/// SIGINT, SIGTERM and SIGHUP as something to count: the first asks a run to finish, the second to break off.
///
/// SIGPIPE is ignored from then on, so that a reader who leaves changes no exit code.
///
/// Process-wide, as signals are. Nothing but a counter and a descriptor is touched in the handler.
public enum Interrupts {
    /// Counts the signals from now on, from zero, instead of ending the process.
    ///
    /// They are also unblocked for the calling thread, and so for threads that it makes later: a program may inherit
    /// them blocked. SIGHUP stays ignored where it is, as under `nohup`. A SIGHUP after another signal does not count,
    /// because the end of a login session sends SIGTERM and SIGHUP together.
    ///
    /// - Returns: the descriptor that each signal makes readable, or nil if the kernel refused. Calling this again
    ///   gives the same one.
    public static func catchSignals() -> Int32? {
        let descriptor = fl_interrupts_catch()
        return descriptor >= 0 ? descriptor : nil
    }

    /// How many signals came since ``catchSignals()``.
    @_noLocks
    public static func count() -> Int { Int(fl_interrupts_count()) }

    /// Makes the descriptor unreadable again; the count stays.
    ///
    /// Called by the thread that polls, after each wait that the descriptor ended; else every further wait ends at
    /// once.
    public static func acknowledge(_ descriptor: Int32) {
        _ = fl_event_take(descriptor)
    }

    /// Gives the signals their usual meaning back, except for SIGPIPE, which stays ignored.
    ///
    /// The descriptor stays open, since a handler may be about to signal it.
    public static func release() {
        _ = fl_interrupts_release()
    }
}
