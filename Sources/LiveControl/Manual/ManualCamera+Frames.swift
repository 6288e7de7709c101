internal import Timebase
internal import Tracking

extension ManualCamera {
    /// A frame has come: requests that it is the first to show end with it.
    mutating func arrive(_ frame: MeteredFrame, _ now: Instant<Monotonic>) {
        let gap = clock.advance(
            to: FrameArrival(sequence: frame.sequence, timestamp: frame.timestamp, takenAt: now))
        // The same frame once more shows nothing new.
        if gap.isRepeated { return }
        if gap.breaksCount {
            for index in pending.indices { pending[index].counter?.restart() }
        }
        let earliest = clock.last.flatMap { clock.readoutStart(of: $0)?.earliest }
        for index in pending.indices where pending[index].sync == nil {
            let shows = pending[index].counter?.admits(
                place: clock.surePlace, earliestReadout: earliest)
            if shows == true, !frame.isDamaged {
                pending[index].sync = SyncTime(
                    sequence: frame.sequence, deviceTime: frame.timestamp)
            }
        }
        state.sequence = frame.sequence
        framesUnobserved += 1
        if !frame.isDamaged { meter(frame, now) }
        completePending()
    }

    /// Whether every frame from now on surely shows what was last written of a subject.
    func isCertain(_ subject: ManualSubject) -> Bool {
        !pending.contains { $0.subjects.contains(subject) && $0.sync == nil }
            && !(subject == .focus && lensMoves != nil)
    }

    /// Ends requests in order of issue, as far as the first one that is not in force yet.
    mutating func completePending() {
        noteAdjusting()
        pending.removeAll { $0.id == nil && ($0.sync != nil || $0.failure != nil) }
        while let first = pending.first(where: { $0.id != nil }), let id = first.id {
            guard let outcome = outcome(of: first) else { return }
            pending.removeAll { $0.id == id }
            actions.append(.complete(id, outcome))
        }
    }

    /// How a request ends; nil while that is not known.
    private func outcome(of request: PendingRequest) -> RequestOutcome? {
        if let later = request.overtakenBy {
            guard let other = pending.first(where: { $0.id == later }) else {
                return .superseded(by: later, nil)
            }
            let isSettled = other.sync != nil || other.failure != nil
            return isSettled ? .superseded(by: later, other.sync) : nil
        }
        if let failure = request.failure { return .failed(failure) }
        return request.sync.map { .applied($0, state) }
    }
}
