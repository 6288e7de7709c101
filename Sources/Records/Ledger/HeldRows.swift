internal import Devices
internal import Imaging
internal import Timebase
internal import Tracking

/// Rows that wait until it is clear whether their pictures go along with them, and those whose verdict is still open.
///
/// A row leaves for the ledger at once, unless its pixels make it doubtful: then it waits, for a second or some frames.
/// What later frames show of a row that has left is a *revision*: the ledger is put right at the end of the run.
///
/// Order of calls: ``note(_:)`` for every event, ``add(_:_:at:)`` for every row in the order of slots, ``next(at:)``
/// until it gives nothing, ``takeRevisions()``, and at the end ``finish()``. Rows leave in the order in which they
/// came.
struct HeldRows {
    /// A row that is ready, and what has to be logged of it before.
    struct Released {
        var entry: LedgerEntry
        /// What this row has otherwise than it was reported; they go into the log before the row goes into the ledger.
        var events: [RunEvent]
        /// Whether later frames may still revise it.
        var isOpen = false
    }

    /// What became of a row that left before its verdict was final; often nothing.
    struct Revision {
        let before: LedgerEntry
        let after: LedgerEntry
        /// What was not known when it left.
        let events: [RunEvent]
    }

    /// A row that waits, and the session time at which it came.
    private struct Held {
        var entry: LedgerEntry
        let time: Instant<Session>
        /// Whether its pixels can say anything of it.
        var isJudged = false
        /// What they say in the end.
        var verdicts: PerGroup<PixelVerdict>?
        /// What is not known, since its picture may be another frame's, was left out.
        var isDisplaced = false
        /// What has to be logged of that.
        var events: [RunEvent] = []
    }

    /// A row that has left and whose verdict is still open.
    private struct Left {
        let entry: LedgerEntry
        let released: LedgerEntry
        /// What was logged of it then.
        let verdicts: PerGroup<PixelVerdict>

        /// Whether the log has as much already.
        func isLogged(_ event: RunEvent) -> Bool {
            switch event {
            case .settingContradicted(_, _, let group, _, _, _): verdicts[group].isContradicted
            case .settingDoubted(_, _, let group, _, _):
                verdicts[group].isContradicted || verdicts[group] == .doubted
            case .settingShown(_, _, let group, _): verdicts[group] == .confirmed
            default: false
            }
        }
    }

    /// Rows that are doubted wait so long for later frames to decide.
    private static let patience = Interval.seconds(1)
    /// They wait for so many more, however slow the camera is.
    private static let fewestBehind = 8
    /// With more rows than this none waits, so that memory is bounded.
    private static let capacity = 64

    private var pixels: PixelEvidence
    /// Nil for cameras whose receivers can't displace pictures.
    private var displaced: DisplacedPictures?
    /// The rows that wait, the oldest first.
    private var held: [Held] = []
    /// By slot; as many as the filter's window has.
    private var left: [Int64: Left] = [:]
    private var revisions: [Revision] = []
    /// By group, frames whose reported setting is doubted for their pixels.
    private(set) var doubted = PerGroup<Int64>(repeating: 0)

    init(_ pixels: PixelEvidence, _ displaced: DisplacedPictures?) {
        self.pixels = pixels
        self.displaced = displaced
    }

    /// Takes note of what makes exposures unknown, whatever pixels show.
    mutating func note(_ event: RunEvent) {
        pixels.note(event)
        displaced?.note(event)
        for place in held.indices { leaveOutUnknown(place) }
    }

    /// Leaves out what is not known of a row whose picture may be another frame's.
    ///
    /// Once for each row; what is not known can't become less known.
    private mutating func leaveOutUnknown(_ place: Int) {
        guard let displaced, !held[place].isDisplaced,
            displaced.isBeforeGap(held[place].entry.row),
            displaced.isLate(held[place].entry.row, at: held[place].time)
        else { return }
        held[place].isDisplaced = true
        held[place].events = PixelEvidence.groups.compactMap {
            held[place].entry.row.doubt($0)
        }
        displaced.leaveOutUnknown(&held[place].entry.row)
    }

    /// Whether the frame behind a row may still show that its picture is another one's.
    ///
    /// Only the newest row waits for that: as soon as one stands behind it, the gap between them has been logged.
    private func awaitsNext(_ row: Held, at time: Instant<Session>) -> Bool {
        guard held.count == 1, let displaced, displaced.isLate(row.entry.row, at: row.time) else {
            return false
        }
        return time - row.time <= displaced.patience
    }

    /// Takes the next row.
    ///
    /// Holes wait too, so that rows stay in order, but nothing is asked of them.
    ///
    /// - Parameters:
    ///   - statistics: of the frame's pixels; nil for holes and without pixels.
    ///   - time: session time, never earlier than at the last call.
    mutating func add(
        _ entry: LedgerEntry, _ statistics: FrameStatistics?, at time: Instant<Session>
    ) {
        if let last = held.indices.last {
            displaced?.note(entry.row, after: held[last].entry.row)
            leaveOutUnknown(last)
        }
        held.append(Held(entry: entry, time: time))
        guard let statistics else { return pixels.skip(entry.row) }
        var found: [BrightnessFilter.Finding] = []
        held[held.count - 1].isJudged = pixels.take(entry.row, statistics) { found.append($0) }
        for finding in found { settle(finding) }
        leaveOutUnknown(held.count - 1)
    }

    /// The next row that waits no longer.
    ///
    /// - Parameter time: the present; nil at the end, for which nothing waits.
    mutating func next(at time: Instant<Session>?) -> Released? {
        guard var first = held.first else { return nil }
        if let time, awaitsNext(first, at: time) { return nil }
        first.entry.row.lateBy = .zero
        guard first.isJudged, !first.isDisplaced else {
            held.removeFirst()
            return Released(entry: first.entry, events: first.events)
        }
        let slot = first.entry.row.slot
        let verdicts = first.verdicts ?? pixels.verdicts(of: slot)
        if let time, first.verdicts == nil, held.count <= Self.capacity,
            waits(first, verdicts, at: time)
        {
            return nil
        }
        held.removeFirst()
        var released = first.entry
        let events = verdicts.map { pixels.apply($0, to: &released.row) } ?? []
        if let verdicts { count(verdicts, first.entry.row, by: 1) }
        if first.verdicts == nil, let verdicts {
            left[slot] = Left(entry: first.entry, released: released, verdicts: verdicts)
        }
        return Released(entry: released, events: events, isOpen: left[slot] != nil)
    }

    /// Whether frames to come may decide soon what these could not.
    private func waits(
        _ row: Held, _ verdicts: PerGroup<PixelVerdict>?, at time: Instant<Session>
    ) -> Bool {
        guard let verdicts else { return false }
        guard ControlGroup.all.contains(where: { verdicts[$0] == .doubted }) else { return false }
        return time - row.time <= Self.patience || held.count <= Self.fewestBehind
    }

    private mutating func count(
        _ verdicts: PerGroup<PixelVerdict>, _ row: LedgerRow, by step: Int64
    ) {
        for group in ControlGroup.all
        where verdicts[group] == .doubted && row.applied[group] != nil {
            doubted[group] += step
        }
    }

    /// What was found of a frame in the end: its row waits still, or has left and may be wrong.
    private mutating func settle(_ finding: BrightnessFilter.Finding) {
        if let place = held.firstIndex(where: { $0.entry.row.slot == finding.name }) {
            return held[place].verdicts = finding.verdicts
        }
        guard let row = left.removeValue(forKey: finding.name) else { return }
        // What was logged stands: a row that was contradicted is doubtful at least.
        var verdicts = finding.verdicts
        for group in ControlGroup.all
        where row.verdicts[group].isContradicted && !verdicts[group].isContradicted {
            verdicts[group] = .doubted
        }
        var after = row.entry
        let events = pixels.apply(verdicts, to: &after.row)
        count(row.verdicts, row.entry.row, by: -1)
        count(verdicts, row.entry.row, by: 1)
        revisions.append(
            Revision(
                before: row.released, after: after,
                events: events.filter { !row.isLogged($0) }))
    }

    /// What is found of all frames that are still open; to be called before the last rows are asked for.
    mutating func finish() {
        var found: [BrightnessFilter.Finding] = []
        pixels.finish { found.append($0) }
        for finding in found { settle(finding) }
    }

    /// Controls that brightness does not follow, as far as is known.
    var unresponsive: ControlGroups { pixels.unresponsive }

    /// How many frames later than they should brightness follows settings; 0 where that is not seen.
    var late: PerGroup<Int64> { pixels.late }

    /// Whether the camera's word was refuted.
    var isRefuted: Bool { !pixels.refuted.isEmpty }

    /// The camera's word does not stand where too many frames are in doubt.
    mutating func refute(_ tally: RunTally) { pixels.refute(tally) }

    /// The row without what is not known any more where the camera is late or its word was refuted.
    func withdrawn(late: PerGroup<Int64>, from entry: LedgerEntry) -> LedgerEntry {
        var entry = entry
        pixels.withdraw(late: late, from: &entry.row)
        return entry
    }

    /// What became of rows that had left, since the last call.
    mutating func takeRevisions() -> [Revision] {
        defer { revisions = [] }
        return revisions
    }
}
