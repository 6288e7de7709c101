internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What somebody else made of the settings that the run has written, frame by frame.
///
/// From the first frame that may show a change to the last one that may not, it is unknown what a frame was exposed
/// with, so nothing is recorded of it.
///
/// Its changes come by events of watched controls; the run does not write against them. A setting is the run's own
/// again once a frame surely shows a write that came after the change.
struct ExternalSettings {
    /// A write of the run.
    ///
    /// The last eight are kept: a driver reports a change some time after it was made.
    private struct Write: BitwiseCopyable {
        /// As in ``SettingsWrite/ticket``.
        var ticket: Int64
        var groups: ControlGroups
        /// Before the device can have had any of it.
        var begun: Instant<Monotonic>
        /// When the device had all of it: it was asked after that.
        var ended: Instant<Monotonic>
        /// What the device had after it; nil until it was asked.
        var reading: AppliedSettings?
    }

    /// By ``SettingComponent``.
    private var tracks = ComponentArray(repeating: ExternalTrack())
    /// Of a raw sensor: how long a line is, in which exposures are counted.
    private var lineTrack = ExternalTrack()
    /// Of a raw sensor: what its pixels are multiplied with after their gain.
    private var amplification = ExternalTrack()
    /// The last writes, the newest first: word of a change may come after one that undid it.
    private var writes = InlineArray<8, Write?>(repeating: nil)

    /// What is known of a component, for who needs more than its value.
    subscript(component: SettingComponent) -> ExternalTrack { tracks[component.rawValue] }

    /// The run has written.
    ///
    /// - Parameters:
    ///   - ticket: rising.
    ///   - groups: what was written.
    ///   - begun: before the first of it was written.
    ///   - ended: after the last of it was.
    mutating func noteWrite(
        _ ticket: Int64, of groups: ControlGroups, begun: Instant<Monotonic>,
        ended: Instant<Monotonic>
    ) {
        var place = writes.count - 1
        while place > 0 {
            writes[place] = writes[place - 1]
            place -= 1
        }
        writes[0] = Write(ticket: ticket, groups: groups, begun: begun, ended: ended)
    }

    /// The device was asked what it has after the run's last write.
    ///
    /// Readings of older writes come too late to be of use, and are ignored.
    mutating func noteReading(_ ticket: Int64, _ applied: AppliedSettings) {
        guard let write = writes[0], write.ticket == ticket else { return }
        writes[0]?.reading = applied
        for component in SettingComponent.all where write.groups.has(component.group) {
            tracks[component.rawValue].noteReading(
                applied[component], of: ticket, begun: write.begun, ended: write.ended)
        }
    }

    /// A setting was changed at a time.
    ///
    /// Which of the run's writes came after the change decides when it is over. Of a write that was under way at that
    /// moment, the reading after it shows which of the two was later; where it returned at that very moment, the
    /// reading may be older than the change, and nobody knows.
    ///
    /// - Parameter newest: the run's last write.
    mutating func note(
        _ change: ExternalChange, to component: SettingComponent, at time: Instant<Monotonic>,
        newest: Int64
    ) {
        var (change, ticket) = (change, newest)
        var place = 0
        while place < writes.count, let write = writes[place], write.ended >= time {
            place += 1
            guard write.groups.has(component.group) else { continue }
            let found = write.reading?[component]
            let isOther = found != nil && change.value != nil && found != change.value
            guard write.begun > time || isOther && write.ended > time else {
                // The change came after this write, and so after all before it.
                ticket = write.ticket
                let isOpen = write.reading != nil || write.ended == time
                if isOpen, found != change.value { change.value = nil }
                break
            }
            ticket = write.ticket - 1
        }
        tracks[component.rawValue].note(change, at: time, after: ticket)
    }

    /// The length of a line was changed, which the run itself never writes: no later write makes up for it.
    ///
    /// - Parameter first: the first frame that may have it, of those that came or are missing; nil for any.
    mutating func noteLineChange(from first: Int64?, at time: Instant<Monotonic>) {
        lineTrack.note(ExternalChange(value: nil, first: first), at: time, after: .max)
    }

    /// The amplification after the gain was changed, which the run itself never writes either.
    mutating func noteAmplification(from first: Int64?, at time: Instant<Monotonic>) {
        amplification.note(ExternalChange(value: nil, first: first), at: time, after: .max)
    }

    /// Whether a group of settings of the frame in hand is unknown, whatever was written and its metadata report.
    func leavesUnknown(_ group: ControlGroup) -> Bool {
        switch group {
        case .exposure: lineTrack.isHidden
        case .gain: amplification.isHidden
        default: false
        }
    }

    /// The next frame of the stream is in hand, and `timeline` has observed it.
    ///
    /// - Parameter isCounted: whether it is known how many frames there were since the last one.
    mutating func observe(
        _ clock: borrowing StreamClock, isCounted: Bool, _ timeline: SettingsTimeline
    ) {
        for component in SettingComponent.all {
            let shown = timeline.shownTicket(component.group)
            tracks[component.rawValue].observe(clock, isCounted: isCounted, shown: shown)
        }
        lineTrack.observe(
            clock, isCounted: isCounted, shown: timeline.shownTicket(.exposure))
        amplification.observe(clock, isCounted: isCounted, shown: timeline.shownTicket(.gain))
    }

    /// What the frame in hand had, where the run wrote `written`.
    ///
    /// - Returns: the same with nil for what is unknown, and with the values of others where these are known.
    func overlaid(on written: AppliedSettings) -> AppliedSettings {
        var applied = written
        for component in SettingComponent.all {
            applied[component] =
                leavesUnknown(component.group)
                ? nil : self[component].value(written[component])
        }
        return applied
    }
}
