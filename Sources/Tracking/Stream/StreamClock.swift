public import Devices
public import Timebase

/// The timeline of a stream: what timestamps mean in exposures, when the next frames will come, and which are missing.
///
/// Each frame is counted twice: by the driver's sequence and by the spacing of timestamps. Each of them may be wrong,
/// so each is held against the other and against the moment at which the frame was taken. What they agree on is
/// counted; where they do not agree the best that can be believed is, and the gap is marked. A fault that repeats four
/// times in a row is a quirk: a sequence that repeats is no longer used, one that counts fields is halved.
///
/// Of a raw sensor the registers show when frames begin (``RegisterClock``): a third count, and the best.
public struct StreamClock: Sendable {
    /// More missing frames than this in one gap are not believed: the sequence was reset.
    public static let largestGap = SequenceTracker.largestGap
    /// The same as a number of frames that may be missing.
    static let mostMissing = Int64(largestGap)
    /// More repetitions of one frame than this in a row are none: its driver neither counts nor timestamps.
    private static let mostRepeats = 3

    let model: TimestampModel
    let resolution: ClockResolution
    let comesOfItself: Bool
    /// Whether the blanking is being changed, so that the spacing of frames shows nothing for the moment.
    var isChangingPeriod = false
    /// Whether the registers' period counts frames although timestamps never agreed on when they begin.
    var isCountedByPeriod = false
    let known: StreamQuirks
    private let isPromised: Bool
    private(set) var numbers: SequenceTracker
    var timestamps: TimestampCheck
    var pace: PeriodEstimator
    var grid: RegisterClock?
    /// Whether timestamps were late more than now and then at a rate before: then a few that agree prove little.
    var areOftenLate = false
    private var delayCheck = DelayCheck()
    private(set) var lastTimestamp: Instant<Monotonic>?
    /// Frames so far, delivered or missing, as far as is believed.
    public private(set) var place: Int64 = 0
    /// Frames so far, of which each was delivered or is missing by the sequence: never too many.
    public private(set) var surePlace: Int64 = 0
    private var repeats = 0
    /// How many frames the last gap showed by spacing alone; the same again is rather another rate.
    private(set) var lastUnnumbered: Int64 = 0
    private var reported = StreamQuirks()
    /// The last frame that was delivered.
    public private(set) var last: StreamFrame?

    /// Creates a clock before the first frame.
    ///
    /// - Parameters:
    ///   - model: what timestamps mean.
    ///   - nominalPeriod: time from frame to frame as promised; nil if it was not. Then it is learned.
    ///   - quirks: what is known of the driver.
    ///   - isPaced: whether the camera runs freely; otherwise the spacing of frames does not show what is missing.
    ///   - resolution: of the clock that frames are timestamped with.
    ///   - registerPeriod: the period that a raw sensor's registers give; nil for other cameras.
    public init(
        model: TimestampModel, nominalPeriod: Interval?, quirks: [CameraQuirk] = [],
        isPaced: Bool = true, resolution: ClockResolution = .nanosecond,
        registerPeriod: Interval? = nil
    ) {
        self.model = model
        self.resolution = resolution
        comesOfItself = isPaced
        known = StreamQuirks(quirks)
        numbers = SequenceTracker(known)
        timestamps = TimestampCheck(model, known)
        if isPaced, model.point == .startOfReadout {
            grid = RegisterClock(period: registerPeriod, model: model, resolution: resolution)
        }
        // What a rate was rounded to is worth less than the registers, and both nothing until frames agree.
        isPromised = nominalPeriod != nil && !known.contains(.rateIsAnother) && grid == nil
        pace = PeriodEstimator(promised: isPromised ? nominalPeriod : Self.promised(by: grid))
    }

    /// Whether the spacing of frames shows what is missing.
    var isPaced: Bool { comesOfItself && !isChangingPeriod }

    /// Time from frame to frame: by the sensor's registers or as promised unless timestamps refute it, else as learned;
    /// nil before two frames.
    public var period: Interval? {
        if let grid, !grid.isRefuted { return grid.period }
        return pace.period
    }

    /// Takes note of a delivered frame and returns what is missing before it.
    public mutating func advance(to arrival: FrameArrival) -> FrameGap {
        if isRepetition(arrival) {
            var gap = FrameGap()
            gap.isRepeated = true
            gap.quirks = news(.framesAreRepeated)
            return gap
        }
        let isFirst = last == nil
        let raw = arrival.timestamp
        var number = numbers.observe(arrival.sequence)
        let wasPhaseKnown = isPeriodKnown
        let reading = gridReading(of: arrival, number)
        var arrival = arrival
        if let reading {
            arrival.timestamp = Instant(nanoseconds: reading.counted ?? reading.latest)
        }
        var timestamp = timestamps.observe(
            arrival, frames: number.frames, pace, order: order(of: raw))
        var gap = FrameGap()
        if !isFirst { gap = weigh(number, timestamp) }
        if !isFirst, timestamp.doubt == nil,
            isContradicted(arrival, &gap, wasPhaseKnown: wasPhaseKnown)
        {
            timestamp.doubt = .disputed
        }
        gap.doubt = timestamp.doubt
        gap.isJump = number.isJump
        note(reading, &gap)
        let isTimed = timestamp.doubt == nil && grid == nil
        let lateBy = isTimed ? timestamps.delay(of: arrival, pace) : .zero
        learn(&number, timestamp, arrival, isFirst: isFirst, &gap)
        timestamps.keep(
            arrival, timestamp, isFirst ? FrameCount() : count(gap),
            isRecounted: gap.newPeriod != nil || number.isRecounted, pace)
        gap.quirks = news(
            numbers.found.union(timestamps.found).union(
                isPromised && gap.newPeriod != nil ? .rateIsAnother : []))
        lastTimestamp = raw
        last = frame(arrival, timestamp.doubt, reading, gap)
        last?.lateBy = lateBy
        if grid == nil { gap.lateBefore = checkDelay(arrival, timestamp, gap) }
        return gap
    }

    /// Why a timestamp can't be the next one after that of the frame before, whatever is believed of the latter.
    func order(of timestamp: Instant<Monotonic>) -> TimestampDefect? {
        lastTimestamp.flatMap { $0 == timestamp ? .repeated : $0 > timestamp ? .back : nil }
    }

    /// Whether a frame is the last one once more: number and timestamp are the same.
    private mutating func isRepetition(_ arrival: FrameArrival) -> Bool {
        guard arrival.timestamp.nanoseconds > 0, lastTimestamp == arrival.timestamp,
            numbers.isRepeat(arrival.sequence), repeats < Self.mostRepeats
        else {
            if lastTimestamp != arrival.timestamp { repeats = 0 }
            return false
        }
        repeats += 1
        return true
    }

    // MARK: Learning

    private mutating func learn(
        _ number: inout SequenceTracker.Statement, _ timestamp: TimestampCheck.Statement,
        _ arrival: FrameArrival, isFirst: Bool, _ gap: inout FrameGap
    ) {
        let isSure =
            !gap.isDisputed && !gap.isUnverifiable && !gap.breaksCount
            && (gap.mostBySpacing ?? gap.missing) == gap.missing
        lastUnnumbered = gap.unnumbered
        if let fewest = gap.fewestBySpacing, let most = gap.mostBySpacing {
            numbers.compare(&number, fewest: fewest + 1, most: most + 1)
        }
        if isPaced, !isPeriodKnown, let span = timestamp.span, span.isDirect {
            gap.newPeriod = pace.learn(
                span.length, frames: gap.numbered + 1, delay: model.delay)
        }
        place += gap.missing + 1
        surePlace += gap.numbered + 1
        if isPaced, !isPeriodKnown {
            pace.note(
                arrival, frames: min(gap.numbered, max(0, gap.mostBySpacing ?? 0)) + 1,
                jitter: timestamps.jitter(pace.period))
        }
        if !isSure, !isFirst { pace.forgetPlaces() }
        if gap.breaksCount || gap.newPeriod != nil { pace.forgetNumbers() }
        guard timestamp.doubt == nil else { return }
        if isSure { pace.mark(place, arrival.timestamp, delay: model.delay) }
        pace.note(place: surePlace, arrival.timestamp, delay: model.delay)
    }

    /// By how much an earlier timestamp was later than the profile allows, where times rest on timestamps.
    ///
    /// Times by the camera's own clock do not: it is related by the quickest of its timestamps.
    private mutating func checkDelay(
        _ arrival: FrameArrival, _ timestamp: TimestampCheck.Statement, _ gap: FrameGap
    ) -> Interval? {
        guard isPaced, model.cameraClock == nil else { return nil }
        if gap.isDisputed || gap.isUnverifiable || gap.breaksCount || gap.newPeriod != nil
            || gap.unnumbered > 0
        {
            delayCheck.forget()
        }
        guard timestamp.doubt == nil else { return nil }
        return delayCheck.observe(
            arrival.timestamp, place: place, shortest: pace.shortest,
            allowed: model.delay + .microseconds(1) + resolution.excess)
    }

    /// The quirks that show for the first time.
    private mutating func news(_ quirks: StreamQuirks) -> StreamQuirks {
        let news = quirks.subtracting(reported)
        reported.formUnion(quirks)
        return news
    }

    // MARK: Times

    private func frame(
        _ arrival: FrameArrival, _ doubt: TimestampDefect?, _ reading: RegisterClock.Reading?,
        _ gap: FrameGap
    ) -> StreamFrame {
        let older = grid == nil ? .zero : (period ?? .zero) * gap.mayBeEarlier
        guard doubt != nil else {
            guard let reading else {
                return StreamFrame(
                    sequence: arrival.sequence, timestamp: arrival.timestamp,
                    delay: model.delay + older)
            }
            return StreamFrame(
                sequence: arrival.sequence, timestamp: Instant(nanoseconds: reading.latest),
                delay: Interval(nanoseconds: reading.span) + older)
        }
        let waited = arrival.notBefore.map { arrival.takenAt - $0 } ?? .seconds(1)
        return StreamFrame(
            sequence: arrival.sequence, timestamp: arrival.takenAt,
            delay: waited + timestamps.longestWay(pace.slowest) + older, isTimedByArrival: true)
    }

    /// The earliest and latest moment at which a frame's readout can have begun; nil while too little is known.
    ///
    /// A timestamp is late by 0…delay; the kernel's timestamps are cut off to a step of its clock and then to
    /// microseconds, so the truth may also lie 1 µs and a step later. A frame without a timestamp had been read out
    /// when it was taken, and had not come when no frame waited; how long it was on its way is taken to be two periods
    /// at most, or about as long as frames whose timestamps are believed, where these take longer.
    public func readoutStart(of frame: StreamFrame) -> ObservedFrame.Readout? {
        let earliest = frame.timestamp - frame.delay
        let latest = frame.timestamp + .microseconds(1) + resolution.excess
        if frame.isTimedByArrival {
            return ObservedFrame.Readout(
                earliest: earliest, latest: frame.timestamp - (model.readout ?? .zero))
        }
        guard model.point == .endOfReadout else {
            return ObservedFrame.Readout(earliest: earliest, latest: latest)
        }
        guard let readout = model.readout else {
            return period.map { ObservedFrame.Readout(earliest: earliest - $0, latest: latest) }
        }
        return ObservedFrame.Readout(earliest: earliest - readout, latest: latest - readout)
    }
}
