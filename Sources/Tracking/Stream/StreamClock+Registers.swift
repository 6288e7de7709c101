internal import Devices
public import Timebase

/// What a raw sensor's registers show of its frames, beside sequence and timestamps.
extension StreamClock {
    /// Frames until it is known when this sensor's frames begin, at best: what comes before that is better left alone.
    public var framesToSettle: Int { grid?.framesToSettle ?? 0 }

    /// Whether frames keep the period that the sensor's registers give, as far as is known; true where there are none.
    public var keepsRegisterPeriod: Bool { !(grid?.isRefuted ?? false) }

    /// From the next frame on the registers give another period; nil if that is not known, as while a change of
    /// the blanking is under way.
    ///
    /// While it is not known, and until frames agree on it, their spacing shows nothing: two lengths would pass for
    /// missing frames.
    ///
    /// To be called with the period that the settings of the last frame imply, once that is known for sure: a changed
    /// blanking shows in the interval after the frame that shows it. Where the period is what it was, nothing changes.
    public mutating func follow(registerPeriod: Interval?) {
        guard comesOfItself, model.point == .startOfReadout else { return }
        if let grid, !grid.isRefuted, grid.period == registerPeriod { return }
        areOftenLate = areOftenLate || grid?.areOftenLate ?? false
        grid = RegisterClock(
            period: registerPeriod, model: model, resolution: resolution,
            areOftenLate: areOftenLate)
        isCountedByPeriod = false
        // As at the start of a stream.
        pace = PeriodEstimator(
            promised: Self.promised(by: grid) ?? (grid == nil ? registerPeriod : nil))
        timestamps = TimestampCheck(model, known)
        isChangingPeriod = registerPeriod == nil || grid != nil
    }

    /// Registers do not give the period any more, since somebody else writes them: from the next frame on it is learned
    /// from timestamps.
    public mutating func forgetRegisterPeriod() {
        guard grid != nil else { return }
        grid = nil
        pace = PeriodEstimator(promised: nil)
        timestamps = TimestampCheck(model, known)
    }

    /// The period by which spacing counts frames from the first one on: until timestamps agree on the grid nothing but
    /// the sequence does, unless they are too slow to wait for.
    static func promised(by grid: RegisterClock?) -> Interval? {
        grid.flatMap { $0.isSlow ? $0.period : nil }
    }

    /// What the grid shows; nil where there is none, or the timestamp is plainly no time of this frame.
    mutating func gridReading(
        of arrival: FrameArrival, _ number: SequenceTracker.Statement
    ) -> RegisterClock.Reading? {
        guard grid != nil, arrival.timestamp.nanoseconds > 0, arrival.timestamp <= arrival.takenAt,
            order(of: arrival.timestamp) == nil
        else {
            grid?.skip(frames: number.frames)
            endWait()
            return nil
        }
        let reading = grid?.observe(
            arrival.timestamp, frames: number.frames, takenAt: arrival.takenAt)
        if let grid, reading?.isSettled == true {
            // What was late before could not be known.
            pace = PeriodEstimator(promised: grid.period)
            timestamps = TimestampCheck(model, known)
        }
        endWait()
        if let reading, reading.isSettled || reading.found != nil { isChangingPeriod = false }
        return reading
    }

    /// Timestamps never agreed: the registers' period has to count frames without a phase.
    private mutating func endWait() {
        guard let grid, grid.isWaitOver, !isCountedByPeriod else { return }
        isCountedByPeriod = true
        pace = PeriodEstimator(promised: grid.period)
    }

    /// Whether registers give the period, and nothing refutes it.
    ///
    /// Then late timestamps are no contradiction, also while the phase is not known yet.
    var hasRegisterPeriod: Bool { grid.map { !$0.isRefuted } ?? false }

    /// Whether the period is known so well that timestamps can teach nothing.
    var isPeriodKnown: Bool { grid.map { $0.isKept } ?? false }

    /// Takes what the grid found over into what is reported of the frame, and into what is known of the period.
    mutating func note(_ reading: RegisterClock.Reading?, _ gap: inout FrameGap) {
        if grid != nil { gap.mayBeEarlier = gap.unnumbered }
        guard let reading else { return }
        if let found = reading.found {
            gap.foundPeriod = Interval(nanoseconds: found)
            pace = PeriodEstimator(promised: gap.foundPeriod)
        }
        gap.lateBefore = reading.refuted.map { Interval(nanoseconds: $0) }
        if reading.isLate, gap.doubt == nil { gap.doubt = .late }
    }
}
