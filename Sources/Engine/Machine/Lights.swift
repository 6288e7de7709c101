internal import Recipes
internal import Timebase

/// The outputs that are to be active during one exposure, and when; and whether a frame had them.
///
/// One exposure at a time: it is armed with two moments, switches the lines on at the first and off at the second, and
/// is idle again. The log has how late the host was; whether the frame had its light follows from what was reported
/// back.
struct Lights {
    /// Idle, waiting for the moment to switch on, or waiting for that to switch off.
    private enum Phase {
        case idle
        case armed
        case lit
    }

    /// Lights are planned at least this far ahead, so that the timer that switches them can be set in time.
    private static let lead = Interval.milliseconds(1)
    /// Frames that may pass without their light for one slot: a host that never is in time must not keep a run from
    /// ending.
    static let mostUnlitFrames = 16

    private var phase = Phase.idle
    /// The outputs of the planned exposure, bit = line.
    private var lines: UInt32 = 0
    /// When they are to go on.
    private var on = Instant<Monotonic>.distantFuture
    /// When they are to go off; brought forward where the exposure is given up.
    private var off = Instant<Monotonic>.distantFuture
    /// The lines that are known to have been switched on, or could not be: the log has which.
    private var settled: UInt32 = 0
    /// When the last of them went on, as far as that succeeded.
    private var onSince = Instant<Monotonic>.distantPast
    /// The lines that have not been switched off again, bit = line.
    private var lit: UInt32 = 0
    /// When the last line was switched off.
    private var darkSince = Instant<Monotonic>.distantPast
    /// The timestamp of the frame that the slot's lights are planned for; nil until they are.
    ///
    /// A timestamp and not a number: the sequence does not count frames that are lost inside the camera.
    private var litFrame: Instant<Monotonic>?
    /// Frames that passed for the slot since their lights were not on, or not for long enough.
    private var unlitFrames = 0

    /// Whether no exposure is planned.
    var isIdle: Bool { phase == .idle }

    /// Whether the slot's lights are planned for a frame that has not come.
    var isPlanned: Bool { litFrame != nil }

    /// When something is to be switched next.
    var nextDeadline: Instant<Monotonic> {
        switch phase {
        case .idle: .distantFuture
        case .armed: on
        case .lit: off
        }
    }

    // MARK: The slot

    /// A slot waits for its frame: nothing is planned for it yet.
    mutating func beginSlot() { (litFrame, unlitFrames) = (nil, 0) }

    /// Plans the lights of the slot that waits for the first frame that can have them from its first row on.
    ///
    /// The stream is periodic, so the exposures of frames to come are known from the last timestamp. Lights stay on
    /// until the last row has been exposed, and so long that the frame's own timestamp proves it, however late it is.
    ///
    /// - Parameters:
    ///   - lines: bit = line.
    ///   - last: the timestamp of the last frame.
    ///   - exposed: the longest that it can have been exposed with the slot's settings.
    ///   - frame: the first frame that can have the slot's settings; 1 is the next.
    ///   - delay: the most that timestamps are late.
    ///   - earliest: the slot's exposure must not begin before this.
    mutating func plan(
        _ lines: UInt32, after last: Instant<Monotonic>, exposed: ExposedSpan, from frame: Int64,
        period: Interval, delay: Interval, notBefore earliest: Instant<Monotonic>,
        _ now: Instant<Monotonic>
    ) {
        let margin = delay + Plan.lightMargin
        let target = max(earliest, now + Self.lead) + margin
        // Rounded up: the first frame whose exposure begins at the target or later.
        let toGo = (target - exposed.start).nanoseconds + period.nanoseconds - 1
        let ahead = period * max(frame, toGo / period.nanoseconds)
        arm(
            lines: lines, on: exposed.start + ahead - margin, off: exposed.end + ahead + margin)
        litFrame = last + ahead
    }

    /// Whether a frame is the one that the slot's lights are planned for, and had them all through its exposure; nil if
    /// it is another one.
    ///
    /// If they were planned for an earlier frame, that one could not be used: they are planned again.
    ///
    /// - Parameters:
    ///   - timestamp: the frame's.
    ///   - exposed: the longest that it can have been exposed; nil if too little is known.
    ///   - tolerance: how far two timestamps that may both be late can be off.
    mutating func judge(
        _ timestamp: Instant<Monotonic>, exposed: ExposedSpan?, tolerance: Interval,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool? {
        guard let litFrame else { return nil }
        if let exposed, cover(exposed.start, exposed.end) { return true }
        guard timestamp > litFrame - tolerance else { return nil }
        planAgain(now, &actions)
        return false
    }

    /// The frame that they were planned for can't be used: they are planned for another one.
    mutating func planAgain(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        cancel(now, &actions)
        litFrame = nil
    }

    /// A frame of the slot passed without its lights.
    ///
    /// - Returns: whether there were too many of them.
    mutating func countUnlit() -> Bool {
        unlitFrames += 1
        return unlitFrames >= Self.mostUnlitFrames
    }

    // MARK: Lines

    /// Plans one exposure; the schedule must be idle.
    ///
    /// - Parameters:
    ///   - lines: bit = line.
    ///   - on: not before the present; the runner is woken for it by ``nextDeadline``.
    ///   - off: later than `on`.
    mutating func arm(lines: UInt32, on: Instant<Monotonic>, off: Instant<Monotonic>) {
        precondition(isIdle && on < off, "lights are planned one exposure at a time")
        self.lines = lines
        self.on = on
        self.off = off
        settled = 0
        onSince = .distantPast
        phase = .armed
    }

    /// An output has been switched, or could not be; it need not be one of these.
    ///
    /// - Parameters:
    ///   - line: index into the plan's lines.
    ///   - active: what it was switched to.
    ///   - planned: when that was to happen, by which switches of this exposure are distinguished from others.
    ///   - succeeded: whether the kernel did it.
    ///   - now: when it was done.
    mutating func note(
        _ line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool,
        _ now: Instant<Monotonic>
    ) {
        let line: UInt32 = 1 << UInt32(line)
        if active, planned == on {
            settled |= line & lines
            if succeeded { onSince = max(onSince, now) }
        } else if !active, lit & line != 0 {
            // Whoever ordered it: what is planned may be another exposure already.
            lit &= ~line
            darkSince = max(darkSince, now)
        }
    }

    /// Whether an exposure surely had its lights all the time.
    ///
    /// Lines that could not be switched on count as on: the log has them as failed, and the verdict uses that.
    func cover(_ start: Instant<Monotonic>, _ end: Instant<Monotonic>) -> Bool {
        settled == lines && onSince <= start && off >= end
    }

    /// Whether a line is on, or may still be.
    var isLit: Bool { lit != 0 }

    /// From when on an exposure has none of these lights, as far as that is known.
    var darkFrom: Instant<Monotonic> { isIdle && !isLit ? darkSince : off }

    /// Lines that are on or going to be, bit = line, and until when.
    typealias Still = (lines: UInt32, until: Instant<Monotonic>)

    /// Those of now.
    var still: Still { (isIdle ? lit : lines | lit, darkFrom) }

    /// Gives up what is planned, and switches off what is on.
    mutating func cancel(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if phase == .lit {
            off = min(off, now)
            switchAll(active: false, planned: off, &actions)
        }
        phase = .idle
    }

    /// Switches what is due.
    ///
    /// Called at every turn; does nothing before its time.
    mutating func advance(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if phase == .armed, now >= on {
            phase = .lit
            lit = lines
            switchAll(active: true, planned: on, &actions)
        }
        if phase == .lit, now >= off {
            phase = .idle
            switchAll(active: false, planned: off, &actions)
        }
    }

    private func switchAll(
        active: Bool, planned: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        // Not `for`: it allocates in debug builds.
        var line: Int32 = 0
        while line < 32 {
            if lines & (1 << UInt32(line)) != 0 {
                actions.push(.setOutput(line: line, active: active, planned: planned))
            }
            line += 1
        }
    }
}

/// The longest that a frame can have been exposed: from the earliest start of its first row to the latest end of its
/// last.
typealias ExposedSpan = (start: Instant<Monotonic>, end: Instant<Monotonic>)
