internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// Holds what the log has of missing frames against the frames that came: by their numbers, and by how much time there
/// was for frames without numbers.
///
/// Nothing is asked where a number may be that of more than one frame.
struct LossCheck {
    /// Frames without numbers of their own that are missing before a frame.
    private struct Unnumbered {
        let before: UInt32
        let count: Int64
    }

    /// How many frames a disputed gap has room for, and how many the sequence counts, which need not be believed.
    private struct Room {
        let frames: ClosedRange<Int64>
        let counted: Int64

        func has(_ unnumbered: Int64) -> Bool {
            frames.contains(unnumbered) || frames.contains(unnumbered + counted)
                || unnumbered == 0
        }
    }

    /// Numbers of frames that never came, of frames that came and that no slot took, and of both.
    private var lost = SequenceCoverage()
    private var given = SequenceCoverage()
    private var known = SequenceCoverage()
    /// Frames that came while settings settled: of those that are lost while another rate does the log has none.
    private var settling = SequenceCoverage()
    private let hasRates: Bool
    private var unnumbered: [Unnumbered] = []
    /// What disputed gaps have room for, by the frame behind them.
    private var rooms: [UInt32: Room] = [:]
    /// The last frame before which sequence and timestamps do not agree: what is missing there may have numbers or not.
    private var lastDisputed: UInt32?
    /// The last frame that no slot took: of what is missing behind it nothing is in the log.
    private var lastGiven: UInt32?
    private var hasEmptyLoss = false
    private var isRenumbered = false
    private var starts = 0
    /// Whether the spacing of timestamps shows what is missing: the log doubts none of them, and counts all of them.
    private var isSpaced: Bool
    /// Times from frame to frame that the record has.
    private var periods: [Int64]
    /// By how much a timestamp may be late in nanoseconds, by the profile.
    private let delay: Int64
    /// The last frame that has a row.
    private var last: (number: UInt32, timestamp: Int64, bound: Int64)?
    /// The number of the last row that has one.
    private var lastNumber: UInt32?
    /// The first of ``unnumbered`` that no row has passed.
    private var next = 0

    init(_ run: RecordedRun) {
        isSpaced = run.plan.camera.trigger == nil && run.isWhole
        periods = run.periods
        delay = run.plan.camera.profile.timestamps.delay.nanoseconds
        hasRates = Set(run.plan.settings.map { $0.timing?.period }).count > 1
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .streamStarted: starts += 1
        case .framesMissing(let count, let before, let reason):
            if count < 1 { hasEmptyLoss = true }
            if reason.hasNumber {
                let first = before &- UInt32(truncatingIfNeeded: count)
                lost.add(from: first, count: count)
                known.add(from: first, count: count)
            } else {
                unnumbered.append(Unnumbered(before: before, count: count))
            }
        case .framesSkipped(let count, let from, let why) where why != .repeated:
            given.add(from: from, count: count)
            known.add(from: from, count: count)
            if why == .settling { settling.add(from: from, count: count) }
            lastGiven = from &+ UInt32(truncatingIfNeeded: count - 1)
        case .frameDamaged(let sequence):
            given.add(from: sequence, count: 1)
            known.add(from: sequence, count: 1)
        case .sequenceTimestampMismatch(let before, let counted, let fewest, let most, let slot):
            lastDisputed = before
            note(before, counted ?? 0, fewest, most, slot)
        case .sequenceJumped, .quirkSeen(.sequenceIsStuck, _, _),
            .quirkSeen(.sequenceCountsFields, _, _):
            isRenumbered = true
        case .timestampInvalid, .earlierTimestampsLate, .gapUnverifiable: isSpaced = false
        case .rateDiffers(let found), .periodMismatch(_, _, let found):
            // Good enough to count frames one by one.
            periods += [found.nanoseconds * 9 / 10, found.nanoseconds * 11 / 10]
        default: break
        }
    }

    private mutating func note(
        _ before: UInt32, _ counted: Int64, _ fewest: Int64?, _ most: Int64?, _ slot: Int64?
    ) {
        guard let fewest, let most else { return isSpaced = false }
        let highest = max(most, slot ?? 0)
        // Of more numbers than there was time for not all need be believed.
        guard counted <= most else { return isSpaced = false }
        rooms[before] = Room(frames: min(fewest, highest)...highest, counted: counted)
    }

    /// What is wrong with the log; to be asked once, after the last event.
    mutating func problems() -> [String] {
        lost.sort()
        given.sort()
        known.sort()
        settling.sort()
        isRenumbered = isRenumbered || starts > 1
        var problems: [String] = []
        if hasEmptyLoss { problems.append("an event has no frames missing") }
        if isRenumbered { return problems }
        if lost.repeated > 0 {
            problems.append("\(lost.repeated) frames are missing in more than one event")
        }
        let both = lost.common(with: given)
        if both > 0 {
            problems.append("\(both) frames are missing in one event and came in another")
        }
        var counts: [UInt32: Int64] = [:]
        for gap in unnumbered { counts[gap.before, default: 0] += gap.count }
        let disputed = rooms.count { !$0.value.has(counts[$0.key] ?? 0) }
        if disputed > 0 {
            problems.append(
                "\(disputed) disputed gaps have other frames missing than they have room for")
        }
        return problems
    }

    // MARK: The ledger

    /// What is wrong with the next row; nil for nothing.
    mutating func problem(_ row: LedgerRow) -> String? {
        guard !isRenumbered, let number = row.deviceSequence else { return nil }
        if row.reason == .droppedByDriver || row.reason == .hostStalled { return nil }
        if lost.contains(number) { return "the events have frame \(number) as missing" }
        if row.reason == nil, given.contains(number) {
            return "frame \(number) has a row, though no slot took it by the events"
        }
        defer { lastNumber = number }
        guard row.reason == nil, let timestamp = row.countable.rawTimestamp?.nanoseconds else {
            return nil
        }
        let bound = row.countable.exposureTime?.halfWidth.nanoseconds ?? .max
        defer { last = (number, timestamp, bound) }
        guard let last else { return nil }
        // Of a disputed gap the log has what is the likelier; the sequence need not be wrong.
        var (sure, all): (Int64, Int64) = (0, 0)
        while next < unnumbered.count, Int32(bitPattern: number &- unnumbered[next].before) >= 0 {
            let gap = unnumbered[next]
            if Int32(bitPattern: gap.before &- last.number) > 0 {
                let count = min(gap.count, 1 << 32)
                all += count
                if rooms[gap.before] == nil { sure += count }
            }
            next += 1
        }
        let numbered = Int64(number &- last.number)
        // Times that are known to a period only do not count frames.
        let isKnown = periods.min().map { min(bound, last.bound) < $0 / 2 } ?? false
        let isCounted =
            !hasRates || settling.uncovered(after: last.number, before: number) == numbered - 1
        guard all > 0, isSpaced, isKnown, isCounted,
            hasTime(for: numbered + sure...numbered + all, timestamp - last.timestamp) == false
        else { return nil }
        return "the events have other frames missing before this one than there was time for"
    }

    /// Whether any of so many frames take about a time; nil where that is not known.
    ///
    /// Half a period is left for timestamps that are off, eight tenths for one that is late by less than what looks
    /// like a frame more, and a fiftieth for the period. Where timestamps may be late by half a period, one of the
    /// frames without rows may have hidden a missing one so.
    private func hasTime(for frames: ClosedRange<Int64>, _ span: Int64) -> Bool? {
        guard let shortest = periods.min(), let longest = periods.max(), shortest > 0 else {
            return nil
        }
        let hidden = delay * 2 >= shortest ? 1.8 : 0.8
        let (fewest, most) = (Double(frames.lowerBound), Double(frames.upperBound))
        let (quickest, slowest) = (Double(shortest) * 0.98, Double(longest) * 1.02)
        return fewest * quickest <= Double(span) + Double(shortest) / 2
            && most * slowest + Double(longest) * hidden >= Double(span)
    }

    /// What is wrong with the log behind the last row; nil for nothing.
    ///
    /// To be asked at the end of the ledger.
    var rest: String? {
        guard !isRenumbered, let lastNumber, let lastGiven,
            Int32(bitPattern: lastGiven &- lastNumber) > 0,
            lastDisputed.map({ Int32(bitPattern: $0 &- lastNumber) <= 0 }) ?? true,
            known.uncovered(after: lastNumber, before: lastGiven) > 0
        else { return nil }
        return "not all frames behind the last row are in the events"
    }
}
