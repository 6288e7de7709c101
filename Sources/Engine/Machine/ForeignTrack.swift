internal import Timebase

/// One setting that was changed.
struct ForeignChange {
    /// The value in the unit of ``AppliedSettings``; nil where nobody knows it.
    var value: Int64?
    /// The first frame that may have it, as frames are counted that came or are missing; nil for any.
    var first: Int64?
    /// The first frame that surely has it, as frames are counted of which none is in doubt; without a value, none has.
    var sure: Int64 = 0
}

/// What is known of one setting.
struct ForeignTrack {
    private enum Standing {
        case written
        case changed(Int64)
        case unknown
    }

    private var standing = Standing.written
    private var change: ForeignChange?
    private var isInDoubt = false
    /// The run's last write that the change is believed to have come after.
    private var ticket: Int64 = 0
    /// When it was changed.
    private var time = Instant<Monotonic>.distantPast

    /// The setting was changed once more, after the run's write `ticket`; what was in doubt stays so.
    mutating func note(
        _ next: ForeignChange, at time: Instant<Monotonic>, after ticket: Int64
    ) {
        self.ticket = ticket
        self.time = time
        change = ForeignChange(
            value: next.value, first: change == nil ? next.first : change?.first,
            sure: next.sure)
    }

    /// The next frame is in hand, which is the one at `place`, or the one at `sure` if some were not missing after all.
    ///
    /// It shows the run's write `shown`, and the change is over if that came after it.
    mutating func observe(_ place: Int64, _ surePlace: Int64, shown: Int64) {
        if shown > ticket { self = ForeignTrack() }
        guard let change else { return }
        isInDoubt = change.first.map { place >= $0 } ?? true
        guard isInDoubt else { return }
        guard let value = change.value else {
            standing = .unknown
            (self.change, isInDoubt) = (nil, false)
            return
        }
        guard surePlace >= change.sure else { return }
        standing = .changed(value)
        (self.change, isInDoubt) = (nil, false)
    }

    /// The count of frames is lost: any frame may have it.
    mutating func loseCount() { change?.first = nil }

    /// The device was read after the write `ticket`, which began before the change: if it has another value than it was
    /// changed to, the write took over later.
    mutating func noteReading(_ reading: Int64?, of ticket: Int64, begun: Instant<Monotonic>) {
        guard self.ticket == ticket, time >= begun, let reading else { return }
        var changed = change?.value
        if change == nil, case .changed(let value) = standing { changed = value }
        if let changed, changed != reading { self.ticket = ticket - 1 }
    }

    /// Whether the frame in hand and those to come have what the run wrote.
    var isUntouched: Bool {
        if case .written = standing { change == nil } else { false }
    }

    /// Whether nobody knows what the frame in hand had.
    var isHidden: Bool {
        if case .unknown = standing { true } else { isInDoubt }
    }

    /// What the frame in hand had, where the run wrote `written`.
    func value(_ written: Int64?) -> Int64? {
        if isInDoubt { return nil }
        return switch standing {
        case .written: written
        case .changed(let value): value
        case .unknown: nil
        }
    }
}
