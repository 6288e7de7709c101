internal import Timebase

/// The outputs that are to be active during one exposure, and when.
struct LightSchedule {
    private enum Phase {
        case idle
        case armed
        case lit
    }

    private var phase = Phase.idle
    private var lines: UInt32 = 0
    private var on = Instant<Monotonic>.distantFuture
    private(set) var off = Instant<Monotonic>.distantFuture
    /// The lines that are known to have been switched on, or could not be: the log says which; and since when all are.
    private var settled: UInt32 = 0
    private var onSince = Instant<Monotonic>.distantPast
    /// The lines that have not been switched off again, and since when none is left.
    private var lit: UInt32 = 0
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
