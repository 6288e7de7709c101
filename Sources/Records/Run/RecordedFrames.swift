/// The frames of a recorded run, by slot.
///
/// Used by one thread. What is damaged, or another frame than the row's, reads as missing: `verify` says what it is.
package final class RecordedFrames {
    private let reader: any FrameReader

    /// Nil for a run that was recorded without its pixels.
    package init?(_ run: RecordedRun) {
        guard let reader = run.openFrames() else { return nil }
        self.reader = reader
    }

    /// Calls `body` with exactly the samples of a row's frame; nil where it is not there, with the row's checksum.
    package func withFrame<Result>(
        of entry: LedgerEntry, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard entry.row.slot >= 0, reader.read(slot: entry.row.slot) == .frame else { return nil }
        return reader.withFrame { frame -> Result? in
            CRC32C.checksum(of: frame) == entry.crc32c ? body(frame) : nil
        }
    }
}
