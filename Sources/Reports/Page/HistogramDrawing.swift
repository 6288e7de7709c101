internal import Notation

/// A distribution as a drawing with its figures in words; needs no script.
///
/// Lengths are in units of the drawing, which the page scales to its width. Every bar has a title with its range and
/// its count, and the summary stands in words for whoever does not see the drawing.
struct HistogramDrawing {
    private let distribution: ReportDocument.Distribution
    private static let width: Int64 = 640
    private static let height: Int64 = 150
    /// Room above the bars, for the largest count.
    private static let top: Int64 = 16
    /// Room on both sides of the bars.
    private static let left: Int64 = 8
    /// Room below the bars, for the numbers of the axis.
    private static let axis: Int64 = 22

    init(_ distribution: ReportDocument.Distribution) {
        self.distribution = distribution
    }

    /// The figure; empty without numbers, and words alone where one bar would hold all of them.
    ///
    /// At most 64 bars; numbers outside of them are counted in the caption.
    var markup: String {
        guard let summary = distribution.summary, let bars = distribution.histogram.bars(limit: 64)
        else { return "" }
        var caption = "<strong>\(distribution.title.markup)</strong> \(summary.markup)"
        if bars.counts.count == 1, bars.below + bars.above == 0 {
            return "<figure><figcaption>\(caption)</figcaption></figure>"
        }
        let outside = [(bars.below, "below"), (bars.above, "above")].filter { $0.0 > 0 }
        if !outside.isEmpty {
            caption +=
                "; not drawn: "
                + outside.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        return """
            <figure><figcaption>\(caption)</figcaption>
            <svg viewBox="0 0 \(Self.width) \(Self.top + Self.height + Self.axis)" role="img" \
            aria-label="\(distribution.title.markup): \(summary.markup)">
            \(drawn(bars))
            \(ticks(bars))
            </svg></figure>
            """
    }

    /// A rectangle for each bar that has numbers, and the largest count at the line that it reaches.
    private func drawn(_ bars: LogHistogram.Bars) -> String {
        let most = max(1, bars.counts.max() ?? 1)
        let count = Int64(bars.counts.count)
        let room = Self.width - 2 * Self.left
        var parts = [
            "<text class=\"scale\" x=\"\(Self.left)\" y=\"11\">\(most)</text>",
            "<path class=\"grid\" d=\"M\(Self.left) \(Self.top)h\(room)\"/>",
        ]
        for (index, number) in bars.counts.enumerated() where number > 0 {
            let x = Self.left + Int64(index) * room / count
            let next = Self.left + (Int64(index) + 1) * room / count
            // What is there is seen.
            let height = max(1, Int64(number * UInt64(Self.height) / most))
            let low = bars.start + Int64(index) * bars.width
            let title =
                "\(distribution.text(low)) to \(distribution.text(low + bars.width)): \(number)"
            parts.append(
                "<rect class=\"bar\" x=\"\(x)\" y=\"\(Self.top + Self.height - height)\""
                    + " width=\"\(max(1, next - x - 1))\" height=\"\(height)\">"
                    + "<title>\(title.markup)</title></rect>")
        }
        return parts.joined(separator: "\n")
    }

    /// The axis with round numbers, about eight of them.
    ///
    /// Numbers at the ends stand inside the drawing instead of around their tick.
    private func ticks(_ bars: LogHistogram.Bars) -> String {
        let span = bars.width * Int64(bars.counts.count)
        let room = Self.width - 2 * Self.left
        let base = Self.top + Self.height
        var parts = ["<path class=\"axis\" d=\"M\(Self.left) \(base)h\(room)\"/>"]
        let step = Self.roundStep(span / 8)
        var value = bars.start - Self.remainder(bars.start, step)
        if value < bars.start { value += step }
        while value <= bars.start + span {
            let x = Self.left + Int64(Int128(value - bars.start) * Int128(room) / Int128(span))
            let anchor = x < 40 ? "start" : x > Self.width - 40 ? "end" : "middle"
            parts.append(
                "<path class=\"axis\" d=\"M\(x) \(base)v4\"/><text class=\"scale\" x=\"\(x)\""
                    + " y=\"\(base + 17)\" text-anchor=\"\(anchor)\">"
                    + "\(distribution.text(value).markup)</text>")
            value += step
        }
        return parts.joined(separator: "\n")
    }

    /// What a number is above the next multiple below it, also below zero.
    private static func remainder(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return rest < 0 ? rest + step : rest
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is not below a number.
    static func roundStep(_ least: Int64) -> Int64 {
        var power: Int64 = 1
        while power < least, power <= Int64.max / 100 {
            for factor in [1, 2, 5] as [Int64] where power * factor >= least {
                return power * factor
            }
            power *= 10
        }
        return max(1, power)
    }
}
