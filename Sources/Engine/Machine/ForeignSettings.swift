internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

/// What somebody else made of the settings that the run has written, frame by frame.
///
/// From the first frame that may show a change to the last one that may not, nobody knows what a frame was exposed
/// with, so nothing is said of it.
struct ForeignSettings {
    /// A write of the run.
    private struct Write: BitwiseCopyable {
        var ticket: Int64
        var groups: ControlGroups
        var begun: Instant<Monotonic>
    }

    /// One setting that was changed.
    struct Change {
        /// The value in the unit of ``AppliedSettings``; nil where nobody knows it.
        var value: Int64?
        /// The first frame that may have it; nil for any.
        var first: UInt32?
        /// The first frame that surely has it; without a value, none has.
        var sure: UInt32 = 0
    }

    /// What is known of one setting.
    struct Track {
        private enum Standing {
            case written
            case changed(Int64)
            case unknown
        }

        private var standing = Standing.written
        private var change: Change?
        private var isInDoubt = false
        /// The run's last write before the change.
        private var ticket: Int64 = 0

        /// The setting was changed once more, after the run's write `ticket`; what was in doubt stays so.
        mutating func note(_ next: Change, after ticket: Int64) {
            self.ticket = ticket
            change = Change(
                value: next.value, first: change == nil ? next.first : change?.first,
                sure: next.sure)
        }

        /// The next frame is in hand; it shows the run's write `shown`, and the change is over if that came after it.
        mutating func observe(_ sequence: UInt32, shown: Int64) {
            if shown > ticket { self = Track() }
            guard let change else { return }
            isInDoubt = change.first.map { sequence.isAtOrAfter($0) } ?? true
            guard isInDoubt else { return }
            guard let value = change.value else {
                standing = .unknown
                (self.change, isInDoubt) = (nil, false)
                return
            }
            guard sequence.isAtOrAfter(change.sure) else { return }
            standing = .changed(value)
            (self.change, isInDoubt) = (nil, false)
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

    var exposure = Track()
    var gain = Track()
    var lens = Track()
    var temperature = Track()
    var red = Track()
    var blue = Track()
    /// The last writes, the newest first: word of a change may come after one that undid it.
    private var writes = InlineArray<8, Write?>(repeating: nil)

    /// The run has written.
    mutating func noteWrite(_ ticket: Int64, of groups: ControlGroups, begun: Instant<Monotonic>) {
        var place = writes.count - 1
        while place > 0 {
            writes[place] = writes[place - 1]
            place -= 1
        }
        writes[0] = Write(ticket: ticket, groups: groups, begun: begun)
    }

    /// The run's last write of a group before a change at `time`; `newest` if none came after it.
    func ticket(
        before time: Instant<Monotonic>, of group: ControlGroup, newest: Int64
    ) -> Int64 {
        var ticket = newest
        var place = 0
        while place < writes.count, let write = writes[place], write.begun > time {
            if write.groups.has(group) { ticket = write.ticket - 1 }
            place += 1
        }
        return ticket
    }

    /// The next frame of the stream is in hand, and `timeline` has observed it.
    mutating func observe(_ sequence: UInt32, _ timeline: borrowing SettingsTimeline) {
        exposure.observe(sequence, shown: timeline.shownTicket(.exposure))
        gain.observe(sequence, shown: timeline.shownTicket(.gain))
        lens.observe(sequence, shown: timeline.shownTicket(.lens))
        let balance = timeline.shownTicket(.whiteBalance)
        temperature.observe(sequence, shown: balance)
        red.observe(sequence, shown: balance)
        blue.observe(sequence, shown: balance)
    }

    /// What the frame in hand had, where the run wrote `written`.
    func overlaid(on written: AppliedSettings) -> AppliedSettings {
        var applied = written
        applied.exposure = exposure.value(written.exposure?.nanoseconds).map {
            Interval(nanoseconds: $0)
        }
        applied.gainMillionths = gain.value(written.gainMillionths)
        applied.lensMillionths = lens.value(written.lensMillionths)
        let balance = written.whiteBalance
        applied.whiteBalance.temperatureKelvin = temperature.value(balance.temperatureKelvin)
        applied.whiteBalance.redMillionths = red.value(balance.redMillionths)
        applied.whiteBalance.blueMillionths = blue.value(balance.blueMillionths)
        return applied
    }
}

extension UInt32 {
    /// Whether this number of a frame is that one or a later one; numbers have 32 bits and start anew.
    fileprivate func isAtOrAfter(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) >= 0 }
}
