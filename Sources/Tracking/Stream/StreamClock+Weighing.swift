internal import Timebase

/// What sequence and spacing show together of the frames that are missing before one.
extension StreamClock {
    /// Compares the counts of sequence and timestamps.
    func weigh(
        _ number: SequenceTracker.Statement, _ timestamp: TimestampCheck.Statement
    ) -> FrameGap {
        var gap = FrameGap()
        gap.bySequence = number.frames.map { $0 - 1 }
        if isPaced, let span = timestamp.span,
            let frames = pace.periods(in: span.length, before: span.before, after: span.after)
        {
            let before = span.between.counted + 1
            let owed = frames.fewest - before
            gap.fewestBySpacing = max(-1, owed - span.between.open)
            gap.mostBySpacing = max(-1, frames.most - before + span.between.surplus)
            weigh(owed, number, &gap)
        } else {
            gap.numbered = gap.bySequence ?? 0
            gap.isUnverifiable = gap.bySequence == nil
            gap.breaksCount = number.isJump
            if isPaced, !hasRegisterPeriod, gap.numbered > 0, let span = timestamp.span,
                pace.leavesNoTime(for: gap.numbered + 1, in: span.length + span.before)
            {
                gap.numbered = 0
                gap.isDisputed = true
                gap.breaksCount = true
            }
        }
        return gap
    }

    /// The timestamps speak: `owed` frames are missing at least here and where earlier gaps were left open.
    private func weigh(
        _ owed: Int64, _ number: SequenceTracker.Statement, _ gap: inout FrameGap
    ) {
        guard let fewest = gap.fewestBySpacing, let most = gap.mostBySpacing else { return }
        gap.spaced = max(0, fewest)
        let isReset = known.contains(.sequenceResets) && fewest == most
        if let sequence = gap.bySequence, !(isReset && sequence > most) {
            weigh(sequence, fewest, most, owed, &gap)
        } else {
            weighAlone(fewest, most, owed, number, &gap)
        }
        // Timestamps that jitter contradict nothing where they leave room for what the sequence counts.
        if pace.isInQuestion, !(gap.fitsSequence && pace.isKeptOnAverage) { gap.isDisputed = true }
    }

    /// Both give a count.
    private func weigh(
        _ sequence: Int64, _ fewest: Int64, _ most: Int64, _ owed: Int64, _ gap: inout FrameGap
    ) {
        // Numbers that are not believed are those of no frame.
        if sequence > most {
            gap.unnumbered = min(max(0, most), Self.mostMissing)
            gap.attribution = .doubtful
            gap.isDisputed = true
            gap.breaksCount = true
            return
        }
        if numbers.isInQuestion, fewest != most || sequence != most {
            let missing = min(sequence, max(0, fewest)) + max(0, owed - sequence)
            gap.unnumbered = min(missing, Self.mostMissing)
            gap.attribution = .doubtful
            gap.isDisputed = true
            return
        }
        gap.numbered = sequence
        guard sequence < owed else { return }
        gap.unnumbered = min(owed - sequence, Self.mostMissing)
        let isSure = fewest == most && pace.isConfirmed && lastUnnumbered != gap.unnumbered
        gap.attribution = isSure ? .device : .doubtful
        gap.isDisputed = !isSure
    }

    /// Only the timestamps speak.
    private func weighAlone(
        _ fewest: Int64, _ most: Int64, _ owed: Int64, _ number: SequenceTracker.Statement,
        _ gap: inout FrameGap
    ) {
        gap.unnumbered = min(max(0, owed), Self.mostMissing)
        gap.attribution = pace.isConfirmed ? .unknown : .doubtful
        gap.isUnverifiable = fewest != most || fewest < 0
        gap.isDisputed = gap.unnumbered > 0 && !pace.isConfirmed
        gap.breaksCount = number.isJump && gap.isUnverifiable
    }

    /// Whether a frame's timestamp is contradicted, and nothing shows that it is right nevertheless.
    ///
    /// A timestamp that was set back or lies ahead is found out by the time that the frame was on its way, unless the
    /// host had not looked for it meanwhile.
    ///
    /// - Parameter wasPhaseKnown: whether registers and frames agreed before this frame when frames begin.
    func isContradicted(
        _ arrival: FrameArrival, _ gap: inout FrameGap, wasPhaseKnown: Bool
    ) -> Bool {
        guard isPaced else { return false }
        // Of registers late timestamps are no contradiction, but no timestamp comes early.
        if hasRegisterPeriod {
            return wasPhaseKnown && gap.leavesNoTime && !timestamps.isAsUsual(arrival, pace)
        }
        if gap.isDisputed, gap.unnumbered > 0, gap.bySequence != nil {
            return !timestamps.isAsUsual(arrival, pace)
        }
        let isAgreed = gap.fitsSequence && gap.fewestBySpacing == gap.mostBySpacing
        guard !isAgreed, !timestamps.confirms(for: arrival, pace) else { return false }
        if gap.bySequence == nil {
            gap.isUnverifiable = true
        } else if numbers.isInQuestion || !gap.fitsSequence {
            gap.isDisputed = true
        }
        return true
    }

    /// What a gap and its frame add to a count.
    func count(_ gap: FrameGap) -> FrameCount {
        var count = FrameCount(counted: gap.missing + 1)
        let isDoubtful = gap.isDisputed || gap.isUnverifiable
        if let most = gap.mostBySpacing, !isDoubtful {
            count.open = max(0, most - gap.missing)
        } else {
            count.open = Self.mostMissing
        }
        if pace.isInQuestion {
            count.surplus = gap.missing
        } else if isDoubtful || numbers.isInQuestion {
            count.surplus = gap.missing - (gap.fewestBySpacing ?? -1)
        }
        return count
    }
}
