internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What somebody else made of the settings that the run has written, frame by frame.
///
/// From the first frame that may show a change to the last one that may not, nobody knows what a frame was exposed
/// with, so nothing is said of it.
struct ExternalSettings {
    /// What can be changed by itself.
    enum Setting: Int, CaseIterable {
        case exposure
        case gain
        case lens
        case temperature
        case red
        case blue
        /// Of a raw sensor: how long a line is, in which exposures are counted.
        case line
        /// Of a raw sensor: what its pixels are multiplied with after their gain.
        case amplification

        /// What the run writes it with.
        var group: ControlGroup {
            switch self {
            case .exposure, .line: .exposure
            case .gain, .amplification: .gain
            case .lens: .lens
            case .temperature, .red, .blue: .whiteBalance
            }
        }

        /// Its value, in the unit of its field.
        func value(in applied: AppliedSettings) -> Int64? {
            switch self {
            case .exposure: applied.exposure?.nanoseconds
            case .gain: applied.gainMillionths
            case .lens: applied.lensMillionths
            case .temperature: applied.whiteBalance.temperatureKelvin
            case .red: applied.whiteBalance.redMillionths
            case .blue: applied.whiteBalance.blueMillionths
            case .line, .amplification: nil
            }
        }
    }

    /// A write of the run.
    private struct Write: BitwiseCopyable {
        var ticket: Int64
        var groups: ControlGroups
        var begun: Instant<Monotonic>
        /// What the device had after it, and when it was asked; nil until then.
        var reading: AppliedSettings?
        var readAt = Instant<Monotonic>.distantFuture
    }

    private var tracks = InlineArray<8, ExternalTrack>(repeating: ExternalTrack())
    /// The last writes, the newest first: word of a change may come after one that undid it.
    private var writes = InlineArray<8, Write?>(repeating: nil)

    subscript(setting: Setting) -> ExternalTrack { tracks[setting.rawValue] }

    /// The run has written.
    mutating func noteWrite(_ ticket: Int64, of groups: ControlGroups, begun: Instant<Monotonic>) {
        var place = writes.count - 1
        while place > 0 {
            writes[place] = writes[place - 1]
            place -= 1
        }
        writes[0] = Write(ticket: ticket, groups: groups, begun: begun)
    }

    /// The device was asked what it has after the run's last write.
    mutating func noteReading(
        _ ticket: Int64, _ applied: AppliedSettings, at time: Instant<Monotonic>
    ) {
        guard let write = writes[0], write.ticket == ticket else { return }
        writes[0]?.reading = applied
        writes[0]?.readAt = time
        var place = 0
        while place < tracks.count, let setting = Setting(rawValue: place) {
            if write.groups.has(setting.group) {
                tracks[place].noteReading(
                    setting.value(in: applied), of: ticket, begun: write.begun)
            }
            place += 1
        }
    }

    /// A setting was changed at a time.
    ///
    /// - Parameter newest: the run's last write.
    mutating func note(
        _ change: ExternalChange, to setting: Setting, at time: Instant<Monotonic>, newest: Int64
    ) {
        var ticket = newest
        var place = 0
        while place < writes.count, let write = writes[place], write.readAt >= time {
            if write.groups.has(setting.group) {
                // While a write is under way, only the reading after it tells which of the two was later.
                let isUndone =
                    write.begun > time
                    || write.reading.flatMap(setting.value).map { $0 != change.value } ?? false
                ticket = isUndone ? write.ticket - 1 : write.ticket
            }
            place += 1
        }
        tracks[setting.rawValue].note(change, at: time, after: ticket)
    }

    /// A setting was changed at a time that the run itself never writes: no later write makes up for it.
    ///
    /// - Parameter first: the first frame that may have it, of those that came or are missing; nil for any.
    mutating func noteLasting(_ setting: Setting, from first: Int64?, at time: Instant<Monotonic>) {
        tracks[setting.rawValue].note(
            ExternalChange(value: nil, first: first), at: time, after: .max)
    }

    /// Whether nobody knows a group of settings of the frame in hand, whatever was written and its metadata say.
    func leavesUnknown(_ group: ControlGroup) -> Bool {
        switch group {
        case .exposure: self[.line].isHidden
        case .gain: self[.amplification].isHidden
        case .lens, .whiteBalance: false
        }
    }

    /// The next frame of the stream is in hand, and `timeline` has observed it.
    ///
    /// - Parameter isCounted: whether it is known how many frames there were since the last one.
    mutating func observe(
        _ clock: borrowing StreamClock, isCounted: Bool, _ timeline: borrowing SettingsTimeline
    ) {
        var place = 0
        while place < tracks.count, let setting = Setting(rawValue: place) {
            if !isCounted { tracks[place].loseCount() }
            tracks[place].observe(
                clock.place, clock.surePlace, shown: timeline.shownTicket(setting.group))
            place += 1
        }
    }

    /// What the frame in hand had, where the run wrote `written`.
    func overlaid(on written: AppliedSettings) -> AppliedSettings {
        func value(_ setting: Setting) -> Int64? {
            self[setting].value(setting.value(in: written))
        }
        var applied = written
        let exposure = leavesUnknown(.exposure) ? nil : value(.exposure)
        applied.exposure = exposure.map { Interval(nanoseconds: $0) }
        applied.gainMillionths = leavesUnknown(.gain) ? nil : value(.gain)
        applied.lensMillionths = value(.lens)
        applied.whiteBalance.temperatureKelvin = value(.temperature)
        applied.whiteBalance.redMillionths = value(.red)
        applied.whiteBalance.blueMillionths = value(.blue)
        return applied
    }
}
