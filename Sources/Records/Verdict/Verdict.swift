/// How a run ended.
public enum RunEnding: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// Every slot had its turn.
    case completed
    /// It was asked to stop, and stopped in order.
    case interrupted
    /// The camera went away.
    case deviceLost = "device-lost"
    /// The stream stood still.
    case streamStalled = "stream-stalled"
    /// The disk refused, or was too slow for a recipe that stops then.
    case storageFailed = "storage-failed"
    /// The camera refused settings.
    case settingsRefused = "settings-refused"
    /// An edge did not come in time, and everything that was still to come stood under it.
    case triggerTimeout = "trigger-timeout"
    /// The program or the machine came to a sudden end; the record was ended afterwards, by `framelock recover`.
    case cut
}

/// What can be believed of a run, in one word; docs/verdicts.md has the exit code of each.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case trustworthy
    case missingFrames = "missing-frames"
    case lockViolated = "lock-violated"
    case triggerMismatch = "trigger-mismatch"
    case clockUncertain = "clock-uncertain"
    case partial
}
