internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Offers the frames that are missing before one that came.
    ///
    /// Each counts as a frame of the stream, so that settings and metadata go on with it, and each may make a slot a
    /// hole. Numbered ones come first: where the others lie between them is unknown.
    ///
    /// - Returns: what all of those had that no number stands for; nil if there are none.
    mutating func offerMissing(
        _ gap: FrameGap, between before: StreamFrame, and after: StreamFrame, bySlot: Int64,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> GroupValues? {
        guard gap.missing > 0 else { return nil }
        var shown: GroupValues?
        reporter.flushSkipped(now, &actions)
        reportNumbered(gap, between: before, and: after, now, &actions)
        report(gap.unnumbered, gap.attribution.reason, before: after.sequence, now, &actions)
        // Not `for`: it allocates in debug builds.
        var number: Int64 = 0
        while number < gap.missing {
            number += 1
            let isNumbered = number <= gap.numbered
            let lost = missing(number, of: gap, between: before, and: after)
            let reason = isNumbered ? reason(ofNumbered: lost) : gap.attribution.reason
            timeline.observe(
                observed(
                    lost, step: isNumbered ? 1 : 0, isLostInside: reason == .droppedByDevice))
            metadata.observeMissing(expected: believedSettings)
            if !isNumbered { shown = common(shown, shownValues) }
            var gapEvidence: GapEvidence = isNumbered ? .sequence : []
            if number <= gap.spaced { gapEvidence.insert(.spacing) }
            if number > gap.missing - bySlot { gapEvidence.insert(.slot) }
            // What neither number nor slot shows, spacing does, though it may belong into an earlier gap.
            if gapEvidence.isEmpty { gapEvidence = .spacing }
            offer(
                lost, clock.readoutStart(of: lost), lost: reason, by: gapEvidence,
                isDelivered: false, now, &actions)
        }
        return shown
    }

    /// What the last frame surely had of each group; an unknown one is the value of nothing.
    private var shownValues: GroupValues {
        var values = GroupValues()
        ControlGroups.all.forEach { group in
            values[group] = GroupValues.nothing
            if case .exactly(let value, _) = timeline.shown(group) { values[group] = value }
        }
        return values
    }

    /// What both had; what differs is the value of nothing.
    private func common(_ first: GroupValues?, _ second: GroupValues) -> GroupValues {
        guard var common = first else { return second }
        ControlGroups.all.forEach { group in
            if common[group] != second[group] { common[group] = GroupValues.nothing }
        }
        return common
    }

    /// Whether frames that had some values had what is wanted.
    func isShown(_ wanted: GroupValues, in shown: GroupValues) -> Bool {
        var isShown = true
        ControlGroups.all.forEach { group in
            guard wanted[group] != GroupValues.anything else { return }
            isShown = isShown && wanted[group] == shown[group]
        }
        return isShown
    }

    /// The missing frame of a gap that has this place in it, from 1.
    ///
    /// Missing frames are spread evenly over the time between the two that came. One without a number has that of the
    /// frame behind it.
    ///
    /// - Parameter number: 1 to the gap's missing frames; one more is the frame behind it.
    func missing(
        _ number: Int64, of gap: FrameGap, between before: StreamFrame, and after: StreamFrame
    ) -> StreamFrame {
        let step = (after.timestamp - before.timestamp) / (gap.missing + 1)
        let first = after.sequence &- UInt32(truncatingIfNeeded: gap.numbered)
        return StreamFrame(
            sequence: number <= gap.numbered
                ? first &+ UInt32(truncatingIfNeeded: number - 1) : after.sequence,
            timestamp: before.timestamp + step * number, delay: max(before.delay, after.delay),
            isTimedByArrival: before.isTimedByArrival || after.isTimedByArrival)
    }

    /// Reports the missing frames with numbers of their own: those from one reason to the next in one event.
    mutating func reportNumbered(
        _ gap: FrameGap, between before: StreamFrame, and after: StreamFrame,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var count: Int64 = 0
        var number: Int64 = 0
        while number < gap.numbered {
            number += 1
            count += 1
            let lost = missing(number, of: gap, between: before, and: after)
            let why = reason(ofNumbered: lost)
            let next = missing(number + 1, of: gap, between: before, and: after)
            if number == gap.numbered || reason(ofNumbered: next) != why {
                report(count, why, before: lost.sequence &+ 1, now, &actions)
                count = 0
            }
        }
    }

    /// One event for so many frames; none for none.
    private func report(
        _ count: Int64, _ reason: HoleReason, before sequence: UInt32,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard count > 0 else { return }
        actions.push(
            .log(.framesMissing(count: count, before: sequence, reason: reason), at: now))
    }
}
