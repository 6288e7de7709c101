internal import Timebase

extension LedgerRow {
    /// Nanoseconds that can be reckoned with, 36 years either way: no run has others.
    static let countable = -(Int64.max / 8)...Int64.max / 8

    /// The row without times that are too far away.
    ///
    /// For a ledger that anybody may have changed: sums of such times would overflow.
    var countable: LedgerRow {
        var row = self
        // Timestamps may be of any clock.
        if let timestamp = rawTimestamp,
            !(Instant<Monotonic>.distantPast...(.distantFuture)).contains(timestamp)
        {
            row.rawTimestamp = nil
        }
        if let time = exposureTime,
            !Self.countable.contains(time.start.nanoseconds)
                || !Self.countable.contains(time.end.nanoseconds)
                || !(0...Self.countable.upperBound).contains(time.halfWidth.nanoseconds)
        {
            row.exposureTime = nil
        }
        return row
    }
}
