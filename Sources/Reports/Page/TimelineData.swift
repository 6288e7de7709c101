internal import Notation
internal import Records
internal import Timebase

/// The timeline as the page's script reads it: columns, and slot by slot for short runs.
///
/// Members: `tracks`, each with its place, and `bottom`, where their axis is; `width` of a column in nanoseconds, a
/// count of `frames` for every column, the other counts and ranges only for columns that have any, `changes` and
/// `marks` as pairs of a session time and a text, and `reasons`, the words that slots point at.
struct TimelineData {
    private let figures: RunFigures

    init(_ figures: RunFigures) {
        self.figures = figures
    }

    /// JSON that can stand in a page: it holds none of the characters that HTML gives a meaning.
    ///
    /// `<`, `>` and `&` become escapes of JSON's own, so that no name in it can end the element that it stands in.
    var text: String {
        let bins = figures.timeline.bins
        var object: JSONObject = [
            "width": .integer(figures.timeline.width),
            "frames": .array(bins.map { .integer($0.frames) }),
            "reasons": .array(HoleReason.allCases.map { .string($0.rawValue) }),
            "changes": marks(figures.changes),
            "marks": marks(figures.events.marks),
        ]
        let counts: [(String, (TimelineBins.Bin) -> Int64)] = [
            ("holes", \.holes), ("edges", \.edges), ("pulses", \.pulses), ("writes", \.writes),
            ("doubts", \.doubts),
        ]
        for (name, count) in counts { object[name] = sparse(count) }
        object["exposure"] = ranges(\.exposure)
        object["luma"] = ranges(\.luma)
        object["temperature"] = ranges(\.temperature)
        let tracks = TimelineTrack.shown(bins)
        object["tracks"] = .array(tracks.map { $0.json(bins) })
        object["bottom"] = .integer(TimelineTrack.bottom(tracks))
        if figures.isDrawnWhole { object["slots"] = slots }
        var text: [UInt8] = []
        for byte in JSONValue.object(object).utf8() {
            switch byte {
            case UInt8(ascii: "<"): text += Array("\\u003c".utf8)
            case UInt8(ascii: ">"): text += Array("\\u003e".utf8)
            case UInt8(ascii: "&"): text += Array("\\u0026".utf8)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Pairs of a column's number and a count, for columns that have any.
    private func sparse(_ count: (TimelineBins.Bin) -> Int64) -> JSONValue {
        var pairs: [JSONValue] = []
        for (index, bin) in figures.timeline.bins.enumerated() where count(bin) > 0 {
            pairs += [.integer(Int64(index)), .integer(count(bin))]
        }
        return .array(pairs)
    }

    /// Runs of columns with the same range: the first column, how many, the range's ends.
    ///
    /// Four numbers each; a column without a range ends a run.
    private func ranges(_ range: (TimelineBins.Bin) -> ClosedRange<Int64>?) -> JSONValue {
        var values: [JSONValue] = []
        var open: (first: Int, count: Int, range: ClosedRange<Int64>)?
        func close() {
            guard let open else { return }
            values += [
                .integer(Int64(open.first)), .integer(Int64(open.count)),
                .integer(open.range.lowerBound), .integer(open.range.upperBound),
            ]
        }
        for (index, bin) in figures.timeline.bins.enumerated() {
            guard let range = range(bin) else { continue }
            if let current = open, current.range == range, current.first + current.count == index {
                open?.count += 1
            } else {
                close()
                open = (index, 1, range)
            }
        }
        close()
        return .array(values)
    }

    private func marks(_ marks: [RunFigures.Mark]) -> JSONValue {
        .array(marks.map { [.integer($0.time.nanoseconds), .string($0.text)] })
    }

    /// Slot, start and end of its exposure, the number of its reason or -1, its mean pixel value or null.
    ///
    /// Times in nanoseconds of session time, brightness in thousandths of a code; left out of the data for runs that
    /// are drawn in columns.
    private var slots: JSONValue {
        .array(
            figures.drawn.map { slot in
                let reason = slot.reason.flatMap { HoleReason.allCases.firstIndex(of: $0) } ?? -1
                return [
                    .integer(slot.slot), .integer(slot.start), .integer(slot.end),
                    .integer(Int64(reason)), slot.luma.map { .integer($0) } ?? .null,
                ]
            })
    }
}
