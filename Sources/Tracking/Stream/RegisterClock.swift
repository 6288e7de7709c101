internal import Devices
internal import Timebase

/// When a raw sensor's frames begin, by its registers: a check of timestamps.
///
/// While its blanking stays as it is, such a sensor begins a frame every `frame length · line length / pixel rate`, and
/// can do nothing else. Timestamps are made in an interrupt, which may be late and is never early. So
/// - a frame began no later than its own timestamp, and no later than any earlier timestamp plus the periods since: a
///   timestamp that comes later than that by more than the profile allows is late;
/// - a frame began no earlier than the earliest of the last timestamps plus the periods since, less the delay that
///   the profile allows, as long as one of those timestamps was no later than that.
///
/// The phase is known once some timestamps agree. Until then a frame may have begun two periods before its timestamp:
/// one that the interrupt was late, since a later one is one with the next, and one where the end of a frame was
/// missed.
///
/// A frame is complete once its last line was sent. A timestamp less than that before the frame was there is late,
/// whatever the others are, and does not show the phase; the same is true of one whose place is in doubt, and of one
/// that is as late by what such frames before it show (``ArrivalBound``). A frame that was there before the phase lets
/// it begin refutes the phase.
///
/// A frame whose end is missed is there once the next one begins, so that nothing shows how late its timestamp is. The
/// phase is not believed for such frames alone, where the others can be distinguished from them.
///
/// A value of fixed size; nothing in it allocates.
struct RegisterClock: Sendable {
    /// No frame is left out until the phase is known if that takes longer.
    private static let longestWait: Int64 = 1_000_000_000
    private static let mostWaits = 64
    /// So many timestamps that agree show the phase, however many others are late.
    private static let surely = 12

    /// The period that the registers give.
    let period: Interval
    private let nanoseconds: Int64
    private let delay: Int64
    /// Timestamps are cut off to microseconds and to the clock's steps, on both sides of an interval.
    private let resolution: Int64
    /// Timestamps that have to agree before the phase is believed.
    private let quorum: Int
    /// What a frame takes to be sent at least; nil if unknown.
    private let transfer: Int64?
    /// A frame that is there later after its timestamp may be one whose end was missed; nil where all of them may be.
    private let prompt: Int64?
    /// Timestamps in half a window.
    private let block: Int

    /// The latest moment at which the last frame can have begun.
    private var latest: Int64 = 0
    /// The earliest timestamps of this half of the window and of the one before, as moments of the last frame.
    private var lowest: Int64 = 0
    private var lowestBefore: Int64 = 0
    private var inBlock = 0
    /// Timestamps that agree with the earliest one, up to the quorum; 0 before the first frame.
    private var agreeing = 0
    /// Timestamps since the first of them, whether they agree or not.
    private var compared = 0
    /// Which of the last timestamps were late, a bit each, and how many there were.
    private var history: UInt32 = 0
    private var recorded = 0
    /// The latest that any frame was said to begin at the earliest, as a moment of the last one; nil without a phase.
    private var claimed: Int64?
    /// Whether one of them is that of a frame whose end was not missed, as the last frame's was not.
    private var isConfirmed = false
    private var isPrompt = false
    /// Frames so far, with those that have no timestamp.
    private var seen = 0
    /// Those without one since the last that had one, with what is missing before them; nil if that is not known.
    private var skippedFrames: Int64? = 0
    /// Places since the last timestamp that was in time.
    private var sinceInTime: Int64 = 0
    /// What timestamps show of the period since the phase was found.
    private var bounds: PeriodBounds
    private var drift: PhaseDrift
    /// What frames that were there too soon show, until the phase is known.
    private var arrivals: ArrivalBound
    /// So many places further on than the sequence counts the last frame was put, and the frames right before it.
    private var skipped: Int64 = 0
    private var hasSettled = false
    private var intervals = RecentIntervals()
    /// The period that frames have instead, by timestamps: near enough to bound how late they can be, and no more.
    private var found: Int64?

    /// - Parameter areOftenLate: whether timestamps were at the rates before.
    /// - Returns: nil unless registers give a period that a sensor can have, and timestamps are usually in time for it.
    init?(
        period: Interval?, model: TimestampModel, resolution: ClockResolution = .nanosecond,
        areOftenLate: Bool = false
    ) {
        guard let period, period > .microseconds(100), model.delay * 4 <= period else {
            return nil
        }
        self.period = period
        nanoseconds = period.nanoseconds
        delay = model.delay.nanoseconds
        transfer = model.transfer?.nanoseconds
        // A row may take twice what is known of it, where sensors add two of them up; hosts take a while.
        let isTelling = model.transfer.map { $0 * 9 <= period * 4 } ?? false
        prompt =
            isTelling && period >= .milliseconds(10) ? nanoseconds - nanoseconds / 20 : nil
        self.resolution = 2_000 + 2 * resolution.step.nanoseconds
        bounds = PeriodBounds(period: nanoseconds, delay: 0, from: 0)
        drift = PhaseDrift(period: nanoseconds, delay: delay)
        arrivals = ArrivalBound(period: nanoseconds, allowed: delay + self.resolution)
        block = Int(min(max(250_000_000 / nanoseconds, 8), 16))
        let fewest = areOftenLate ? Self.surely : 4
        quorum = min(max(Int(300_000_000 / nanoseconds), fewest), Self.surely)
    }

    /// Whether frames keep the period, and where they begin is known.
    var isKept: Bool { isSettled && !isRefuted }
    /// Whether frames do not keep the period that the registers give.
    var isRefuted: Bool { found != nil }
    private var isSettled: Bool { hasQuorum && isConfirmed }
    /// Where more than a few timestamps are late, those that agree may do so by chance, and be late as well.
    private var hasQuorum: Bool {
        agreeing >= quorum && (agreeing >= Self.surely || agreeing * 4 >= compared * 3)
    }

    private func span(after found: Int64) -> Int64 { max(found, nanoseconds) * 5 / 4 }
    /// Whether no frame is left out any more until the phase is known, since that took too long.
    var isWaitOver: Bool { !isRefuted && !hasSettled && !isSettled && seen >= Self.mostWaits }
    /// Frames until the phase is known, at best; 0 where it is, or where frames take too long to wait for it.
    var framesToSettle: Int {
        isRefuted || hasSettled || !isWorthWaiting ? 0 : max(1, quorum - agreeing)
    }
    /// Whether frames are left out until the phase is known.
    private var isWorthWaiting: Bool { !isSlow && seen < Self.mostWaits }
    /// Whether frames take too long to wait for the phase, so that all of them count from the first one on.
    var isSlow: Bool { nanoseconds * Int64(quorum) > Self.longestWait }

    /// Takes the next timestamp, one that is later than the one before.
    ///
    /// - Parameters:
    ///   - frames: frames since the one before by the driver's sequence; nil if it does not count them.
    ///   - takenAt: when the frame was there.
    mutating func observe(
        _ timestamp: Instant<Monotonic>, frames: Int64?, takenAt: Instant<Monotonic>
    ) -> Reading {
        let timestamp = timestamp.nanoseconds
        let frames = frames.flatMap { frames in skippedFrames.map { frames + $0 } }
        skippedFrames = 0
        seen += 1
        intervals.add(timestamp, frames: frames)
        if let found { return Reading(latest: timestamp, span: span(after: found)) }
        let drifting = drift.observe(timestamp, frames: frames)
        if let found = contradiction ?? drifting {
            self.found = found
            return Reading(latest: timestamp, span: span(after: found), found: found)
        }
        isPrompt = prompt.map { takenAt.nanoseconds - timestamp <= $0 } ?? true
        if isSettled { arrivals.forget() }
        let startedBy = arrivals.observe(
            timestamp, frames: frames, startedBy: transfer.map { takenAt.nanoseconds - $0 })
        let isLate = startedBy.map { timestamp - $0 > delay + resolution } ?? false
        if isLate, let startedBy, let frames, agreeing > 0 {
            let least = earliest(after: frames) - resolution - startedBy
            if least > 0 { return refute(timestamp, least: least) }
        }
        if isSettled { return goOn(timestamp, frames, isLate: isLate) }
        guard agreeing > 0 else {
            return isLate
                ? Reading(latest: timestamp, span: 2 * nanoseconds, isLate: true)
                : begin(timestamp)
        }
        return settle(timestamp, frames, isLate: isLate)
    }

    /// A frame came whose timestamp is none: it is one of those that are waited for.
    ///
    /// - Parameter frames: as for one that has a timestamp.
    mutating func skip(frames: Int64?) {
        seen += 1
        skippedFrames = skippedFrames.flatMap { skipped in frames.map { skipped + $0 } }
    }

    /// A frame was there before the phase lets it begin: all timestamps that agreed on it were late.
    private mutating func refute(_ timestamp: Int64, least: Int64) -> Reading {
        let refuted = isSettled ? least : nil
        agreeing = 0
        return Reading(latest: timestamp, span: 2 * nanoseconds, refuted: refuted)
    }

    /// Another period, by the last intervals; where timestamps never agreed on a phase, by the mean of many.
    private var contradiction: Int64? {
        if let found = intervals.contradiction(of: nanoseconds, delay: delay) { return found }
        guard !hasSettled, seen >= Self.mostWaits / 2, let mean = intervals.mean,
            mean * 5 < nanoseconds * 4 || mean * 2 > nanoseconds * 3
        else { return nil }
        return mean
    }

    // MARK: While the phase is not known

    private mutating func begin(_ timestamp: Int64, refuting: Int64? = nil) -> Reading {
        (latest, lowest, lowestBefore) = (timestamp, timestamp, timestamp)
        // Those before are late by this one.
        recorded = min(compared, UInt32.bitWidth)
        history = recorded < UInt32.bitWidth ? 1 << recorded - 1 : .max
        note(isLate: false)
        (inBlock, agreeing, compared, sinceInTime) = (1, 1, 1, 0)
        claimed = nil
        isConfirmed = isPrompt
        bounds = PeriodBounds(
            period: nanoseconds, delay: delay + resolution, from: timestamp)
        skipped = 0
        return Reading(latest: timestamp, span: 2 * nanoseconds, refuted: refuting)
    }

    private mutating func settle(_ timestamp: Int64, _ frames: Int64?, isLate: Bool) -> Reading {
        let places =
            isLate ? fewest(frames ?? 1, before: timestamp) : places(settling: timestamp, frames)
        advance(places)
        compared += 1
        let isInTime = timestamp <= lowest + min(room, agreement)
        note(isLate: isLate || !isInTime)
        if isLate {
            return Reading(
                latest: timestamp, span: 2 * nanoseconds, counted: min(timestamp, latest),
                isLate: true)
        }
        // A place that the sequence does not know may be the doing of another period, or of delay by nearly one.
        guard frames.map({ $0 == places }) ?? true else {
            return Reading(latest: timestamp, span: 2 * nanoseconds)
        }
        if timestamp < lowest - room { return begin(timestamp) }
        let isTold = !isInTime && !isWorthWaiting
        if isInTime {
            agreeing += 1
            isConfirmed = isConfirmed || isPrompt
            if hasQuorum, !isConfirmed { return begin(timestamp) }
            bounds.observe(timestamp)
        }
        latest = min(latest, timestamp)
        if timestamp < lowest { (lowest, sinceInTime) = (timestamp, 0) }
        lowestBefore = lowest
        return Reading(
            latest: timestamp, span: 2 * nanoseconds, isLate: isTold, isSettled: isSettled)
    }

    private mutating func note(isLate: Bool) {
        history = history << 1 | (isLate ? 1 : 0)
        recorded = min(recorded + 1, UInt32.bitWidth)
    }

    /// Whether timestamps are late more than now and then.
    var areOftenLate: Bool { history.nonzeroBitCount >= max(2, recorded / 8) }
    /// Whether most timestamps are late: then the earliest of a few need not be in time.
    private var areMostlyLate: Bool {
        recorded >= Self.surely && history.nonzeroBitCount * 2 > recorded
    }

    /// How much later than the phase so far a timestamp may show it, while the period need not be exact.
    private var room: Int64 { delay + nanoseconds / 200 }

    /// How much later than the earliest one, of so many places before, a timestamp in time can be.
    ///
    /// Of long periods, clocks that are slewed as fast as they can be would hide any delay.
    private var agreement: Int64 {
        let all = nanoseconds * sinceInTime
        return delay + resolution + min(delay, SensorClock.doubt(of: all)) + all - soonest(all)
    }

    /// Timestamps late by less than a period leave two places; the sequence decides which.
    private func places(settling timestamp: Int64, _ frames: Int64?) -> Int64 {
        let span = max(0, timestamp - lowest)
        let (whole, rest) = span.quotientAndRemainder(dividingBy: nanoseconds)
        let nearest = max(1, rest * 2 < nanoseconds ? whole : whole + 1)
        let isOnGrid = min(rest, nanoseconds - rest) * 10 < nanoseconds
        guard let frames, !isOnGrid || whole == 0, frames == whole || frames == whole + 1 else {
            return nearest
        }
        return max(1, frames)
    }

    // MARK: Once it is

    private mutating func goOn(_ timestamp: Int64, _ frames: Int64?, isLate: Bool) -> Reading {
        hasSettled = true
        // More than the period can be off by: places are to be counted even where it is another one.
        let shortest = nanoseconds - nanoseconds / 200
        let places = max(0, timestamp + resolution - earliest) / shortest
        guard places > 0 else {
            // After a place too many this frame is the one that stands there.
            if skipped > 0 {
                skipped = 0
                return reading(of: timestamp, isTelling: false)
            }
            return begin(timestamp, refuting: earliest + shortest - timestamp)
        }
        if isLate, let least = frames.map({ fewest($0, before: timestamp) }), least > 0,
            least < places
        {
            return late(timestamp, counted: least, atMost: places)
        }
        // A frame that is late by the phase, and has a number too many for it, is in time by an earlier phase.
        let isBehind = timestamp > latest(after: places) + delay + resolution
        if isBehind, !isLate, frames == places + 1 {
            return begin(timestamp, refuting: earliest + shortest * (places + 1) - timestamp)
        }
        // A gap right behind a place in doubt leaves the doubt.
        let older = places > 1 ? skipped : 0
        skipped = older + (frames.map { max(0, places - $0) } ?? 0)
        advance(places)
        // After a long silence any phase would fit.
        guard latest - earliest < nanoseconds / 2 else {
            if !isLate { return begin(timestamp) }
            agreeing = 0
            return Reading(latest: timestamp, span: 2 * nanoseconds, isLate: true)
        }
        var reading = reading(of: timestamp, isTelling: skipped == 0 && !isLate)
        reading.span += older * nanoseconds
        return reading
    }

    /// A timestamp that surely is late, by as much as the sequence shows, unless it missed frames.
    private mutating func late(_ timestamp: Int64, counted: Int64, atMost places: Int64) -> Reading
    {
        let most = min(timestamp, latest(after: places))
        advance(counted)
        skipped = 0
        let doubt = SensorClock.doubt(of: nanoseconds * sinceInTime)
        return Reading(
            latest: most, span: most - earliest + doubt, counted: latest, isLate: true)
    }

    /// The earliest moment at which the last frame can have begun.
    private var earliest: Int64 { min(lowest, lowestBefore) - delay }

    /// The earliest moment at which a frame so many places further on can begin.
    private func earliest(after places: Int64) -> Int64 {
        earliest + soonest(nanoseconds * places)
    }

    /// What so many nanoseconds by the registers take at least.
    private func soonest(_ span: Int64) -> Int64 {
        span - span * SensorClock.crystalPerMillion / 1_000_000
    }

    /// The latest moment at which a frame so many places further on can begin.
    private func latest(after places: Int64) -> Int64 {
        let span = nanoseconds * places
        return latest + max(span + SensorClock.doubt(of: span), bounds.longest * places)
    }

    /// The fewest places from a number of frames on that leave a timestamp late by less than a period: an interrupt
    /// that comes later than the next frame is that one's.
    private func fewest(_ frames: Int64, before timestamp: Int64) -> Int64 {
        let beyond = timestamp - latest(after: frames + 1) - delay - resolution
        return beyond > 0 ? frames + (beyond - 1) / nanoseconds + 1 : frames
    }

    private mutating func advance(_ places: Int64) {
        let span = soonest(nanoseconds * places)
        latest = latest(after: places)
        lowest += span
        lowestBefore += span
        sinceInTime += places
        bounds.advance(places)
        let all = nanoseconds * places
        claimed = claimed.map { $0 + all - SensorClock.doubt(of: all) }
    }

    /// What the grid makes of a timestamp at the place that was reached.
    ///
    /// - Parameter isTelling: whether it shows the phase. It does not where the sequence counts fewer places: it may be
    ///   that of an earlier frame, late by nearly a period.
    private mutating func reading(of timestamp: Int64, isTelling: Bool) -> Reading {
        var reading = readingByPhase(of: timestamp, isTelling: isTelling)
        if isTelling, let claimed, timestamp + resolution < claimed {
            reading.refuted = claimed - timestamp
            self.claimed = nil
        }
        note(isLate: reading.isLate)
        if areMostlyLate { reading.span = max(reading.span, nanoseconds) }
        if skipped == 0 { claimed = max(claimed ?? .min, reading.latest - reading.span) }
        return reading
    }

    private mutating func readingByPhase(of timestamp: Int64, isTelling: Bool) -> Reading {
        // A timestamp that is hardly late does not show, so the one before it is the last that is sure.
        let doubt = SensorClock.doubt(of: nanoseconds * sinceInTime)
        guard timestamp <= latest + delay + resolution else {
            return Reading(latest: latest, span: latest - earliest + doubt, isLate: true)
        }
        guard isTelling else {
            let least = min(latest, timestamp)
            return Reading(latest: least, span: max(0, least - earliest) + doubt)
        }
        latest = min(latest, timestamp)
        lowest = min(lowest, timestamp)
        sinceInTime = 0
        bounds.observe(timestamp)
        inBlock += 1
        let reading = Reading(latest: latest, span: latest - earliest + doubt)
        if inBlock >= block { (lowestBefore, lowest, inBlock) = (lowest, timestamp, 0) }
        return reading
    }
}
