internal import Timebase

/// The whole run from left to right: what is seen without a script, and the place of the part that can be zoomed.
///
/// All tracks share one axis; a column has the least and the largest of what was in it, so that no outlier is lost in
/// a mean.
struct TimelineDrawing {
    private let figures: RunFigures
    private let overview: TimelineBins
    private let tracks: [TimelineTrack]
    /// Columns of the overview at most; each is drawn at least two units wide.
    private static let columns = 500
    /// Room for the tracks' names, in units of a drawing that is 1000 wide; the script counts on it and on ``room``.
    private static let left: Int64 = 120
    /// What is left of it is for the numbers at the ends of each track's scale.
    private static let room: Int64 = 800

    init(_ figures: RunFigures) {
        self.figures = figures
        overview = figures.timeline.overview(columns: Self.columns)
        tracks = TimelineTrack.shown(overview.bins)
    }

    /// The section, with the overview as a drawing and the elements in which the script draws the zoomed part.
    var markup: String {
        guard !overview.bins.isEmpty else {
            return "<section id=\"timeline\"><h2>Timeline</h2><p>Nothing has a time.</p></section>"
        }
        let label =
            "The run from its start to \(Measure.moment(end)): "
            + tracks.map(\.name).joined(separator: ", ")
        let bottom = TimelineTrack.bottom(tracks)
        return """
            <section id="timeline"><h2>Timeline</h2>
            <figure><figcaption>The whole run, \(Measure.time(overview.width)) a column. Holes have no time of their
            own: they stand behind the frame before them.</figcaption>
            <svg viewBox="0 0 1000 \(bottom + 22)" role="img" aria-label="\(label)" id="overview">
            \(tracks.map(drawn).joined(separator: "\n"))
            \(axis(bottom))
            <rect id="window" class="window" x="\(Self.left)" y="0" width="\(Self.room)" height="\(bottom)"/>
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

    /// The track's name, its columns, and the ends of its scale.
    private func drawn(_ track: TimelineTrack) -> String {
        let middle = track.top + track.height / 2 + 4
        var parts = [
            "<text class=\"scale\" x=\"\(Self.left - 8)\" y=\"\(middle)\" text-anchor=\"end\">\(track.name)</text>"
        ]
        switch track.form {
        case .bar:
            let most = overview.bins.map { max($0.frames + $0.holes, 1) }.max() ?? 1
            parts.append(bars(track, most))
            if track.kind == "frame" { parts.append(end(track, nil, "\(most)")) }
        case .band:
            guard let limits = track.limits(overview.bins), let measure = track.measure else {
                break
            }
            parts.append(band(track, limits))
            let (least, most) = (measure.text(limits.lowerBound), measure.text(limits.upperBound))
            parts.append(end(track, least == most ? nil : least, most))
        case .tick:
            parts.append(path(track.kind) { (track.count?($0) ?? 0) > 0 ? (track.top, 12) : nil })
        }
        return parts.joined(separator: "\n")
    }

    /// The numbers at the ends of a track's scale.
    private func end(_ track: TimelineTrack, _ least: String?, _ most: String) -> String {
        let x = Self.left + Self.room + 6
        func text(_ text: String, _ y: Int64) -> String {
            "<text class=\"scale\" x=\"\(x)\" y=\"\(y)\">\(text)</text>"
        }
        return [
            text(most, track.top + 10), least.map { text($0, track.top + track.height) },
        ].compactMap { $0 }.joined()
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
    private func bars(_ track: TimelineTrack, _ most: Int64) -> String {
        path(track.kind) { bin in
            guard let count = track.count?(bin), count > 0 else { return nil }
            let tall = max(3, track.height * count / most)
            return (track.top + track.height - tall, tall)
        }
    }

    /// A track of ranges; the whole range lies between the top and three units above the bottom.
    private func band(_ track: TimelineTrack, _ limits: ClosedRange<Int64>) -> String {
        let (lowest, room) = (Int128(limits.lowerBound), track.height - 3)
        let span = max(1, Int128(limits.upperBound) - lowest)
        func y(_ value: Int64) -> Int64 {
            track.top + room - Int64(Int128(room) * (Int128(value) - lowest) / span)
        }
        return path(track.kind) { bin in
            track.range?(bin).map { (y($0.upperBound), y($0.lowerBound) - y($0.upperBound) + 3) }
        }
    }

    /// Session time from zero, with about six round numbers.
    private func axis(_ bottom: Int64) -> String {
        let span = overview.width * Int64(overview.bins.count)
        let step = PlotArea.roundStep(span / 6)
        var parts = ["<path class=\"axis\" d=\"M\(Self.left) \(bottom)h\(Self.room)\"/>"]
        var value: Int64 = 0
        while value <= span {
            let x = Self.left + Int64(Int128(value) * Int128(Self.room) / Int128(span))
            parts.append(
                "<path class=\"axis\" d=\"M\(x) \(bottom)v4\"/><text class=\"scale\" x=\"\(x)\" y=\"\(bottom + 16)\""
                    + " text-anchor=\"\(x > 960 ? "end" : "middle")\">\(value == 0 ? "0" : Measure.time(value))</text>"
            )
            value += step
        }
        return parts.joined(separator: "\n")
    }
}
