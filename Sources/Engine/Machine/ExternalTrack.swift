internal import Timebase
internal import Tracking

/// One setting that was changed.
///
/// Two counts, as everything about frames: a change may show from the earlier one on and surely does from the later
/// one.
struct ExternalChange {
    /// The value in the unit of ``AppliedSettings``; nil where it is unknown.
    var value: Int64?
    /// The first frame that may have it, as frames are counted that came or are missing; nil for any.
    var first: Int64?
    /// The first frame that surely has it, as frames are counted of which none is in doubt; without a value, none has.
    var sure: Int64 = 0
}

/// What is known of one setting.
///
/// What stands is what the frame in hand had; a change is what is still to show. In between the setting is in doubt.
struct ExternalTrack {
    /// What the frame in hand had: the run's write, an external value, or unknown.
    private enum State {
        case written
        case changed(Int64)
        case unknown
    }

    private var state = State.written
    private var change: ExternalChange?
    private var isInDoubt = false
    /// The run's writes that what stands, and what is still to show, are believed to have come after; −1 for before
    /// any.
    ///
    /// A frame that shows a later write has neither any more.
    private var tickets: (state: Int64, change: Int64) = (-1, -1)
    /// When it was changed last; `distantPast` if never.
    private var time = Instant<Monotonic>.distantPast

    /// The setting was changed once more, after the run's write `ticket`; what was in doubt stays so.
    ///
    /// - Parameters:
    ///   - next: the change, with the frames that may and surely do show it.
    ///   - time: when it was made.
    ///   - ticket: the run's last write before it.
    mutating func note(
        _ next: ExternalChange, at time: Instant<Monotonic>, after ticket: Int64
    ) {
        tickets.change = ticket
        self.time = time
        change = ExternalChange(
            value: next.value, first: change == nil ? next.first : change?.first,
            sure: next.sure)
    }

    /// The next frame is in hand, which shows the run's write `shown`: a change before that is over.
    ///
    /// - Parameter isCounted: whether it is known how many frames there were since the last one.
    mutating func observe(
        _ clock: borrowing StreamClock, isCounted: Bool, shown: Int64
    ) {
        let (place, surePlace) = (clock.place, clock.surePlace)
        if !isCounted { change?.first = nil }
        if shown > tickets.state { state = .written }
        if shown > tickets.change { (change, isInDoubt) = (nil, false) }
        guard let change else { return }
        // One before the first by count was exposed after the change all the same, where frames between were lost
        // inside the camera.
        var isLater = true
        if let last = clock.last, let readout = clock.readoutStart(of: last) {
            isLater = readout.latest > time
        }
        isInDoubt = isLater || (change.first.map { place >= $0 } ?? true)
        guard isInDoubt else { return }
        if let value = change.value {
            guard surePlace >= change.sure else { return }
            state = .changed(value)
        } else {
            state = .unknown
        }
        tickets.state = tickets.change
        (self.change, isInDoubt) = (nil, false)
    }

    /// The device was read after the write `ticket`, which was under way when the setting was changed: if it has
    /// another value than it was changed to, the write took over later.
    ///
    /// Where the write returned at that very moment, the reading may be older than the change: then nobody knows.
    mutating func noteReading(
        _ reading: Int64?, of ticket: Int64, begun: Instant<Monotonic>, ended: Instant<Monotonic>
    ) {
        guard time >= begun, time <= ended else { return }
        let isDecided = reading != nil && time < ended
        if tickets.change == ticket, let value = change?.value, value != reading {
            if isDecided { tickets.change = ticket - 1 } else { change?.value = nil }
        }
        if tickets.state == ticket, case .changed(let value) = state, value != reading {
            if isDecided { tickets.state = ticket - 1 } else { state = .unknown }
        }
    }

    /// Whether the frame in hand and those to come have what the run wrote: then the plan may be trusted for what is
    /// ahead.
    var isUntouched: Bool {
        if case .written = state { change == nil } else { false }
    }

    /// Whether it is unknown what the frame in hand had.
    var isHidden: Bool {
        if case .unknown = state { true } else { isInDoubt }
    }

    /// Whether somebody else's change would explain that the frame in hand, or the next one, has a value.
    ///
    /// A change of which nobody knows any more where it may show first explains nothing: who reads the record could
    /// not tell.
    func explains(_ value: Int64) -> Bool {
        if let change, change.first != nil, change.value == value { return true }
        if case .changed(value) = state { return true }
        return false
    }

    /// What the frame in hand had, where the run wrote `written`.
    func value(_ written: Int64?) -> Int64? {
        if isInDoubt { return nil }
        return switch state {
        case .written: written
        case .changed(let value): value
        case .unknown: nil
        }
    }
}
