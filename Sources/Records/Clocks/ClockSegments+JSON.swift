internal import Notation
internal import Timebase

extension ClockSegments {
    /// The relation as it stands in `run.json`: a list of segments, each with its knots.
    ///
    /// A knot is three numbers: a time of the first clock, and what the second one shows then at least and at most. From
    /// knot to knot both bounds are straight lines.
    var json: JSONValue {
        .array(
            segments.map { segment in
                [
                    "kind": .string(segment.kind.rawValue),
                    "knots_ns": .array(
                        segment.knots.map { knot in
                            [
                                .integer(knot.time.nanoseconds),
                                .integer(knot.earliest.nanoseconds),
                                .integer(knot.latest.nanoseconds),
                            ]
                        }),
                ]
            })
    }

    /// Reads what ``json`` writes; nil for anything else.
    init?(json: JSONValue) {
        var segments: [ClockSegment<From, To>] = []
        for item in json.arrayValue ?? [] {
            guard let kind = item["kind"]?.stringValue.flatMap(ClockSegment<From, To>.Kind.init),
                let rows = item["knots_ns"]?.arrayValue
            else { return nil }
            var knots: [ClockKnot<From, To>] = []
            for row in rows {
                guard let time = row[0]?.integerValue, let earliest = row[1]?.integerValue,
                    let latest = row[2]?.integerValue, earliest <= latest
                else { return nil }
                knots.append(
                    ClockKnot(
                        at: Instant(nanoseconds: time), earliest: Instant(nanoseconds: earliest),
                        latest: Instant(nanoseconds: latest)))
            }
            guard let segment = ClockSegment(kind, knots) else { return nil }
            segments.append(segment)
        }
        self.init(segments)
    }
}
