internal import Notation

/// A track of the timeline: what it shows, and where.
///
/// The overview and the zoomed part have the same; one of which a run has nothing is left out.
struct TimelineTrack: Sendable {
    /// How a column of it is drawn.
    enum Form: String {
        /// As tall as there are many.
        case bar
        /// From the least to the most.
        case band
        /// A mark where there is any.
        case tick
    }

    /// What it is called beside the drawing.
    let name: String
    /// Its class, which gives the colour.
    let kind: String
    /// Its member in ``TimelineData``.
    let key: String
    let form: Form
    let height: Int64
    /// Below the top of the drawing.
    fileprivate(set) var top: Int64 = 0
    /// How many there are in a column; nil for a band.
    let count: (@Sendable (TimelineBins.Bin) -> Int64)?
    /// From where to where a column goes; nil for all but a band.
    let range: (@Sendable (TimelineBins.Bin) -> ClosedRange<Int64>?)?
    /// What the numbers of a band are.
    let measure: Measure?

    private init(
        bar name: String, _ kind: String, _ height: Int64,
        _ count: @escaping @Sendable (TimelineBins.Bin) -> Int64
    ) {
        (self.name, self.kind, key, form, self.height) = (name, kind, name, .bar, height)
        (self.count, range, measure) = (count, nil, nil)
    }

    private init(
        band name: String, _ kind: String, _ measure: Measure,
        _ range: @escaping @Sendable (TimelineBins.Bin) -> ClosedRange<Int64>?
    ) {
        (self.name, self.kind, key, form, height) = (name, kind, kind, .band, 36)
        (count, self.range, self.measure) = (nil, range, measure)
    }

    private init(
        ticks name: String, _ kind: String, key: String,
        _ count: @escaping @Sendable (TimelineBins.Bin) -> Int64
    ) {
        (self.name, self.kind, self.key, form, height) = (name, kind, key, .tick, 12)
        (self.count, range, measure) = (count, nil, nil)
    }

    /// From top to bottom: frames and holes on one scale of counts, what has a value each on its own range, and ticks
    /// for what only happened or did not.
    private static let all = [
        TimelineTrack(bar: "frames", "frame", 40, \.frames),
        TimelineTrack(bar: "holes", "hole", 16, \.holes),
        TimelineTrack(band: "exposure", "exposure", .time, \.exposure),
        TimelineTrack(band: "mean pixel value", "luma", .luma, \.luma),
        TimelineTrack(band: "temperature", "temperature", .temperature, \.temperature),
        TimelineTrack(ticks: "edges", "edge", key: "edges", \.edges),
        TimelineTrack(ticks: "pulses", "pulse", key: "pulses", \.pulses),
        TimelineTrack(ticks: "writes", "write", key: "writes", \.writes),
        TimelineTrack(ticks: "doubtful", "doubt", key: "doubts", \.doubts),
    ]

    /// Those of which there is anything, each in its place.
    static func shown(_ bins: [TimelineBins.Bin]) -> [TimelineTrack] {
        var top: Int64 = 0
        return all.filter { track in
            track.name == "frames"
                || bins.contains { (track.count?($0) ?? 0) > 0 || track.range?($0) != nil }
        }.map { track in
            var placed = track
            placed.top = top
            top += track.height + (track.form == .tick ? 5 : 8)
            return placed
        }
    }

    /// Where the axis is that all of them share.
    static func bottom(_ tracks: [TimelineTrack]) -> Int64 {
        (tracks.last.map { $0.top + $0.height } ?? 0) + 6
    }

    /// From where to where its columns go; nil but for a band.
    func limits(_ bins: [TimelineBins.Bin]) -> ClosedRange<Int64>? {
        guard let range else { return nil }
        return bins.reduce(ClosedRange<Int64>?.none) { $0.joined(range($1)) }
    }

    /// As the script reads it; `least` and `most` are what stands at a band's ends.
    func json(_ bins: [TimelineBins.Bin]) -> JSONValue {
        let limits = limits(bins)
        func text(_ value: Int64?) -> JSONValue {
            guard let value, let measure else { return .null }
            return .string(measure.text(value))
        }
        return [
            "name": .string(name), "kind": .string(kind), "key": .string(key),
            "form": .string(form.rawValue), "top": .integer(top), "tall": .integer(height),
            "least": text(limits?.lowerBound), "most": text(limits?.upperBound),
        ]
    }
}
