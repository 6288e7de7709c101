internal import Notation

/// Points over two axes with their units; needs no script.
struct PlotDrawing {
    private let plot: ReportDocument.Plot
    private let area = PlotArea(left: 64)

    init(_ plot: ReportDocument.Plot) { self.plot = plot }

    /// The figure; empty without points.
    var markup: String {
        guard let right = plot.points.map(\.x).max(),
            let top = plot.points.map(\.y.upperBound).max(),
            right > 0
        else { return "" }
        let scale = (x: right, y: max(1, top))
        return """
            <figure><figcaption><strong>\(plot.title.markup)</strong> \(plot.note.markup)</figcaption>
            <svg viewBox="\(area.box)" role="img" aria-label="\(plot.title.markup): \(plot.note.markup)">
            \(area.levels(upTo: scale.y, title: plot.yAxis, plot.y.text))
            \(plot.points.map { drawn($0, scale) }.joined(separator: "\\n"))
            \(area.places(from: 0, to: scale.x, title: plot.xAxis, plot.x.text))
            </svg></figure>
            """
    }

    /// A bar from the least to the most, at least four units tall.
    private func drawn(_ point: (x: Int64, y: ClosedRange<Int64>), _ scale: (x: Int64, y: Int64))
        -> String
    {
        let x = area.x(point.x, from: 0, to: scale.x)
        let (high, low) = (
            area.y(point.y.upperBound, of: scale.y), area.y(point.y.lowerBound, of: scale.y)
        )
        let range =
            point.y.lowerBound == point.y.upperBound
            ? plot.y.text(point.y.lowerBound)
            : "\(plot.y.text(point.y.lowerBound)) to \(plot.y.text(point.y.upperBound))"
        let title = "\(plot.x.text(point.x)): \(range)"
        return
            "<rect class=\"point\" x=\"\(x - 3)\" y=\"\(high - 2)\" width=\"6\" height=\"\(low - high + 4)\">"
            + "<title>\(title.markup)</title></rect>"
    }
}
