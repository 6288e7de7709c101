internal import Timebase

/// The outputs that are to be active during one exposure, and when.
///
/// One exposure at a time: it is armed with two moments, switches the lines on at the first and off at the second, and
/// is idle again. The log has how late the host was; whether the frame had its light follows from what was reported
/// back.
struct LightSchedule {
    /// Idle, waiting for the moment to switch on, or waiting for that to switch off.
    private enum Phase {
        case idle
        case armed
        case lit
    }

    private var phase = Phase.idle
    /// The outputs of the planned exposure, bit = line.
    private var lines: UInt32 = 0
    /// When they are to go on.
    private var on = Instant<Monotonic>.distantFuture
    /// When they are to go off; brought forward where the exposure is given up.
    private(set) var off = Instant<Monotonic>.distantFuture
    /// The lines that are known to have been switched on, or could not be: the log has which.
    private var settled: UInt32 = 0
    /// When the last of them went on, as far as that succeeded.
    private var onSince = Instant<Monotonic>.distantPast
    /// The lines that have not been switched off again, bit = line.
    private var lit: UInt32 = 0
    /// When the last line was switched off.
    private var darkSince = Instant<Monotonic>.distantPast

    /// Whether a new exposure can be planned.
    var isIdle: Bool { phase == .idle }

    /// When something is to be switched next.
    var nextDeadline: Instant<Monotonic> {
        switch phase {
        case .idle: .distantFuture
        case .armed: on
        case .lit: off
        }
    }

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
