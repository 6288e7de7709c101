internal import Devices
internal import Timebase

/// What lies between two frames that have their edges, and what counting shows of it.
extension TriggerMatcher {
    private enum Fate {
        /// The camera surely did not take it.
        case early
        /// It may have been too early.
        case uncertain
        /// The camera was ready.
        case ready
    }

    /// Walks the edges of a section and returns what the camera made of each.
    private struct Walk {
        let window: TriggerWindow
        /// Whether an edge without a delivered frame can have been taken: its frame is missing.
        let canBeTaken: Bool
        var taken: Taken?
        /// Whether it is only assumed that the camera took that edge: its frame never came.
        private(set) var isAssumed = false

        init(window: TriggerWindow, canBeTaken: Bool, taken: Taken?) {
            (self.window, self.canBeTaken, self.taken) = (window, canBeTaken, taken)
        }

        mutating func fate(_ pending: PendingEdge) -> Fate {
            guard let last = taken else {
                if canBeTaken {
                    taken = Taken(earliest: pending.timestamp, latest: pending.timestamp)
                    isAssumed = true
                }
                return .ready
            }
            if window.isSurelyEarly(pending.timestamp, after: last.earliest) { return .early }
            let isReady = window.isSurelyReady(pending.timestamp, after: last.latest)
            if canBeTaken {
                taken = Taken(
                    earliest: isReady ? pending.timestamp : last.earliest, latest: pending.timestamp
                )
                isAssumed = true
            }
            return isReady ? .ready : .uncertain
        }
    }

    /// What counting a section amounts to.
    private enum Account {
        /// No frame is missing: edges without a frame made none.
        case complete
        /// So many frames are missing as edges were surely taken; those that may have been too early were.
        case explained(takesUncertain: Bool)
        /// The counts disagree.
        case open
    }

    /// Decides the first `count` edges and all strays, and removes them.
    ///
    /// - Parameter frame: the frame that has the edge after them.
    /// - Returns: whether the counts agree, so that no edge is unaccounted for that the kernel lost.
    mutating func closeSection(before count: Int, _ frame: TriggeredFrame) -> Bool {
        var lost: Int64 = 0
        var place = 0
        while place <= count {
            lost += edges[place].lostBefore
            place += 1
        }
        let stray = Int64(strays.count)
        let (ready, uncertain) = countFates(count)
        let account = account(ready, uncertain, lost: lost, stray: stray, frame)
        let isBalanced = lost == 0 || isBalanced(account, ready, uncertain, lost, stray)
        closeStrays(lost: lost, isBalanced: isBalanced, count)
        closeEdges(count, account, frame)
        strays.removeFirst(strays.count)
        edges.removeFirst(count)
        return isBalanced
    }

    private func countFates(_ count: Int) -> (ready: Int64, uncertain: Int64) {
        var walk = Walk(window: window, canBeTaken: missing != 0, taken: taken)
        var (ready, uncertain): (Int64, Int64) = (0, 0)
        var place = 0
        while place < count {
            if edges[place].timestamp >= armed {
                switch walk.fate(edges[place]) {
                case .early: break
                case .uncertain: uncertain += 1
                case .ready: ready += 1
                }
            }
            place += 1
        }
        return (ready, uncertain)
    }

    private func account(
        _ ready: Int64, _ uncertain: Int64, lost: Int64, stray: Int64, _ frame: TriggeredFrame
    ) -> Account {
        guard let missing else { return ready + uncertain == 0 ? .complete : .open }
        if missing == 0 { return .complete }
        // Frames that the edges on record have to explain.
        let wanted = missing + stray - lost
        let edges = ready + uncertain
        // Numbers of frames are given from the end: those before may belong to edges that were lost.
        guard edges <= frame.missing ?? 0 || edges == 0, stray == 0 || lost > 0 else {
            return .open
        }
        if wanted == edges { return .explained(takesUncertain: true) }
        if wanted == ready { return .explained(takesUncertain: false) }
        return .open
    }

    /// Whether the edges that the kernel lost are as many as the frames that only they explain.
    private func isBalanced(
        _ account: Account, _ ready: Int64, _ uncertain: Int64, _ lost: Int64, _ stray: Int64
    ) -> Bool {
        switch account {
        case .complete: missing == 0 && lost == stray
        case .explained: uncertain == 0
        case .open: false
        }
    }

    private mutating func closeStrays(lost: Int64, isBalanced: Bool, _ count: Int) {
        var place = 0
        while place < strays.count {
            let stray = strays[place]
            let outcome: TriggerClass =
                if lost > 0 {
                    isBalanced ? .lost : .ambiguous
                } else if !countsEdges || missing != 0 || isNearEdge(stray, count) {
                    .ambiguous
                } else {
                    .spurious
                }
            decide(outcome, nil, stray.sequence)
            place += 1
        }
    }

    /// Whether one of the edges without a frame is so near that a timestamp that is later than promised would explain
    /// both.
    private func isNearEdge(_ stray: TriggeredFrame, _ count: Int) -> Bool {
        var place = 0
        while place < count {
            if !isEarly(edges[place]), isNear(stray, edges[place]) { return true }
            place += 1
        }
        return false
    }

    private func isNearStray(_ pending: PendingEdge) -> Bool {
        var place = 0
        while place < strays.count {
            if isNear(strays[place], pending) { return true }
            place += 1
        }
        return false
    }

    private func isNear(_ stray: TriggeredFrame, _ pending: PendingEdge) -> Bool {
        window.distance(stray, from: pending.timestamp) < window.shortestPeriod
    }

    /// Decides the edges of a section.
    ///
    /// An edge whose frame never came may as well have been one that the camera did not see, or its frame was lost
    /// inside the camera, where no number shows it. What follows it closely enough to have found the camera busy is
    /// ambiguous then: bounces, which fit the same frame, excepted.
    private mutating func closeEdges(
        _ count: Int, _ account: Account, _ frame: TriggeredFrame
    ) {
        var walk = Walk(window: window, canBeTaken: missing != 0, taken: taken)
        let (ready, uncertain) = countFates(count)
        var sequence = frame.sequence
        if case .explained(let takesUncertain) = account {
            sequence = frame.sequence &- UInt32(ready + (takesUncertain ? uncertain : 0))
        }
        var unanswered: Instant<Monotonic>?
        var place = 0
        while place < count {
            let pending = edges[place]
            place += 1
            if pending.timestamp < armed {
                decide(.missed, pending.edge)
                continue
            }
            // As it stood before this edge.
            let (before, isAssumed) = (walk.taken, walk.isAssumed)
            let fate = walk.fate(pending)
            switch (account, fate) {
            case (_, .early) where isDouble(pending, after: before):
                decide(.double, pending.edge)
            case (_, .early): decide(isAssumed ? .ambiguous : .missed, pending.edge)
            case (.complete, _) where isNearStray(pending): decide(.ambiguous, pending.edge)
            case (.complete, .uncertain), (.explained(takesUncertain: false), .uncertain):
                decide(.missed, pending.edge)
            case (.complete, .ready):
                let isReady =
                    unanswered.map { window.isSurelyReady(pending.timestamp, after: $0) } ?? true
                unanswered = pending.timestamp
                decide(isReady ? .spurious : .ambiguous, pending.edge)
            case (.explained, _):
                if isContested(pending, place..<count) {
                    decide(.ambiguous, pending.edge)
                } else {
                    decide(.matched, pending.edge, sequence, isDelivered: false)
                }
                sequence &+= 1
            case (.open, _): decide(.ambiguous, pending.edge)
            }
        }
    }

    /// Whether one of the edges behind an edge without its frame was too early after it and is no bounce: the missing
    /// frame may be that one's, if the camera did not see this one.
    private func isContested(_ pending: PendingEdge, _ behind: Range<Int>) -> Bool {
        var place = behind.lowerBound
        while place < behind.upperBound,
            window.isSurelyEarly(edges[place].timestamp, after: pending.timestamp)
        {
            if edges[place].timestamp - pending.timestamp > window.width { return true }
            place += 1
        }
        return false
    }
}
