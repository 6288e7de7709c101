internal import Records
internal import Timebase
internal import Tracking

/// Holes that follow each other, of one step, for one reason and by the same evidence.
///
/// A disk that stalls loses hundreds of slots at once: as one line they can be read.
struct HoleRun: Hashable {
    /// The first slot; the others follow without a gap.
    var first: Int64
    var count: Int64
    var step: Int32
    var reason: HoleReason
    /// The device's number of the first, where it has one.
    var sequence: UInt32?
    /// What shows that they are missing.
    var gapEvidence: GapEvidence
    /// The middle of the frame before it; nil where none was before.
    var after: Instant<Session>?
}

/// The holes of a run, the first of them one by one.
///
/// A run is open until a row comes that does not continue it, so ``close()`` belongs to the end.
struct HoleRuns {
    /// So many are kept; the rest is counted.
    static let maximumListed = 1_000

    private(set) var listed: [HoleRun] = []
    /// All runs of holes, those that were not kept among them; not holes.
    private(set) var count: Int64 = 0
    private var current: HoleRun?

    /// Takes a row of the ledger.
    ///
    /// Rows come in the order of slots, frames too: a frame ends the run of holes before it.
    ///
    /// - Parameter after: the middle of the last frame's exposure; nil before the first.
    mutating func add(_ row: LedgerRow, after: Instant<Session>?) {
        guard let reason = row.reason else { return close() }
        if let open = current, open.step == row.step, open.reason == reason,
            open.gapEvidence == row.gapEvidence
        {
            current?.count += 1
            return
        }
        close()
        current = HoleRun(
            first: row.slot, count: 1, step: row.step, reason: reason,
            sequence: row.deviceSequence, gapEvidence: row.gapEvidence, after: after)
    }

    /// To be called after the last row.
    mutating func close() {
        guard let current else { return }
        count += 1
        if listed.count < Self.maximumListed { listed.append(current) }
        self.current = nil
    }
}
