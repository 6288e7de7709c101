internal import Devices
internal import Timebase
internal import Tracking

/// Rows that wait until it is clear whether their pictures go along with them, and what was found meanwhile.
///
/// In a run that nothing speaks against no row waits longer than it takes to know the scene, a second at most. A row
/// whose picture looks as if a write had been lost waits for the frames that can decide it, and leaves with what is
/// known: the setting that its picture shows, or none.
///
/// Order of calls: ``note(_:)`` for every event, ``add(_:at:)`` for every row in the order of slots, then ``next(at:)``
/// until it gives nothing. Rows leave in the order in which they came.
struct HeldRows {
    /// A row that is ready, and what has to be logged of it before.
    struct Released {
        var entry: LedgerEntry
        /// Contradictions of this row; they go into the log before the row goes into the ledger.
        var events: [RunEvent]
    }

    /// A row that waits, and the session time at which it came.
    private struct Held {
        var entry: LedgerEntry
        let time: Instant<Session>
        /// What later frames have shown that it did not have; nil as long as nothing did.
        var found: BrightnessCheck.Contradiction?
        /// What is not known, since its picture may be another frame's, was left out.
        var isDisplaced = false
    }

    /// Rows wait so long for a scene.
    private static let patience = Interval.seconds(1)
    /// Rows whose pictures speak against them wait for so many more, however slow the camera is.
    private static let fewestBehind = 8
    /// With more rows than this none waits, so that memory is bounded.
    private static let capacity = 64

    private var pixels: PixelEvidence
    /// Nil for cameras whose receivers can't displace pictures.
    private var displaced: DisplacedPictures?
    /// The rows that wait, the oldest first.
    private var held: [Held] = []

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
    /// - Parameter time: session time, never earlier than at the last call.
    mutating func add(_ entry: LedgerEntry, at time: Instant<Session>) {
        held.append(Held(entry: entry, time: time))
        guard entry.row.reason == nil else { return }
        var entry = entry
        pixels.judge(&entry) { found in
            let place = held.lastIndex {
                UInt32(truncatingIfNeeded: $0.entry.row.slot) == found.frame.sequence
            }
            if let place, held[place].found == nil { held[place].found = found }
        }
        held[held.count - 1].entry = entry
        leaveOutUnknown(held.count - 1)
    }

    /// The next row that waits no longer.
    ///
    /// A row leaves when it is clear, when it has waited for its time, or when too many wait. Then what is not clear
    /// stays unknown: exposure or gain empty, and `none` as its evidence.
    ///
    /// - Parameter time: the present; nil at the end, for which nothing waits.
    mutating func next(at time: Instant<Session>?) -> Released? {
        guard let first = held.first else { return nil }
        if let time, awaitsNext(first, at: time) { return nil }
        let isOpen = first.found == nil && pixels.isOpen(first.entry.row)
        if isOpen, let time, held.count <= Self.capacity {
            let isPatient = time - first.time <= Self.patience
            let isSuspect = pixels.isSuspect(first.entry.row)
            if isPatient || isSuspect && held.count <= Self.fewestBehind { return nil }
        }
        held.removeFirst()
        let unknown = pixels.giveUp(first.entry.row)
        guard let found = first.found ?? unknown else {
            return Released(entry: first.entry, events: [])
        }
        return Self.refuted(first.entry, found, isKnown: first.found?.isOnlyWay ?? false)
    }

    /// A row whose picture refutes it, with an event for each group that it does not have.
    ///
    /// - Parameter isKnown: whether what the picture shows can be put in its place.
    private static func refuted(
        _ entry: LedgerEntry, _ found: BrightnessCheck.Contradiction, isKnown: Bool
    ) -> Released {
        var released = Released(entry: entry, events: [])
        found.groups.forEach { group in
            let value = found.shown.value(group)
            released.entry.row.correct(group, to: value, isKnown: isKnown)
            released.events.append(
                .settingContradicted(
                    settings: entry.row.settings, sequence: entry.row.deviceSequence ?? 0,
                    group: group, believed: found.frame.value(group), found: value,
                    by: isKnown ? .statistics : .none))
        }
        return released
    }
}

extension LedgerRow {
    /// Puts right what a picture refutes of exposure or gain, and the times that were made of it.
    ///
    /// - Parameters:
    ///   - value: what the picture shows, in nanoseconds or millionths.
    ///   - isKnown: whether it is clear that the frame had this; else it may have had what is in the row, too.
    fileprivate mutating func correct(_ group: ControlGroup, to value: Int64, isKnown: Bool) {
        if group == .gain {
            applied.gainMillionths = isKnown ? value : nil
        } else if group == .exposure {
            let believed = applied.exposure
            let found = Interval(nanoseconds: value)
            applied.exposure = isKnown ? found : nil
            if let believed { correctTimes(from: believed, to: found, isKnown: isKnown) }
        }
        if isKnown { applied[knownBy: group] = .statistics }
    }

    /// The end of the exposure stays, since timestamps mark it; start and middle move.
    ///
    /// - Parameters:
    ///   - believed: the exposure that the times were made of.
    ///   - found: what the picture shows.
    ///   - isKnown: whether that is sure; if not, the bound has room for the longer of the two.
    private mutating func correctTimes(
        from believed: Interval, to found: Interval, isKnown: Bool
    ) {
        // Exposures that a trigger's pulse makes are not the control's.
        guard var time = exposureTime,
            abs((time.end - time.start - believed).nanoseconds) <= 1_000
        else { return }
        let exposure = isKnown ? found : max(believed, found)
        let start = time.start
        time.start = time.end - exposure
        time.mid = time.end - exposure / 2
        // What is not known may be anything up to the longer of the two.
        if !isKnown { time.halfWidth = time.halfWidth + exposure }
        exposureTime = time
        let delay = trigger?.delay
        trigger?.delay = isKnown ? delay.map { $0 + (time.start - start) } : nil
    }
}
