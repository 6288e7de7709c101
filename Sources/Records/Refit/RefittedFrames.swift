internal import Devices
internal import Timebase

/// When a run's frames were exposed, from all that was recorded of all of them: by the clock that the driver timestamps
/// with, by the camera's own, and by the rhythm of a camera that streamed freely.
///
/// The run recorded of each exposure when it ended, from what was known by then. These bounds hold all of it already,
/// so they are what is fitted; a fit that is less exact, or contradicts them, changes nothing.
///
/// Three steps, each of which only narrows: a frame's own timestamp by the clock that it was found to be of, the
/// camera's own clock, or where there is none the count of frames. Nothing of a frame is kept from one step to the
/// next: rows are read again, so that memory does not go with the length of a run.
struct RefittedFrames {
    /// Bounds of a moment.
    typealias Range = ClosedRange<Instant<Monotonic>>
    /// A clock's relation to the monotonic one; nil if the run did not read it.
    ///
    /// Relations of all readings, before and after the frame.
    typealias Relations = (ClockSource) -> ClockSegments<Monotonic, DeviceClock>?

    /// What a fit knows of a frame.
    struct Frame {
        /// The driver's number, of 32 bits.
        fileprivate let sequence: UInt32?
        /// As the camera's own clock timestamped it.
        fileprivate let ticks: ClosedRange<Instant<DeviceClock>>?
        /// When its exposure ended, as the run had it.
        fileprivate let recorded: Range
        /// The same as it is known by now; nil if the run may have been wrong.
        fileprivate var known: Range?
        /// Whether its timestamp is of a clock that was stepped near it: then the run's own bounds may be wrong.
        fileprivate let isDoubtful: Bool
        /// Whether it fits into the rhythm, as far as there is one.
        fileprivate(set) var fits = true
    }

    /// So far from the truth may a frame be whose timestamp is of a clock that was stepped and not read since.
    ///
    /// What is further away the run did not believe.
    private static let unread = Interval.seconds(2)

    /// Nil where frames followed something else than the camera's oscillator, or their sequence does not count them.
    private(set) var rhythm: FrameClock?
    /// The counts that the rhythm is of.
    private var counted: ClosedRange<Int64>?
    /// The camera's own clock; nil where there is none, or too few of its ticks.
    private var camera: ClockSegments<Monotonic, DeviceClock>?
    /// How the driver's timestamps lie to the ends of exposures.
    private let terms: TimestampTerms
    private let epoch: Instant<Monotonic>
    private let ticksPerSecond: Int64?
    private let relations: Relations

    /// - Parameters:
    ///   - rows: of the ledger.
    ///   - whole: all frames that have a count; nil if none has.
    ///   - run: its manifest and plan.
    ///   - relations: of the clocks that the run read.
    /// - Throws: ``StorageError`` if the ledger can't be read.
    init(
        _ rows: RecordedRows, _ whole: CountedStretch?, _ run: RecordedRun,
        relations: @escaping Relations
    ) throws(StorageError) {
        terms = TimestampTerms(run.manifest)
        epoch = run.manifest.epoch
        ticksPerSecond = run.manifest.configuration.cameraTicksPerSecond
        self.relations = relations
        // Where the camera's own clock was followed, it is better than a count of its frames.
        if run.manifest.timestamps.cameraClock != nil {
            camera = try ofCamera(rows)
        } else if run.names.isUninterrupted, Self.areCounted(try? run.outcome?.get()) {
            try fitRhythm(rows, whole)
        }
    }

    /// Gives up the rhythm: some frame does not fit into it, so it is none of these frames.
    mutating func giveUpRhythm() { (rhythm, counted) = (nil, nil) }

    // MARK: One frame

    /// What is known of a row's frame.
    ///
    /// - Parameters:
    ///   - row: of a frame or a hole.
    ///   - count: takes the rows in order.
    /// - Returns: nil for holes and for frames without times.
    func frame(of row: LedgerRow, _ count: inout FrameCount) -> Frame? {
        guard var frame = plain(row) else { return nil }
        let number = count.count(frame.sequence)
        narrowByCamera(&frame)
        guard let bounds = rhythmical(number) else { return frame }
        if let known = frame.known {
            let common = known.common(bounds)
            frame.fits = common != nil
            frame.known = common ?? known
        } else {
            frame.known = bounds
        }
        return frame
    }

    /// The moment that the driver's timestamps mark, for a frame; nil if too little is known of that.
    ///
    /// The bound that comes from readout and offset is taken off again: it is between timestamp and exposure.
    func timestamp(of frame: Frame) -> BoundedInstant<Monotonic>? {
        guard let toEnd = terms.toEnd else { return nil }
        let known = frame.known ?? frame.recorded
        let end = BoundedInstant(earliest: known.lowerBound, latest: known.upperBound)
        return BoundedInstant(
            end.instant - toEnd.span, halfWidth: max(.zero, end.halfWidth - toEnd.halfWidth))
    }

    /// The exposure of a row, as far as it is known better now; otherwise as it was recorded.
    ///
    /// Only better times replace those of the row, except where the run may have been wrong.
    func exposure(of row: LedgerRow, _ frame: Frame?) -> ExposureTime? {
        guard let recorded = row.exposureTime, let frame else { return row.exposureTime }
        // How long it was is not known for sure if nobody read it: then its start is less sure than its end. So it is
        // where a sensor counts it by a clock of its own.
        let exposure = recorded.end - recorded.start
        let doubt =
            row.applied.exposure == nil
            ? exposure : exposure.magnitude(partsPerMillion: terms.clockPerMillion)
        let bounds = frame.known ?? frame.recorded
        let known = BoundedInstant(earliest: bounds.lowerBound, latest: bounds.upperBound)
        let halfWidth = known.halfWidth + doubt
        guard halfWidth < recorded.halfWidth || frame.isDoubtful && frame.known != nil else {
            return recorded
        }
        let middle = BoundedInstant(
            earliest: frame.recorded.lowerBound, latest: frame.recorded.upperBound)
        let shift = known.instant - middle.instant
        return ExposureTime(
            start: recorded.start + shift, mid: recorded.mid + shift, end: recorded.end + shift,
            halfWidth: halfWidth)
    }

    /// What is known of a frame by its own timestamps.
    private func plain(_ row: LedgerRow) -> Frame? {
        guard row.reason == nil, let time = row.exposureTime else { return nil }
        let end = epoch + (time.end - Instant(nanoseconds: 0))
        let recorded = end - time.halfWidth...end + time.halfWidth
        var known: Range? = recorded
        if case .host(let clock) = row.timestampClock, let raw = row.rawTimestamp,
            let relation = relations(clock)
        {
            known = narrowed(recorded, by: raw, relation)
        }
        let ticks = row.cameraTicks.flatMap { ticks in
            ticksPerSecond.flatMap { ClockSample.times(ofTicks: ticks, perSecond: $0) }
        }
        return Frame(
            sequence: row.deviceSequence, ticks: ticks, recorded: recorded, known: known,
            isDoubtful: known == nil)
    }

    /// The exposure by the timestamp of a frame that is of another clock; nil near a step of that.
    ///
    /// What contradicts the run's own bounds changes nothing.
    private func narrowed(
        _ end: Range, by raw: Instant<Monotonic>, _ relation: ClockSegments<Monotonic, DeviceClock>
    ) -> Range? {
        let near = end.lowerBound - Self.unread...end.upperBound + Self.unread
        if relation.breaks.contains(where: { $0.range.overlaps(near) }) { return nil }
        let shown = Instant<DeviceClock>(nanoseconds: raw.nanoseconds)
        guard
            let times = relation.convertBack(
                shown...shown + terms.resolution, within: near),
            let bound = terms.end(timestamped: times)
        else { return end }
        return end.common(bound) ?? end
    }

    private func narrowByCamera(_ frame: inout Frame) {
        guard let camera, let ticks = frame.ticks else { return }
        let near =
            frame.known
            ?? frame.recorded.lowerBound - Self.unread...frame.recorded.upperBound + Self.unread
        if let found = camera.convertBack(ticks, within: near) { frame.known = found }
    }

    /// What the rhythm leaves of the time of a frame; nil where it says nothing of it.
    private func rhythmical(_ number: Int64?) -> Range? {
        guard let rhythm, let number, counted?.contains(number) ?? false else { return nil }
        return rhythm.time(of: number).map {
            $0.instant - $0.halfWidth...$0.instant + $0.halfWidth
        }
    }

    // MARK: All together

    /// Relates the ends of exposures to the camera's own clock: what lies between the two is always the same.
    ///
    /// Each frame bounds the relation from both sides, by a tick and by when its exposure can have ended. Four such
    /// bounds at least are needed for a fit.
    private func ofCamera(
        _ rows: RecordedRows
    ) throws(StorageError) -> ClockSegments<Monotonic, DeviceClock>? {
        var total: Int64 = 0
        var range: Range?
        try rows.forEach { row in
            guard let frame = plain(row), let known = frame.known else { return true }
            range =
                range.map {
                    min($0.lowerBound, known.lowerBound)...max($0.upperBound, known.upperBound)
                } ?? known
            if frame.ticks != nil { total += 1 }
            return true
        }
        typealias Bounds = (known: Range, ticks: ClosedRange<Instant<DeviceClock>>)
        var thinned = Thinned<Bounds>(of: total)
        try rows.forEach { row in
            guard let frame = plain(row), let known = frame.known, let ticks = frame.ticks else {
                return true
            }
            thinned.add(
                (known, ticks),
                ceiling: ticks.upperBound.nanoseconds &- known.lowerBound.nanoseconds,
                floor: ticks.lowerBound.nanoseconds &- known.upperBound.nanoseconds)
            return true
        }
        let readings = thinned.elements().flatMap { bounds in
            [
                ClockReading<Monotonic, DeviceClock>(
                    ceiling: .init(bounds.known.lowerBound, bounds.ticks.upperBound), floor: nil),
                ClockReading<Monotonic, DeviceClock>(
                    ceiling: nil, floor: .init(bounds.known.upperBound, bounds.ticks.lowerBound)),
            ]
        }
        guard readings.count >= 4 else { return nil }
        return ClockFit(readings, behaviour: ClockSource.camera.behaviour)
            .relation(covering: range)
    }

    /// Whether the sequence counts every frame of the run, and the rhythm was the camera's own all through it.
    ///
    /// A sequence that missed frames makes another rhythm of the same times.
    ///
    /// A run without an outcome counts as undisputed; its own bounds hold in any case.
    private static func areCounted(_ outcome: Manifest.Outcome?) -> Bool {
        outcome?.tally.disputedGaps ?? 0 == 0 && outcome?.tally.periodFound == nil
    }

    /// Relates the ends of exposures to the count of frames.
    ///
    /// Whether all frames fit is looked at when they are read next. Of a raw sensor only the longest stretch counts in
    /// which each is known to less than half of a period: elsewhere frames may be missing that the sequence did not
    /// count and nothing else showed.
    private mutating func fitRhythm(
        _ rows: RecordedRows, _ whole: CountedStretch?
    ) throws(StorageError) {
        guard let whole else { return }
        guard terms.clockPerMillion != 0 else { return try fit(rows, whole) }
        // The median's, since single gaps would shift a mean.
        guard let half = whole.period.map({ $0 / 2 }) else { return }
        var longest = CountedStretch.Longest()
        try forEachCounted(rows) { number, known in
            if known.upperBound - known.lowerBound >= half {
                longest.interrupt()
            } else {
                longest.add(number, at: known.upperBound)
            }
        }
        if let stretch = longest.found { try fit(rows, stretch) }
    }

    /// Fits the clock of frames to those of a stretch.
    private mutating func fit(
        _ rows: RecordedRows, _ stretch: CountedStretch
    ) throws(StorageError) {
        let counts = stretch.counts
        let span = Int128((stretch.ends.last - stretch.ends.first).nanoseconds)
        let length = Int128(max(1, counts.upperBound - counts.lowerBound))
        var thinned = Thinned<FrameClock.Frame>(of: stretch.frames)
        try forEachCounted(rows) { number, known in
            guard counts.contains(number) else { return }
            let line = Int64(Int128(number - counts.lowerBound) * span / length)
            thinned.add(
                FrameClock.Frame(
                    sequence: number, timestamp: known.upperBound,
                    delay: known.upperBound - known.lowerBound),
                ceiling: known.upperBound.nanoseconds &- line,
                floor: known.lowerBound.nanoseconds &- line)
        }
        rhythm = FrameClock(thinned.elements(), delay: .zero)
        counted = rhythm == nil ? nil : counts
    }

    /// Goes through the frames with a count and bounds, in order.
    private func forEachCounted(
        _ rows: RecordedRows, _ body: (Int64, Range) -> Void
    ) throws(StorageError) {
        var count = FrameCount()
        try rows.forEach { row in
            guard let frame = plain(row) else { return true }
            if let number = count.count(frame.sequence), let known = frame.known {
                body(number, known)
            }
            return true
        }
    }
}

extension ClosedRange {
    /// What both ranges hold; nil if they have nothing in common.
    fileprivate func common(_ other: ClosedRange) -> ClosedRange? {
        overlaps(other) ? clamped(to: other) : nil
    }
}
