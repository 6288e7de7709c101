internal import Devices
internal import Timebase

/// When a run's frames were exposed, from all that was recorded of all of them: by the clock that the driver timestamps
/// with, by the camera's own, and by the rhythm of a camera that streamed freely.
///
/// The run recorded of each exposure when it ended, from what was known by then. These bounds hold all of it already,
/// so they are what is fitted; a fit that is less exact, or contradicts them, changes nothing.
///
/// Three steps, each of which only narrows: a frame's own timestamp by the clock that it was found to be of, the
/// camera's own clock, or where there is none the count of frames.
struct RefittedFrames {
    /// Bounds of a moment.
    typealias Range = ClosedRange<Instant<Monotonic>>
    /// A clock's relation to the monotonic one; nil if the run did not read it.
    ///
    /// Relations of all readings, before and after the frame.
    typealias Relations = (ClockSource) -> ClockSegments<Monotonic, DeviceClock>?

    /// A frame that has a time.
    private struct Frame {
        let slot: Int64
        /// The driver's number, of 32 bits.
        let sequence: UInt32?
        /// As the camera's own clock timestamped it.
        let ticks: ClosedRange<Instant<DeviceClock>>?
        /// When its exposure ended, as the run had it.
        let recorded: Range
        /// The same as it is known by now; nil if the run may have been wrong.
        var known: Range?
        /// Whether its timestamp is of a clock that was stepped near it: then the run's own bounds may be wrong.
        let isDoubtful: Bool
    }

    /// So far from the truth may a frame be whose timestamp is of a clock that was stepped and not read since.
    ///
    /// What is further away the run did not believe.
    private static let unread = Interval.seconds(2)

    /// Nil where frames followed something else than the camera's oscillator, or their sequence does not count them.
    private(set) var rhythm: FrameClock?
    /// How the driver's timestamps lie to the ends of exposures.
    private let terms: TimestampTerms
    /// By slot, when exposures ended: as the run had it and as it is known now.
    private var ends: [Int64: (recorded: Range, known: Range, wasDoubtful: Bool)] = [:]

    /// - Parameters:
    ///   - rows: of the ledger, in the order of slots.
    ///   - run: its manifest and plan.
    ///   - epoch: the zero of session time.
    ///   - relations: of the clocks that the run read.
    init(
        _ rows: [LedgerRow], _ run: RecordedRun, epoch: Instant<Monotonic>, relations: Relations
    ) {
        terms = TimestampTerms(run.manifest)
        let ticksPerSecond = run.manifest.configuration.cameraTicksPerSecond
        var frames: [Frame] = rows.compactMap {
            frame($0, epoch: epoch, ticksPerSecond: ticksPerSecond, relations)
        }
        narrowByCamera(&frames)
        // Where the camera's own clock was followed, it is better than a count of its frames.
        let hasOwnClock = run.manifest.timestamps.cameraClock != nil
        if run.names.isUninterrupted, !hasOwnClock, Self.areCounted(try? run.outcome?.get()) {
            narrowByRhythm(&frames)
        }
        for frame in frames {
            ends[frame.slot] = (
                frame.recorded, frame.known ?? frame.recorded,
                frame.isDoubtful && frame.known != nil
            )
        }
    }

    /// The moment that the driver's timestamps mark, for the frame of a row; nil if too little is known of that.
    ///
    /// The bound that comes from readout and offset is taken off again: it is between timestamp and exposure.
    func timestamp(of row: LedgerRow) -> BoundedInstant<Monotonic>? {
        guard let known = ends[row.slot]?.known, let toEnd = terms.toEnd else { return nil }
        let end = BoundedInstant(earliest: known.lowerBound, latest: known.upperBound)
        return BoundedInstant(
            end.instant - toEnd.span, halfWidth: max(.zero, end.halfWidth - toEnd.halfWidth))
    }

    /// The exposure of a row, as far as it is known better now; otherwise as it was recorded.
    ///
    /// Only better times replace those of the row, except where the run may have been wrong.
    func exposure(of row: LedgerRow) -> ExposureTime? {
        guard let recorded = row.exposureTime, let end = ends[row.slot] else {
            return row.exposureTime
        }
        // How long it was is not known for sure if nobody read it: then its start is less sure than its end. So it is
        // where a sensor counts it by a clock of its own.
        let exposure = recorded.end - recorded.start
        let doubt =
            row.applied.exposure == nil
            ? exposure : exposure.magnitude(partsPerMillion: terms.clockPerMillion)
        let known = BoundedInstant(
            earliest: end.known.lowerBound, latest: end.known.upperBound)
        let halfWidth = known.halfWidth + doubt
        guard halfWidth < recorded.halfWidth || end.wasDoubtful else {
            return recorded
        }
        let middle = BoundedInstant(
            earliest: end.recorded.lowerBound, latest: end.recorded.upperBound)
        let shift = known.instant - middle.instant
        return ExposureTime(
            start: recorded.start + shift, mid: recorded.mid + shift, end: recorded.end + shift,
            halfWidth: halfWidth)
    }

    // MARK: Each by its own timestamps

    /// A row as a frame with its bounds; nil for holes and for frames without times.
    private func frame(
        _ row: LedgerRow, epoch: Instant<Monotonic>, ticksPerSecond: Int64?, _ relations: Relations
    ) -> Frame? {
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
            slot: row.slot, sequence: row.deviceSequence, ticks: ticks, recorded: recorded,
            known: known, isDoubtful: known == nil)
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

    // MARK: All together

    /// Whether the sequence counts every frame of the run, and the rhythm was the camera's own all through it.
    ///
    /// A sequence that missed frames makes another rhythm of the same times.
    ///
    /// A run without an outcome counts as undisputed; its own bounds hold in any case.
    private static func areCounted(_ outcome: Manifest.Outcome?) -> Bool {
        outcome?.tally.disputedGaps ?? 0 == 0 && outcome?.periodFound == nil
    }

    /// Relates the ends of exposures to the camera's own clock: what lies between the two is always the same.
    ///
    /// Each frame bounds the relation from both sides, by a tick and by when its exposure can have ended. Four such
    /// bounds at least are needed for a fit.
    private func narrowByCamera(_ frames: inout [Frame]) {
        let readings = frames.flatMap { frame -> [ClockReading<Monotonic, DeviceClock>] in
            guard let ticks = frame.ticks, let known = frame.known else { return [] }
            return [
                ClockReading(
                    ceiling: .init(known.lowerBound, ticks.upperBound), floor: nil),
                ClockReading(
                    ceiling: nil, floor: .init(known.upperBound, ticks.lowerBound)),
            ]
        }
        guard readings.count >= 4 else { return }
        let ends = frames.compactMap(\.known)
        let range = (ends.map(\.lowerBound).min()).flatMap { first in
            ends.map(\.upperBound).max().map { first...$0 }
        }
        let relation = ClockFit(readings, behaviour: ClockSource.camera.behaviour)
            .relation(covering: range)
        for index in frames.indices {
            guard let ticks = frames[index].ticks else { continue }
            let recorded = frames[index].recorded
            let near =
                frames[index].known
                ?? recorded.lowerBound - Self.unread...recorded.upperBound + Self.unread
            if let found = relation.convertBack(ticks, within: near) { frames[index].known = found }
        }
    }

    /// Relates the ends of exposures to the count of frames.
    ///
    /// Numbers are counted on past 32 bits. If any frame does not fit into the rhythm it is given up as a whole:
    /// nothing of it is taken over then.
    private mutating func narrowByRhythm(_ frames: inout [Frame]) {
        var numbers: [Int: Int64] = [:]
        var last: (number: UInt32, sequence: Int64)?
        for (index, frame) in frames.enumerated() {
            guard let number = frame.sequence else { continue }
            let sequence =
                last.map { $0.sequence + Int64(Int32(bitPattern: number &- $0.number)) }
                ?? Int64(number)
            // A camera whose count restarted gives no rhythm across that.
            if let last, sequence <= last.sequence { break }
            last = (number, sequence)
            numbers[index] = sequence
        }
        let stream = frames.indices.compactMap { index -> FrameClock.Frame? in
            guard let number = numbers[index], let known = frames[index].known else { return nil }
            return FrameClock.Frame(
                sequence: number, timestamp: known.upperBound,
                delay: known.upperBound - known.lowerBound)
        }
        let counted = terms.clockPerMillion == 0 ? stream : Self.counted(stream)
        guard let first = counted.first?.sequence, let last = counted.last?.sequence,
            let rhythm = FrameClock(counted, delay: .zero)
        else { return }
        var found: [Int: Range] = [:]
        for (index, number) in numbers where (first...last).contains(number) {
            guard let time = rhythm.time(of: number) else { continue }
            let bounds = time.instant - time.halfWidth...time.instant + time.halfWidth
            // Whatever is wrong with it: it is no rhythm of these frames.
            guard let common = frames[index].known.map({ $0.common(bounds) }) ?? bounds else {
                return
            }
            found[index] = common
        }
        self.rhythm = rhythm
        for (index, bounds) in found { frames[index].known = bounds }
    }

    /// The longest stretch of a raw sensor's frames that are known to less than half of a period each: elsewhere frames
    /// may be missing that the sequence did not count and nothing else showed.
    ///
    /// The half of a period is the median's, since single gaps would shift a mean.
    private static func counted(_ stream: [FrameClock.Frame]) -> [FrameClock.Frame] {
        let periods = zip(stream, stream.dropFirst()).map { one, next in
            (next.timestamp - one.timestamp).nanoseconds / max(1, next.sequence - one.sequence)
        }.sorted()
        guard !periods.isEmpty else { return [] }
        let half = Interval(nanoseconds: periods[periods.count / 2] / 2)
        let stretches = stream.split { $0.delay ?? .zero >= half }
        return stretches.max { $0.count < $1.count }.map(Array.init) ?? []
    }
}

extension ClosedRange {
    /// What both ranges hold; nil if they have nothing in common.
    fileprivate func common(_ other: ClosedRange) -> ClosedRange? {
        overlaps(other) ? clamped(to: other) : nil
    }
}
