internal import Records
internal import Timebase

/// When the rounds of loops are due that have a time from start to start.
///
/// Round n is due n periods after the first one, so that delays do not add up. Where the first frame of the first
/// round comes late, since a stream has to start or a setting to show, the schedule begins with that frame: else the
/// first interval would be shorter than the others.
struct RoundSchedule {
    /// The current round of a loop.
    private struct Round: BitwiseCopyable {
        /// When the first round began.
        var began = Instant<Monotonic>.distantPast
        /// From 0.
        var number: Int64 = 0
        /// Index of the loop's step.
        var step: Int32 = 0
        /// Whether it has no frame yet, and was not late when it began.
        var isOpen = false
    }

    /// By depth of the loop, from 1.
    private var rounds: InlineArray<17, Round> = InlineArray(repeating: Round())

    /// Starts a round, or says when it is due.
    ///
    /// - Parameters:
    ///   - number: from 0.
    ///   - every: from start to start; zero for no schedule.
    ///   - depth: of the loop, from 1.
    ///   - step: index of the loop's step.
    /// - Returns: nil for a round that begins now; one that is late is logged.
    mutating func start(
        _ number: Int64, _ every: Interval, depth: Int, step: Int32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Instant<Monotonic>? {
        guard every > .zero else {
            rounds[depth].isOpen = false
            return nil
        }
        let began = number == 0 ? now : rounds[depth].began
        let due = began + every * number
        rounds[depth] = Round(began: began, number: number, step: step, isOpen: now <= due)
        if number == 0 { return nil }
        if now <= due { return due }
        actions.push(.log(.roundLate(step: step, round: number, late: now - due), at: now))
        return nil
    }

    /// A slot has its frame: the first one of a first round begins the schedule, the first one of another round is late
    /// if it is not the next frame that there was.
    ///
    /// The schedule is laid half a period before a frame: where it lay at its very beginning, the next round would have
    /// this frame or the one behind it, as timestamps vary.
    ///
    /// - Parameters:
    ///   - start: when its exposure began.
    ///   - due: when the slot had its turn.
    ///   - period: from frame to frame; zero if that is not known.
    mutating func noteFrame(
        _ start: Instant<Monotonic>, due: Instant<Monotonic>, period: Interval,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var depth = 1
        while depth < rounds.count {
            defer { depth += 1 }
            guard rounds[depth].isOpen else { continue }
            rounds[depth].isOpen = false
            let round = rounds[depth]
            // An edge from the queue may be older than the round that follows it.
            let wait = start - max(due, round.began)
            if round.number == 0 {
                guard wait > period || wait < period / 4 else { continue }
                rounds[depth].began = round.began + wait - period / 2
            } else if wait > period + period / 4 {
                actions.push(
                    .log(
                        .roundLate(step: round.step, round: round.number, late: wait), at: now))
            }
        }
    }

    /// What comes in these rounds follows an edge: their frames do not show when they began.
    mutating func followEdge() {
        var depth = 1
        while depth < rounds.count {
            rounds[depth].isOpen = false
            depth += 1
        }
    }
}
