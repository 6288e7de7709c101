internal import Notation

/// A distribution as a drawing with its figures in words; needs no script.
///
/// Every bar has a title with its range and
/// its count, and the summary stands in words for whoever does not see the drawing.
struct HistogramDrawing {
    private let distribution: ReportDocument.Distribution
    private let area = PlotArea(left: 48)

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
            <svg viewBox="\(area.box)" role="img" \
            aria-label="\(distribution.title.markup): \(summary.markup)">
            \(drawn(bars))
            \(places(bars))
            </svg></figure>
            """
    }

    /// A rectangle for each bar that has numbers, over the axis of counts.
    private func drawn(_ bars: LogHistogram.Bars) -> String {
        let most = Int64(clamping: max(1, bars.counts.max() ?? 1))
        let count = Int64(bars.counts.count)
        var parts = [area.levels(upTo: most, title: distribution.counts) { "\($0)" }]
        for (index, number) in bars.counts.enumerated() where number > 0 {
            let x = area.x(Int64(index), from: 0, to: count)
            let next = area.x(Int64(index) + 1, from: 0, to: count)
            // What is there is seen.
            let y = min(area.y(Int64(clamping: number), of: most), area.y(0, of: most) - 1)
            let low = bars.start + Int64(index) * bars.width
            let title =
                "\(distribution.text(low)) to \(distribution.text(low + bars.width)): \(number)"
            parts.append(
                "<rect class=\"bar\" x=\"\(x)\" y=\"\(y)\" width=\"\(max(1, next - x - 1))\""
                    + " height=\"\(area.y(0, of: most) - y)\"><title>\(title.markup)</title></rect>"
            )
        }
        return parts.joined(separator: "\n")
    }

    private func places(_ bars: LogHistogram.Bars) -> String {
        area.places(
            from: bars.start, to: bars.start + bars.width * Int64(bars.counts.count),
            title: distribution.measure.axis, distribution.text)
    }
}
