extension RegisterClock {
    /// What the grid makes of a frame's timestamp.
    struct Reading: BitwiseCopyable, Hashable {
        /// The latest moment at which it can have begun.
        var latest: Int64
        /// So much earlier it can have begun.
        var span: Int64
        /// The moment by which frames are to be counted, where its timestamp may be that of a later one.
        var counted: Int64?
        /// Its timestamp came later than that, and than the profile allows.
        var isLate = false
        /// The timestamps before it were all late by at least so much.
        var refuted: Int64?
        /// The period that frames have instead, where registers turn out not to give it.
        var found: Int64?
        /// The phase is known after this frame.
        var isSettled = false
    }
}
