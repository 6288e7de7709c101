internal import Timebase

/// The whole run from left to right: what is seen without a script, and the place of the part that can be zoomed.
///
/// Eight tracks share one axis; a column has the least and the largest of what was in it, so that no outlier is lost in
/// a mean.
struct TimelineDrawing {
    private let figures: RunFigures
    private let overview: TimelineBins
    /// Columns of the overview at most; each is drawn at least two units wide.
    private static let columns = 500
    /// Room for the tracks' names, in units of a drawing that is 1000 wide; the script counts on it and on ``room``.
    private static let left: Int64 = 110
    private static let room: Int64 = 880

    init(_ figures: RunFigures) {
        self.figures = figures
        overview = figures.timeline.overview(columns: Self.columns)
    }

    /// The section, with the overview as a drawing and the elements in which the script draws the zoomed part.
    var markup: String {
        guard !overview.bins.isEmpty else {
            return "<section id=\"timeline\"><h2>Timeline</h2><p>Nothing has a time.</p></section>"
        }
        let label =
            "The run from its start to \(Measure.moment(end)): frames, holes, exposure, mean pixel value,"
            + " edges, pulses, writes of settings and what was doubtful of them"
        return """
            <section id="timeline"><h2>Timeline</h2>
            <figure><figcaption>The whole run, \(Measure.time(overview.width)) a column. Holes have no time of their
            own: they stand behind the frame before them.</figcaption>
            <svg viewBox="0 0 1000 224" role="img" aria-label="\(label)" id="overview">
            \(tracks)
            \(axis)
            <rect id="window" class="window" x="\(Self.left)" y="0" width="\(Self.room)" height="204"/>
            </svg></figure>
            <div id="zoom" hidden="hidden">
            <p class="controls"><button type="button" data-do="in">Zoom in</button>
            <button type="button" data-do="out">Zoom out</button>
            <button type="button" data-do="left">Earlier</button>
            <button type="button" data-do="right">Later</button>
            <button type="button" data-do="all">Whole run</button>
            <span>Wheel zooms, dragging moves; with the keyboard + - and the arrows.</span></p>
            <canvas id="detail" tabindex="0" role="img" aria-label="Part of the run, zoomed"
            aria-describedby="readout"></canvas>
            <p id="readout" role="status">\u{A0}</p></div>
            </section>
            """
    }

    /// Where the last column ends: up to a column's width behind the last event.
    private var end: Instant<Session> {
        Instant(nanoseconds: overview.width * Int64(overview.bins.count))
    }

    /// From top to bottom: frames and holes on one scale of counts, exposure and brightness each on its own range, and
    /// ticks for what only happened or did not.
    private var tracks: String {
        let bins = overview.bins
        let exposures = bins.reduce(ClosedRange<Int64>?.none) { $0.joined($1.exposure) }
        let lumas = bins.reduce(ClosedRange<Int64>?.none) { $0.joined($1.luma) }
        let most = bins.map { max($0.frames + $0.holes, 1) }.max() ?? 1
        return [
            name("frames", 14), bar("frame", 0, 40) { $0.frames > 0 ? ($0.frames, most) : nil },
            name("holes", 54), bar("hole", 44, 12) { $0.holes > 0 ? ($0.holes, most) : nil },
            name("exposure", 78), range("exposure", 62, 30, exposures) { $0.exposure },
            name("mean pixel value", 114), range("luma", 98, 30, lumas) { $0.luma },
            name("edges", 145), ticks("edge", 136) { $0.edges > 0 },
            name("pulses", 162), ticks("pulse", 153) { $0.pulses > 0 },
            name("writes", 179), ticks("write", 170) { $0.writes > 0 },
            name("doubtful", 196), ticks("doubt", 187) { $0.doubts > 0 },
        ].joined(separator: "\n")
    }

    private func name(_ text: String, _ y: Int) -> String {
        "<text class=\"scale\" x=\"\(Self.left - 8)\" y=\"\(y)\" text-anchor=\"end\">\(text)</text>"
    }

    /// Where a column begins, from the left of the drawing.
    private func place(_ index: Int) -> Int64 {
        Self.left + Int64(index) * Self.room / Int64(overview.bins.count)
    }

    /// One path for all columns of a track.
    ///
    /// - Parameters:
    ///   - kind: the class of the track, which gives the colour.
    ///   - box: the column's top and height; nil for one without.
    private func path(
        _ kind: String, _ box: (TimelineBins.Bin) -> (y: Int64, height: Int64)?
    ) -> String {
        var line = ""
        for (index, bin) in overview.bins.enumerated() {
            guard let (y, height) = box(bin) else { continue }
            let x = place(index)
            // What is there is seen.
            let width = max(2, place(index + 1) - x)
            line += "M\(x) \(y)h\(width)v\(height)h-\(width)z"
        }
        return line.isEmpty ? "" : "<path class=\"\(kind)\" d=\"\(line)\"/>"
    }

    /// A track of counts: at least three units tall where there is anything.
    private func bar(
        _ kind: String, _ top: Int64, _ height: Int64,
        _ part: (TimelineBins.Bin) -> (Int64, Int64)?
    ) -> String {
        path(kind) { bin in
            guard let (count, most) = part(bin) else { return nil }
            let tall = max(3, height * count / most)
            return (top + height - tall, tall)
        }
    }

    /// A track of ranges; the whole range lies between the top and three units above the bottom.
    private func range(
        _ kind: String, _ top: Int64, _ height: Int64, _ whole: ClosedRange<Int64>?,
        _ part: (TimelineBins.Bin) -> ClosedRange<Int64>?
    ) -> String {
        guard let whole else { return "" }
        let lowest = Int128(whole.lowerBound)
        let span = max(1, Int128(whole.upperBound) - lowest)
        func y(_ value: Int64) -> Int64 {
            top + height - 3
                - Int64(Int128(height - 3) * (Int128(value) - lowest) / span)
        }
        return path(kind) { bin in
            part(bin).map { (y($0.upperBound), y($0.lowerBound) - y($0.upperBound) + 3) }
        }
    }

    /// A track of marks, each eleven units tall.
    private func ticks(
        _ kind: String, _ top: Int64, _ isThere: (TimelineBins.Bin) -> Bool
    ) -> String {
        path(kind) { isThere($0) ? (top, 11) : nil }
    }

    /// Session time from zero, with about six round numbers.
    private var axis: String {
        let span = overview.width * Int64(overview.bins.count)
        let step = HistogramDrawing.roundStep(span / 6)
        var parts = ["<path class=\"axis\" d=\"M\(Self.left) 204h\(Self.room)\"/>"]
        var value: Int64 = 0
        while value <= span {
            let x = Self.left + Int64(Int128(value) * Int128(Self.room) / Int128(span))
            parts.append(
                "<path class=\"axis\" d=\"M\(x) 204v4\"/><text class=\"scale\" x=\"\(x)\" y=\"220\""
                    + " text-anchor=\"\(x > 960 ? "end" : "middle")\">\(Measure.time(value))</text>"
            )
            value += step
        }
        return parts.joined(separator: "\n")
    }
}
