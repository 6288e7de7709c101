public import Devices
public import Timebase

/// Says which settings each frame of a stream was exposed with, and when a write will show.
///
/// A control written while frame k is being exposed shows from frame k + latency on. Which frame k is, is known within
/// bounds only: timestamps may be late, and a write takes a while. So a write has an earliest frame that may show it
/// and a first frame that surely does; a frame is exact for a control where one write surely shows and no later one
/// may. Everything else is uncertain: after a failed write, after a jump of the sequence, and where frames may be
/// missing that nobody counted.
///
/// Frames are counted from below by the driver's sequence and from above by the spacing of their timestamps. A frame
/// that is lost inside the camera shows in the second count only, so it can make a setting late or uncertain, never
/// wrong.
///
/// Of fixed size; nothing in it allocates as long as it is not copied.
public struct SettingsTimeline: Sendable {
    let delay: Interval
    private(set) var period: Interval?
    private let delays: PerGroup<ControlDelay>
    /// The writes of each group, by its raw value: an element of a ``PerGroup`` could not be changed in place.
    private(set) var histories = GroupArray { _ in WriteHistory() }
    /// The last frame's place, counted by the sequence.
    private(set) var place: Int64 = 0
    /// The same with those that were surely lost inside the camera.
    private var placeOfAll: Int64 = 0
    private(set) var last: ObservedFrame?

    /// Creates a timeline before the first frame.
    ///
    /// - Parameters:
    ///   - profile: gives each control's delay and what timestamps mean.
    ///   - promisedPeriod: time from frame to frame; nil if the camera promised none. Then nothing is known of the
    ///     frames between two writes, so a later write makes every earlier setting uncertain.
    public init(profile: CameraProfile, promisedPeriod: Interval?) {
        delay = profile.timestamps.delay
        period = promisedPeriod.flatMap { $0 > .zero ? $0 : nil }
        delays = PerGroup { profile.delay(of: $0) }
    }

    /// Frames do not keep the period that was promised: from now on nothing is counted by it.
    public mutating func forgetPeriod() { period = nil }

    /// The delay of a group.
    public func delay(of group: ControlGroup) -> ControlDelay { delays[group] }

    // MARK: Writes

    /// A write is about to be made.
    ///
    /// - Parameters:
    ///   - value: the caller's number of the value; not negative.
    ///   - group: what is written.
    ///   - ticket: the caller's number of the write, rising; one may stand for writes of several groups.
    ///   - now: a moment before the device can have got it.
    public mutating func beginWrite(
        _ value: Int32, to group: ControlGroup, ticket: Int64, at now: Instant<Monotonic>
    ) {
        precondition(value >= 0, "a value has a number")
        append(value, group, ticket: ticket, begun: now, isUnderWay: true)
    }

    /// A write has returned.
    ///
    /// - Parameters:
    ///   - ticket: which write.
    ///   - groups: what was written.
    ///   - begun: when the first was begun.
    ///   - ended: when the last returned.
    ///   - succeeded: whether the device took all of them; if not, it is unknown what it has.
    public mutating func endWrite(
        _ ticket: Int64, of groups: ControlGroups, begun: Instant<Monotonic>,
        ended: Instant<Monotonic>, succeeded: Bool
    ) {
        groups.forEach { group in
            guard let place = place(of: ticket, group), histories[group.rawValue][place].isUnderWay
            else {
                return
            }
            var write = histories[group.rawValue][place]
            write.isUnderWay = false
            // What was noted at the beginning holds if the device could have got it before `begun`.
            write.begun = max(write.begun, begun)
            write.restsAt = max(write.restsAt, ended + delays[group].settle)
            if !succeeded { write.value = TimelineWrite.unknown }
            if let last { anchor(&write, at: last) }
            histories[group.rawValue][place] = write
        }
    }

    private func place(of ticket: Int64, _ group: ControlGroup) -> Int? {
        var number = histories[group.rawValue].count - 1
        while number >= 0, histories[group.rawValue][number].ticket != ticket { number -= 1 }
        return number < 0 ? nil : number
    }

    /// Takes note of what was read back of a group after a write.
    public mutating func noteReading(_ reading: Int64?, of group: ControlGroup, ticket: Int64) {
        guard let place = place(of: ticket, group) else { return }
        histories[group.rawValue][place].reading = reading
    }

    /// Somebody else wrote, not before `begun`: what these groups have is not known until they are written again.
    public mutating func disturb(_ groups: ControlGroups, at begun: Instant<Monotonic>) {
        groups.forEach { group in
            append(TimelineWrite.unknown, group, ticket: -1, begun: begun, isUnderWay: false)
        }
    }

    private mutating func append(
        _ value: Int32, _ group: ControlGroup, ticket: Int64, begun: Instant<Monotonic>,
        isUnderWay: Bool
    ) {
        // What an earlier write set in motion may still move.
        let rests = max(
            begun + delays[group].settle, histories[group.rawValue].newest?.restsAt ?? .distantPast)
        var write = TimelineWrite(
            value: value, ticket: ticket, begun: begun, restsAt: rests, isUnderWay: isUnderWay)
        if let last { anchor(&write, at: last) }
        histories[group.rawValue].append(write)
    }

    // MARK: Frames

    /// Takes note of the next frame of the stream; missing frames come in their order, before the next one.
    public mutating func observe(_ frame: ObservedFrame) {
        if last != nil {
            place += frame.step
            placeOfAll += frame.step + (frame.isLostInside ? 1 : 0)
        }
        last = frame
        for group in ControlGroup.all { observe(frame, group) }
    }

    private mutating func observe(_ frame: ObservedFrame, _ group: ControlGroup) {
        let latency = Int64(delays[group].latencyFrames)
        var shown = 0
        var number = 0
        while number < histories[group.rawValue].count {
            var write = histories[group.rawValue][number]
            if !write.isUnderWay {
                anchor(&write, at: frame)
                if write.sureFrom == nil, let readout = frame.readout,
                    readout.earliest > write.restsAt
                {
                    write.sureFrom = place + latency
                    write.sureFromOfAll = placeOfAll + latency
                }
                histories[group.rawValue][number] = write
            }
            if isSure(write) { shown = number }
            number += 1
        }
        // No coming frame shows anything older.
        histories[group.rawValue].removeFirst(shown)
    }

    /// The sequence has jumped, and `frame` is the first one after that: what was not sure is counted again.
    public mutating func restart(at frame: ObservedFrame) {
        place += 1
        placeOfAll = place
        last = frame
        for group in ControlGroup.all {
            histories[group.rawValue].removeFirst(max(0, histories[group.rawValue].count - 1))
            guard var write = histories[group.rawValue].newest else { continue }
            write.anchor = nil
            if write.sureFrom.map({ $0 >= place }) ?? true {
                let isAfter =
                    !write.isUnderWay
                    && frame.readout.map { $0.earliest > write.restsAt } ?? false
                write.sureFrom = isAfter ? place + Int64(delays[group].latencyFrames) : nil
            }
            write.sureFromOfAll = write.sureFrom
            histories[group.rawValue][0] = write
        }
    }

    private func anchor(_ write: inout TimelineWrite, at frame: ObservedFrame) {
        guard let readout = frame.readout, readout.latest <= write.begun else { return }
        write.anchor = TimelineWrite.Anchor(place: place, readout: readout.earliest)
    }

    // MARK: What is shown

    /// What the last frame that was observed had.
    public enum Shown: BitwiseCopyable, Hashable, Sendable {
        /// Surely this value; `reading` is what was read back.
        case exactly(value: Int32, reading: Int64?)
        /// That is not known.
        case uncertain
    }

    /// What the last frame that was observed had of a group.
    ///
    /// - Parameter all: whether frames that were lost inside the camera count, as if they had come.
    public func shown(_ group: ControlGroup, countingAll all: Bool = false) -> Shown {
        let history = histories[group.rawValue]
        var number = history.count - 1
        while number >= 0, !isSure(history[number], countingAll: all) { number -= 1 }
        guard number >= 0, history[number].value >= 0 else { return .uncertain }
        let write = history[number]
        number += 1
        while number < history.count {
            let later = history[number]
            if later.value != write.value, framesBefore(later, group) < 1 { return .uncertain }
            number += 1
        }
        return .exactly(value: write.value, reading: write.reading)
    }

    /// Whether the last frame that was observed surely had these values.
    ///
    /// - Parameter all: whether frames that were lost inside the camera count: then a frame that is lost too surely
    ///   had these values if all that seem to be lost were made. Nothing that is recorded rests on that.
    public func isExact(_ values: GroupValues, countingAll all: Bool = false) -> Bool {
        var isExact = true
        for group in ControlGroup.all {
            guard values[group] != GroupValues.anything else { continue }
            guard case .exactly(values[group], _) = shown(group, countingAll: all) else {
                isExact = false
                continue
            }
        }
        return isExact
    }

    /// Whether no write up to `ticket` is still on its way that would take a group away from these values.
    public func isSettled(_ values: GroupValues, upTo ticket: Int64) -> Bool {
        var isSettled = true
        for group in ControlGroup.all {
            guard values[group] != GroupValues.anything else { continue }
            var number = 0
            while number < histories[group.rawValue].count,
                histories[group.rawValue][number].ticket <= ticket
            {
                isSettled = isSettled && histories[group.rawValue][number].value == values[group]
                number += 1
            }
        }
        return isSettled
    }

    /// The ticket of the newest write that the last frame surely showed; −1 if there is none.
    public func shownTicket(_ group: ControlGroup) -> Int64 {
        var number = histories[group.rawValue].count - 1
        while number >= 0 {
            if isSure(histories[group.rawValue][number]) {
                return histories[group.rawValue][number].ticket
            }
            number -= 1
        }
        return -1
    }

    /// The ticket of the newest write, whether frames show it or not; −1 if there is none.
    public func newestTicket(_ group: ControlGroup) -> Int64 {
        histories[group.rawValue].newest?.ticket ?? -1
    }

    private func isSure(_ write: TimelineWrite, countingAll all: Bool = false) -> Bool {
        let from = all ? write.sureFromOfAll : write.sureFrom
        return from.map { $0 <= (all ? placeOfAll : place) } ?? false
    }
}
