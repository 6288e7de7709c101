internal import Imaging
internal import Timebase

/// What of a frame shows that a control has changed.
enum LatencySignal: Hashable, Sendable {
    /// How bright it is.
    case light
    /// How much red it has over blue.
    case colour
    /// How much detail it has.
    case sharpness
    /// How long after the frame before it came: for blanking.
    case spacing

    /// What has to be measured of a frame.
    ///
    /// Spacing needs no pixels, so frames are not even unpacked for it.
    var subjects: FrameMeter.Subjects {
        switch self {
        case .light: .light
        case .colour: .balance
        case .sharpness: .focus
        case .spacing: []
        }
    }

    /// The level of a frame.
    ///
    /// - Parameter spacing: time since the timestamp of the frame before it; nil where that is missing.
    /// - Returns: nil if the frame shows nothing: no colour, or black.
    func level(of reading: FrameReading, spacing: Interval?) -> SignalLevel? {
        switch self {
        case .light: reading.light.flatMap { SignalLevel(light: $0) }
        case .colour:
            reading.balance.flatMap { balance in
                guard balance.isEnough, balance.red + balance.blue > 0 else { return nil }
                return SignalLevel(
                    whole: balance.red * 1_000_000 / (balance.red + balance.blue))
            }
        case .sharpness: reading.focus.map { SignalLevel(whole: $0.millionths) }
        case .spacing: spacing.map { SignalLevel(whole: $0.nanoseconds) }
        }
    }
}

/// A level in the signal's own unit: light in millionths of full scale, red's part of red and blue in millionths, a
/// focus score in millionths, spacing in nanoseconds.
struct SignalLevel: Hashable, Sendable {
    /// Of the middle of the frame.
    var whole: Int64
    /// Of its first rows; nil where rows are not measured separately.
    var top: Int64?
    /// Of its last rows.
    var bottom: Int64?
    /// How many of the middle's pixels are saturated, in millionths.
    var saturatedMillionths: Int64 = 0

    init(whole: Int64) {
        self.whole = whole
    }

    /// The middle half of the rows and columns, and the first and last sixth of the rows.
    ///
    /// Light is the mean of the colours, not weighted: one control changes all of them alike. The black level is
    /// subtracted.
    ///
    /// - Returns: nil if no pixel of the middle was counted.
    init?(light grid: BrightnessGrid) {
        func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> (level: Int64, saturated: Int64)? {
            var (sum, count, saturated): (Int64, Int64, Int64) = (0, 0, 0)
            for row in rows {
                for column in columns {
                    let cell = grid.cells[row * BrightnessGrid.columns + column]
                    sum += grid.hasColour ? (cell.red + cell.green + cell.blue) / 3 : cell.green
                    count += cell.count
                    saturated += cell.saturatedCount
                }
            }
            guard count > 0 else { return nil }
            let level = Int128(sum) * 1_000_000 / (Int128(count) * Int128(grid.fullScale))
            return (Int64(level), saturated * 1_000_000 / count)
        }
        let (rows, columns) = (BrightnessGrid.rows, BrightnessGrid.columns)
        guard let middle = mean(rows / 4..<rows * 3 / 4, columns / 4..<columns * 3 / 4) else {
            return nil
        }
        whole = middle.level
        saturatedMillionths = middle.saturated
        top = mean(0..<rows / 6, 0..<columns)?.level
        bottom = mean(rows * 5 / 6..<rows, 0..<columns)?.level
    }
}
