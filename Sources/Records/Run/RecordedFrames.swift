/// The frames of a recorded run, by slot.
///
/// Used by one thread. What is damaged reads as missing: `verify` says what it is.
package final class RecordedFrames {
    private let reader: any FrameReader

    /// Nil for a run that was recorded without its pixels.
    package init?(_ run: RecordedRun) {
        guard let reader = run.openFrames() else { return nil }
        self.reader = reader
    }

    /// Calls `body` with exactly the samples of a slot's frame; nil where there is none.
    package func withFrame<Result>(
        slot: Int64, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard slot >= 0, reader.read(slot: slot) == .frame else { return nil }
        return reader.withFrame(body)
    }
}
