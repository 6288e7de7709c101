internal import Devices
internal import Timebase
internal import Tracking

extension ManualCamera {
    /// A frame has come: requests that it is the first to show end with it.
    ///
    /// As in a run, a frame counts for requests only once the stream's clock has settled, and not if it is damaged:
    /// then it is counted, and the next one shows as much.
    mutating func arrive(_ frame: MeteredFrame, _ now: Instant<Monotonic>) {
        let isFirst = clock.last == nil
        let gap = clock.advance(
            to: FrameArrival(
                sequence: frame.sequence, timestamp: frame.timestamp, takenAt: now,
                notBefore: frame.notBefore))
        // The same frame once more shows nothing new.
        guard !gap.isRepeated, let last = clock.last else { return }
        let readout = clock.readoutStart(of: last)
        let step = isFirst || gap.breaksCount ? 0 : gap.numbered + 1
        let observed = ObservedFrame(step: step, timestamp: last.timestamp, readout: readout)
        if gap.breaksCount { timeline.restart(at: observed) } else { timeline.observe(observed) }
        if !frame.isDamaged, clock.framesToSettle == 0, let readout {
            for index in pending.indices where pending[index].sync == nil {
                guard let awaited = pending[index].awaited, isShown(awaited, readout) else {
                    continue
                }
                pending[index].sync = SyncTime(
                    sequence: frame.sequence, deviceTime: frame.timestamp)
            }
        }
        state.sequence = frame.sequence
        framesUnobserved += 1
        if !frame.isDamaged { meter(frame, now) }
        completePending()
    }

    /// Whether the frame at hand surely shows what a request waits for.
    ///
    /// It has to have begun its readout after the last write returned, and the timeline has to show that write, or a
    /// later one, of each group.
    private func isShown(_ awaited: AwaitedWrite, _ readout: ObservedFrame.Readout) -> Bool {
        readout.earliest > awaited.after
            && ControlGroup.all.allSatisfy {
                timeline.shownTicket($0) >= awaited.tickets[$0]
            }
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
