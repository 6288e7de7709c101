public import Imaging
internal import Timebase

/// A row of the ledger with what was measured on its frame, rounded as it is written.
///
/// Rounding comes first and comparing second: who reads the row and measures the frame again comes to equal entries.
public struct LedgerEntry: Hashable, Sendable {
    /// How the slot ended.
    public var row: LedgerRow
    /// Where the slot stands in the plan.
    public var place: SlotPlace
    /// Mean luminance in thousandths of a code; nil without pixels.
    public var lumaMeanThousandths: Int64?
    /// Share of samples with the largest code in millionths; nil without pixels.
    public var saturatedMillionths: Int64?
    /// Checksum of the frame's bytes; nil without pixels.
    public var crc32c: UInt32?

    /// Creates the entry of a frame, or of a hole or a frame without pixels where there is no measure.
    ///
    /// - Precondition: a hole has no measure.
    public init(_ row: LedgerRow, at place: SlotPlace, measure: FrameBrightness?) {
        precondition(row.reason == nil || measure == nil, "holes are not measured")
        self.row = row
        self.place = place
        guard let measure else { return }
        lumaMeanThousandths = FixedPoint.ratio(measure.lumaSum, measure.lumaCount, places: 3)
        saturatedMillionths = FixedPoint.ratio(
            measure.saturatedCount, measure.lumaCount, places: 6)
        crc32c = measure.crc32c
    }
}

extension FrameBrightness {
    /// Measures a frame in the record's layout, in one pass over its memory; allocates nothing.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples: rows without padding, little-endian.
    ///   - format: what the samples are.
    ///   - size: pixels and rows.
    public init(of frame: UnsafeRawBufferPointer, format: PixelFormat, size: FrameSize) {
        var crc32c: UInt32 = 0
        let statistics = FrameStatistics(of: frame, format: format, size: size) {
            crc32c = CRC32C.checksum(of: $0, after: crc32c)
        }
        self.init(
            lumaSum: statistics.sum, lumaCount: statistics.count,
            saturatedCount: statistics.saturatedCount, crc32c: crc32c, statistics: statistics)
    }
}
