internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// Computes the times of rows again, from timestamps, edges, and what the profile states of them.
///
/// A frame of which the log doubts the timestamp is left out: its times rest on its arrival, which no file has. Of a
/// raw sensor, and of a camera with a clock of its own, times rest on more than the timestamp, which bounds them then.
struct TimeCheck {
    /// The earliest and latest moment at which the readout of a frame can have begun.
    private struct Start {
        var earliest: Int64
        var latest: Int64
    }

    /// What is cut off where half of a readout or a period is taken.
    private static let rounding: Int64 = 8

    private let model: TimestampModel
    private let resolution: ClockResolution
    private let epoch: Int64
    private let clockPerMillion: Int64
    private let trigger: PlannedTrigger?
    /// How far the bound of the longest exposure of the plan is off for the clock that counts it.
    private let mostCounted: Int64
    /// Whether frames follow a raw sensor's registers.
    private let hasRegisters: Bool
    /// Frames whose timestamps the log does not believe; more than those where numbers are missing between them.
    private var doubted = SequenceCoverage()
    private var hasDoubts = false
    /// Frames of a raw sensor that come later than its registers let them: they began before their timestamps.
    private var late = SequenceCoverage()
    private var hasLate = false
    /// Numbers that no frame has, as the log has them so far: before a frame, so many.
    ///
    /// Those of a disputed gap count, whether their frames are believed to be missing or not.
    private var lost: [(before: UInt32, count: Int64)] = []
    /// The frame behind the last of them that is disputed.
    private var lastDisputed: UInt32?
    /// Whether a number may be that of more than one frame.
    private var isRenumbered = false
    private var hasExternalChanges = false
    /// Times from frame to frame: promised, by registers, and found.
    private var periods: [Int64]
    /// Readings of clocks that timestamps may be of, in order.
    private var samples: [ClockSource: [ClockSample]] = [:]

    init(_ run: RecordedRun) {
        let camera = run.plan.camera
        model = camera.profile.timestamps
        resolution = run.manifest.clockResolution
        epoch = run.manifest.epoch.nanoseconds
        clockPerMillion = run.manifest.rows.clockPerMillion
        trigger = camera.trigger
        let longest = run.names.quantised.compactMap { $0.exposure.asked }.max() ?? .zero
        mostCounted = longest.magnitude(partsPerMillion: clockPerMillion).nanoseconds
        hasRegisters =
            camera.trigger == nil
            && (camera.profile.timing != nil || run.plan.settings.contains { $0.timing != nil })
        periods = run.periods
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .clockSample(let sample) where ClockSource.host.contains(sample.clock):
            samples[sample.clock, default: []].append(sample)
        case .sequenceTimestampMismatch(let before, .some(let count), _, _, _) where count > 0:
            lost.append((before, min(count, SequenceCoverage.numbers)))
            lastDisputed = before
        case .framesMissing(let count, let before, let reason)
        where reason.hasNumber && before != lastDisputed:
            lost.append((before, min(count, SequenceCoverage.numbers)))
        case .timestampInvalid(let count, let from, let why): doubt(count, from, why)
        case .sequenceJumped, .quirkSeen(.sequenceIsStuck, _, _),
            .quirkSeen(.sequenceCountsFields, _, _):
            isRenumbered = true
        case .controlChanged: hasExternalChanges = true
        case .rateDiffers(let found), .periodMismatch(_, _, let found):
            periods.append(found.nanoseconds)
        default: break
        }
    }

    /// Frames in a row, from a number on: numbers that are missing between them make the series so much longer.
    private mutating func doubt(_ count: Int64, _ first: UInt32, _ why: TimestampDefect) {
        var count = min(max(count, 1), SequenceCoverage.numbers)
        let since = lost.lastIndex { Int32(bitPattern: $0.before &- first) < 0 }.map { $0 + 1 } ?? 0
        for gap in lost[since...] where Int64(gap.before &- first) - gap.count <= count {
            count = min(count + gap.count, SequenceCoverage.numbers)
        }
        if hasRegisters, why == .late {
            hasLate = true
            return late.add(from: first, count: count)
        }
        hasDoubts = true
        doubted.add(from: first, count: count)
    }

    /// To be called once, after the last event.
    mutating func sort() {
        doubted.sort()
        late.sort()
        for clock in Array(samples.keys) { samples[clock]?.sort { $0.after < $1.after } }
    }

    // MARK: The ledger

    /// What is wrong with the times of a frame; nil for nothing.
    ///
    /// - Parameters:
    ///   - row: a frame's, without times that can't be reckoned with.
    ///   - edge: when its edge came, on the monotonic clock; nil where the log has not one alone.
    ///   - isCertain: whether its exposure is the one that the engine computed the times with.
    func problem(_ row: LedgerRow, edge: Int64?, isCertain: Bool) -> String? {
        guard let time = row.exposureTime, !isDoubted(row) else { return nil }
        // What a camera's clock makes narrower leaves nothing to find an unknown readout by.
        if row.cameraTicks != nil, model.readout == nil { return nil }
        let starts = starts(row, time, edge: edge, isCertain: isCertain)
        if starts.isEmpty || starts.contains(where: { gives($0, time, row) }) { return nil }
        return "session times and their half-width are not what raw_timestamp_ns gives"
    }

    private func isDoubted(_ row: LedgerRow) -> Bool {
        guard hasDoubts else { return false }
        guard let number = row.deviceSequence, !isRenumbered else { return true }
        return doubted.contains(number)
    }

    /// When the readout can have begun by the timestamp, and by the edge: one of them holds.
    ///
    /// Empty where too little is known.
    private func starts(
        _ row: LedgerRow, _ time: ExposureTime, edge: Int64?, isCertain: Bool
    ) -> [Start] {
        let starts = timestamps(row, time).map { timestamp in
            Start(
                earliest: timestamp.earliest - model.delay.nanoseconds,
                latest: timestamp.latest + 1_000 + resolution.excess.nanoseconds)
        }
        guard let window = trigger?.window, row.trigger?.outcome == .matched else { return starts }
        // An unknown readout, from a window of its start to a timestamp of its end, leaves nothing to compute.
        guard let edge, model.point == .startOfReadout || model.readout != nil else { return [] }
        let bounded = starts.compactMap { start -> Start? in
            // The window is one of readouts.
            let before = model.point == .endOfReadout ? model.readout?.nanoseconds ?? 0 : 0
            let earliest = edge + (window.earliest - window.edgeDelay).nanoseconds + before
            let latest = edge + window.latest.nanoseconds + before
            let common = Start(
                earliest: max(start.earliest, earliest), latest: min(start.latest, latest))
            return common.earliest <= common.latest ? common : nil
        }
        let isKnown = row.applied.exposure != nil && isCertain && !hasExternalChanges
        return isKnown && !bounded.isEmpty ? bounded : bounded + starts
    }

    /// The moments that a timestamp can mean, on the monotonic clock: of another one by a reading at about that time.
    private func timestamps(_ row: LedgerRow, _ time: ExposureTime) -> [Start] {
        guard let raw = row.rawTimestamp?.nanoseconds else { return [] }
        guard case .host(let clock) = row.timestampClock else {
            return row.timestampClock == .monotonic ? [Start(earliest: raw, latest: raw)] : []
        }
        let samples = samples[clock] ?? []
        let now = time.end.nanoseconds + epoch
        let next = samples.partitioningIndex { $0.after.nanoseconds > now }
        return samples[max(0, next - 2)..<min(samples.count, next + 2)].compactMap { sample in
            let (distance, overflow) = raw.subtractingReportingOverflow(sample.time.count)
            guard !overflow, abs(distance) < LedgerRow.countable.upperBound else { return nil }
            var (latest, doubt) = (
                sample.after.nanoseconds + distance + 2 * resolution.excess.nanoseconds,
                sample.width.nanoseconds + 1 + 3 * resolution.excess.nanoseconds
            )
            if clock == .monotonicRaw {
                // NTP slews the monotonic clock by no more.
                let slew = (abs(distance) / 1_000_000 + 1) * 500
                (latest, doubt) = (latest + slew, doubt + 2 * slew)
            }
            return Start(earliest: latest - doubt, latest: latest)
        }
    }

    // MARK: What follows from the start of the readout

    /// Whether a start of the readout gives a row's times.
    private func gives(_ start: Start, _ time: ExposureTime, _ row: LedgerRow) -> Bool {
        let end = time.end.nanoseconds + epoch - model.exposureEnd.span.nanoseconds
        var start = start
        var period: Int64?
        if let readout = model.readout?.nanoseconds {
            if model.point == .endOfReadout {
                start = Start(earliest: start.earliest - readout, latest: start.latest - readout)
            }
        } else {
            // Centre and bound have a quarter of the same period in them.
            let quarter = end - start.earliest - (start.latest - start.earliest) / 2
            period = 4 * (model.point == .endOfReadout ? -quarter : quarter)
            if model.point == .endOfReadout { start.earliest -= period ?? 0 }
        }
        if let period, !isPossible(period: period) { return false }
        let toCentre = Interval(
            nanoseconds: model.readout.map { $0.nanoseconds / 2 } ?? (period ?? 0) / 4)
        let exposure = time.end - time.start
        // What the bound has beside what is not known of the start of the readout.
        let fixed =
            model.exposureEnd.halfWidth.nanoseconds + (period ?? 0) / 4
            + exposure.magnitude(partsPerMillion: clockPerMillion).nanoseconds
            + toCentre.magnitude(partsPerMillion: clockPerMillion).nanoseconds + 1
        let middle = end - toCentre.nanoseconds
        let half = time.halfWidth.nanoseconds - fixed
        let more = half - (start.latest - start.earliest) / 2
        let found = Start(earliest: middle - half, latest: middle + half)
        if isOfEarlierEdge(row, found, start, exposure.nanoseconds) { return true }
        return extras(exposure.nanoseconds, more, row).contains { extra in
            let half = half - extra
            return half >= -room(row)
                && isSame(Start(earliest: middle - half, latest: middle + half), start, row)
        }
    }

    /// Whether a bound reaches over a frame's own start and that of an earlier edge, whose picture it may have.
    ///
    /// Edges lie further apart than a frame is exposed; the bound has so much more than the one of the frame alone.
    private func isOfEarlierEdge(
        _ row: LedgerRow, _ found: Start, _ start: Start, _ exposure: Int64
    ) -> Bool {
        guard trigger != nil, row.applied.exposure == nil, row.applied.gainMillionths == nil else {
            return false
        }
        let room = room(row)
        let more = (found.latest - found.earliest) - (start.latest - start.earliest)
        return more >= exposure && found.earliest <= start.earliest + room
            && found.latest >= start.latest - room
    }

    /// How far a start that is computed back from a row may be off.
    ///
    /// Where pixels showed another exposure, the bound is still that of the one before.
    private func room(_ row: LedgerRow) -> Int64 {
        let isShown =
            row.applied.exposure == nil || row.applied[knownBy: .exposure] == .pixels
        return Self.rounding + (isShown ? mostCounted : 0)
    }

    /// What a bound may have more, since the exposure was not known when the times were computed, or is not now.
    ///
    /// - Parameters:
    ///   - exposure: from start to end.
    ///   - more: what it has more than follows from the start of the readout.
    private func extras(_ exposure: Int64, _ more: Int64, _ row: LedgerRow) -> [Int64] {
        guard row.applied.exposure != nil else {
            // As long as the row says, give or take all of it; what a pulse makes is known.
            return trigger?.exposure == nil && !hasExternalChanges ? [exposure] : [exposure, 0]
        }
        guard row.applied[knownBy: .exposure] == .pixels else { return [0] }
        // Half a period, where pixels showed it only afterwards.
        return [0] + periods.map { $0 / 2 } + (isPossible(period: 2 * more) ? [more] : [])
    }

    /// Whether a row's start of the readout is the one that was computed again, or lies in it as its camera lets it.
    private func isSame(_ found: Start, _ start: Start, _ row: LedgerRow) -> Bool {
        let room = room(row)
        // The picture may be a later frame's, or an earlier edge's: then the bound reaches over both.
        if row.applied.exposure == nil, row.applied.gainMillionths == nil,
            found.earliest <= start.earliest + room, found.latest >= start.latest - room
        {
            return true
        }
        if hasRegisters {
            // A frame that is in time begins no later than its timestamp, nor earlier than that may be late.
            let step = 2_000 + 2 * resolution.step.nanoseconds
            if hasLate, row.deviceSequence.map({ isRenumbered || late.contains($0) }) ?? true {
                return found.latest <= start.latest + room
            }
            // Timestamps before it may bound it more closely, by what the period is off after some of them.
            let closer = (periods.min() ?? 0) / 100
            let isNarrow =
                found.latest - found.earliest < start.latest - start.earliest - closer - room
            return !isNarrow && found.latest <= start.latest + room
                && found.latest >= start.earliest - step - room
        }
        if row.cameraTicks != nil {
            return found.earliest >= start.earliest - room && found.latest <= start.latest + room
        }
        return abs(found.earliest - start.earliest) <= room
            && abs(found.latest - start.latest) <= room
    }

    /// Whether frames can have come at a period, by all that the record has of it.
    ///
    /// A fifth is left for what was learned.
    private func isPossible(period: Int64) -> Bool {
        guard period > 0, let shortest = periods.min(), let longest = periods.max() else {
            return period > 0
        }
        return (shortest - shortest / 5...longest + longest / 5).contains(period)
    }
}
