public import Devices
public import Timebase

/// Forecasts count frames from the last one that was observed: 1 is the next.
///
/// They decide when to write, not what a frame had: one that fails costs frames and makes nothing wrong.
extension SettingsTimeline {
    /// Whether a later setting can be written while frames with an earlier one are still wanted.
    ///
    /// Not without a promised rate, nor where frames are timed so badly that one more or less makes no difference.
    public var looksAhead: Bool {
        guard let period else { return false }
        let doubt = last?.readout.map { $0.latest - $0.earliest } ?? delay
        return max(doubt, delay) * 2 + period / 8 < period
    }

    /// The value that was written last; nil if there is none or it is not known.
    public func newest(_ group: ControlGroup) -> Int32? {
        guard let write = histories[group.rawValue].newest, write.value >= 0 else { return nil }
        return write.value
    }

    /// What the device read back of the newest write with a value; nil if nothing was read back.
    public func reading(_ group: ControlGroup, value: Int32) -> Int64? {
        var number = histories[group.rawValue].count - 1
        while number >= 0 {
            if histories[group.rawValue][number].value == value {
                return histories[group.rawValue][number].reading
            }
            number -= 1
        }
        return nil
    }

    /// Whether a write has not returned yet.
    public var isWriting: Bool {
        var found = false
        for group in ControlGroup.all {
            found = found || (histories[group.rawValue].newest?.isUnderWay ?? false)
        }
        return found
    }

    /// Whether one more write of a group can be kept track of without forgetting one that still matters.
    public func hasRoom(_ group: ControlGroup) -> Bool { histories[group.rawValue].hasRoom }

    /// The first frame, `start` or later, that surely has these values if nothing more is written.
    ///
    /// - Parameters:
    ///   - values: what it is to have.
    ///   - left: groups that do not matter.
    ///   - start: where to begin, at least 1.
    ///   - period: time from frame to frame.
    /// - Returns: nil if no frame to come has them.
    public func firstFrame(
        with values: GroupValues, leaving left: ControlGroups = [], from start: Int64,
        period: Interval
    ) -> Int64? {
        var frame = start
        var isFound = true
        var before = frame - 1
        while isFound, before != frame {
            before = frame
            for group in ControlGroup.all {
                guard isFound, values[group] != GroupValues.anything, !left.has(group) else {
                    continue
                }
                if let next = firstFrame(group, value: values[group], from: frame, period: period) {
                    frame = next
                } else {
                    isFound = false
                }
            }
        }
        return isFound ? frame : nil
    }

    /// The groups that have to be written before any frame, `start` or later, can have these values.
    ///
    /// - Parameters:
    ///   - values: what a frame is to have.
    ///   - start: where to begin, at least 1.
    ///   - period: time from frame to frame.
    public func missing(
        for values: GroupValues, from start: Int64, period: Interval
    ) -> ControlGroups {
        var missing: ControlGroups = []
        var frame = start
        var before = frame - 1
        while before != frame {
            before = frame
            for group in ControlGroup.all {
                guard values[group] != GroupValues.anything, !missing.has(group) else { continue }
                if let next = firstFrame(group, value: values[group], from: frame, period: period) {
                    frame = next
                } else {
                    missing.insert(ControlGroups(group))
                }
            }
        }
        return missing
    }

    private func firstFrame(
        _ group: ControlGroup, value: Int32, from start: Int64, period: Interval
    ) -> Int64? {
        var best: Int64?
        var until = Int64.max
        var number = histories[group.rawValue].count - 1
        while number >= 0 {
            if histories[group.rawValue][number].value == value {
                let from = max(
                    start, framesUntilSure(histories[group.rawValue][number], group, period))
                if from <= until { best = min(best ?? from, from) }
            } else {
                until = min(until, framesBefore(histories[group.rawValue][number], group) - 1)
            }
            number -= 1
        }
        return best
    }

    /// The first frame by which every write up to `ticket` that would take a group away from these values has gone by.
    ///
    /// - Returns: counted from the last frame; nil if these values are still to be written after it.
    public func firstSettledFrame(
        for values: GroupValues, upTo ticket: Int64, period: Interval
    ) -> Int64? {
        var frame: Int64? = 1
        for group in ControlGroup.all {
            guard let soFar = frame, values[group] != GroupValues.anything else { continue }
            var next = 0
            var number = 0
            while number < histories[group.rawValue].count,
                histories[group.rawValue][number].ticket <= ticket
            {
                if histories[group.rawValue][number].value != values[group] { next = number + 1 }
                number += 1
            }
            guard next > 0 else { continue }
            frame =
                next < histories[group.rawValue].count
                ? max(soFar, framesUntilSure(histories[group.rawValue][next], group, period)) : nil
        }
        return frame
    }

    /// The earliest frame that may show what is written now.
    public func earliestFrame(writing group: ControlGroup, at now: Instant<Monotonic>) -> Int64 {
        framesBegun(by: now) + Int64(delay(of: group).earliestFrames) + 1
    }

    /// How many frames lie at most between the earliest one that may show what is written at such a time after some
    /// frame, and the first that surely does.
    ///
    /// - Parameter now: the time by the last frame; by another one it may be earlier or later by as much as timestamps
    ///   can be late.
    public func doubt(
        writing group: ControlGroup, at now: Instant<Monotonic>, period: Interval
    ) -> Int64 {
        let shows = delay(of: group)
        return framesUntil(now + delay + shows.settle, period: period)
            + Int64(shows.latencyFrames) - earliestFrame(writing: group, at: now - delay)
    }

    /// The first frame whose readout surely begins after a time.
    ///
    /// Its timestamp may be as late as timestamps can be, and so may have been the last one's: both count against it.
    public func framesUntil(_ time: Instant<Monotonic>, period: Interval) -> Int64 {
        guard let earliest = last?.readout?.earliest else { return 1 }
        let toGo = (time + delay - earliest).nanoseconds
        return toGo < 0 ? 1 : max(1, toGo / period.nanoseconds + 1)
    }

    /// The first frame that surely shows a write.
    private func framesUntilSure(
        _ write: TimelineWrite, _ group: ControlGroup, _ period: Interval
    ) -> Int64 {
        if let sure = write.sureFrom { return sure - place }
        let latency = Int64(delay(of: group).latencyFrames)
        return framesUntil(write.restsAt, period: period) + latency
    }

    /// The earliest frame that may show a write; 0 or less if the last one may already.
    func framesBefore(_ write: TimelineWrite, _ group: ControlGroup) -> Int64 {
        guard let anchor = write.anchor, let last else { return .min / 4 }
        let earliest = Int64(delay(of: group).earliestFrames)
        let latest = last.readout?.latest ?? last.timestamp
        let since = max(place - anchor.place, most(in: latest - anchor.readout))
        let begun = since == 0 ? framesBegun(by: write.begun) : 0
        return begun + earliest + 1 - since
    }

    /// Frames after the last one whose timestamps will show that their readout had begun by a time, however late they
    /// are.
    private func framesBegun(by time: Instant<Monotonic>) -> Int64 {
        guard let latest = last?.readout?.latest, let period else { return 0 }
        let sure = time - latest - delay - .microseconds(1)
        return max(0, sure.nanoseconds / period.nanoseconds)
    }

    /// The largest number of periods that can lie between two readouts at most so far apart.
    ///
    /// An eighth of a period is left for rates that are not quite what was promised.
    private func most(in span: Interval) -> Int64 {
        guard let period else { return .max / 4 }
        return max(0, (span + period / 8).nanoseconds / period.nanoseconds)
    }
}
