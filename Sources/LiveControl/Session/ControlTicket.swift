public import Devices
internal import Synchronization

/// A request that was issued and whose end can be waited for.
///
/// Dropping the ticket, or cancelling the task that waits, does not take the request back.
public final class ControlTicket: Sendable {
    /// Open with everybody who waits, or ended; it ends once and never opens again.
    private enum Stage {
        case open([CheckedContinuation<RequestOutcome, Never>])
        case ended(RequestOutcome)
    }

    /// The request's number.
    public let id: RequestID
    private let stage = Mutex(Stage.open([]))
    private let mailbox: SessionMailbox

    init(id: RequestID, mailbox: SessionMailbox) {
        self.id = id
        self.mailbox = mailbox
    }

    /// Waits for the request's end, as any number of tasks may; returns at once if it has ended.
    public func outcome() async -> RequestOutcome {
        await withCheckedContinuation { continuation in
            let ended: RequestOutcome? = stage.withLock { stage in
                switch stage {
                case .ended(let outcome): return outcome
                case .open(let waiting):
                    stage = .open(waiting + [continuation])
                    mailbox.addDemand()
                    return nil
                }
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// Waits for the request's end.
    ///
    /// - Throws: `SettingProblem` for what the camera can't do, `DeviceError` if the device failed.
    public func completion() async throws -> ControlCompletion {
        try ControlCompletion(await outcome())
    }

    /// Ends the request; the first call counts.
    ///
    /// Called by the capture thread; by whoever asks, if the session is closed already.
    func end(_ outcome: RequestOutcome) {
        let waiting: [CheckedContinuation<RequestOutcome, Never>] = stage.withLock { stage in
            guard case .open(let waiting) = stage else { return [] }
            stage = .ended(outcome)
            return waiting
        }
        // Whoever waited needs no more time to pass: noted before any task resumes, so that virtual time stops here.
        mailbox.removeDemand(waiting.count)
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}

/// How a request ended that did not fail.
public struct ControlCompletion: Hashable, Sendable {
    /// The first frame that surely shows it; nil for a request that was skipped.
    public var sync: SyncTime?
    /// What could be observed at that frame; nil for a request that was skipped or superseded.
    public var state: ManualState?
    /// The later request that took its place.
    public var supersededBy: RequestID?
    /// Why it was skipped.
    public var skipped: SettingProblem?
    /// What each routine found, for requests that meter.
    public var metered: [ManualSubject: MeteringResult] = [:]

    /// Takes an outcome apart.
    ///
    /// - Throws: the `SettingProblem` of a request that was refused, the `DeviceError` of one that failed.
    init(_ outcome: RequestOutcome) throws {
        switch outcome {
        case .applied(let sync, let state): (self.sync, self.state) = (sync, state)
        case .superseded(let later, let sync): (supersededBy, self.sync) = (later, sync)
        case .metered(let results, let sync, let state):
            (metered, self.sync, self.state) = (results, sync, state)
        case .skipped(let problem): skipped = problem
        case .refused(let problem): throw problem
        case .failed(let error): throw error
        }
    }
}
