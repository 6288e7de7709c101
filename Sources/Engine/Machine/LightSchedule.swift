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
    private var off = Instant<Monotonic>.distantFuture

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
        phase = .armed
    }

    /// Gives up what is planned, and switches off what is on.
    mutating func cancel(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if phase == .lit { switchAll(active: false, planned: min(off, now), &actions) }
        phase = .idle
    }

    /// Switches what is due.
    mutating func advance(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        if phase == .armed, now >= on {
            phase = .lit
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
