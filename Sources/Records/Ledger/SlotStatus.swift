/// What a row of the ledger states of its slot.
enum SlotStatus: String {
    /// It has its frame.
    case frame
    /// It had its turn, and has no frame.
    case hole
    /// It and all slots up to `last_slot` had no turn: the run ended before.
    case notReached = "not-reached"
}

extension LedgerRow {
    /// Follows from reason and last slot, so that it can't contradict them.
    var status: SlotStatus {
        lastSlot != nil ? .notReached : reason != nil ? .hole : .frame
    }
}
