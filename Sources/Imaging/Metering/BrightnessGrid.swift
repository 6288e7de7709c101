/// Sums over a frame's samples in 16×12 cells, black level subtracted: exact integers, the same on every machine.
public struct BrightnessGrid: Hashable, Sendable {
    /// Cells across.
    public static let columns = 16
    /// Cells down.
    public static let rows = 12

    /// One cell.
    public struct Cell: Hashable, Sendable {
        /// Sums of the red, green and blue samples over the black level; luminance alone is in green.
        public var red: Int64 = 0
        /// See ``red``.
        public var green: Int64 = 0
        /// See ``red``.
        public var blue: Int64 = 0
        /// How many pixels, or for Bayer quads, were summed; of green both samples of a quad, halved.
        public var count: Int64 = 0
        /// How many of them have a sample of the largest code.
        public var saturatedCount: Int64 = 0
    }

    /// The cells, row by row from the top left.
    public internal(set) var cells: [Cell]
    /// Whether there is colour, or luminance in green alone.
    public let hasColour: Bool
    /// From black to the largest code; above 0.
    public let fullScale: Int64

    init(hasColour: Bool, fullScale: Int64) {
        precondition(fullScale > 0, "the black level is below the largest code")
        cells = Array(repeating: Cell(), count: Self.columns * Self.rows)
        self.hasColour = hasColour
        self.fullScale = fullScale
    }

    /// The metered level.
    ///
    /// Luminance is 0.299 R + 0.587 G + 0.114 B (Rec. 601) of linear samples.
    ///
    /// - Parameters:
    ///   - weights: what each cell counts.
    ///   - gains: white-balance gains that were not applied to the samples; for the usual camera, 1.
    /// - Returns: nil if no pixel lies in a cell that counts.
    public func level(
        _ weights: MeteringWeights,
        gains: ChannelGains = .unity
    ) -> MeteredLevel? {
        var (sum, count, saturated): (Int128, Int128, Int128) = (0, 0, 0)
        for (cell, weight) in zip(cells, weights.cells) {
            let luminance =
                hasColour
                ? 299 * Int128(cell.red) * Int128(gains.redMillionths)
                    + 587 * Int128(cell.green) * Int128(gains.greenMillionths)
                    + 114 * Int128(cell.blue) * Int128(gains.blueMillionths)
                : 1_000_000_000 * Int128(cell.green)
            sum += luminance * Int128(weight)
            count += Int128(cell.count) * Int128(weight)
            saturated += Int128(cell.saturatedCount) * Int128(weight)
        }
        guard count > 0 else { return nil }
        return MeteredLevel(
            billionths: Int64(clamping: max(sum, 0) / (count * Int128(fullScale))),
            saturatedMillionths: Int64(saturated * 1_000_000 / count))
    }
}
