internal import CRealTime

/// How precisely the kernel ends this thread's waits.
public enum WaitPrecision {
    /// Has deadlines of this thread kept as well as the kernel can; usually it adds up to 50 us, to wake up less often.
    public static func raise() { _ = fl_timers_exact() }
}
