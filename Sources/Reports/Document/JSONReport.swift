internal import Notation
internal import Records

/// A report for programs: what the text has, with the numbers of its distributions.
///
/// Words are those of the text, numbers among them rounded for people; what programs compute with (exit code, times of
/// rows, distributions) stands beside them as numbers.
struct JSONReport {
    private let document: ReportDocument

    init(_ document: ReportDocument) {
        self.document = document
    }

    /// `title`, `verdict`, `exit_code`, `facts`, `findings` and `sections`.
    var json: JSONValue {
        [
            "title": .string(document.title), "verdict": .string(document.verdict.rawValue),
            "exit_code": .integer(Int64(document.exitCode)),
            "facts": .array(document.facts.map(\.json)),
            "findings": .array(
                document.findings.map { item in
                    var finding = JSONForm<Judgement.Finding>.finding.write(item)
                        .objectValue
                    finding?["section"] = .string(item.kind.section)
                    return finding.map { .object($0) } ?? .null
                }),
            "sections": .array(document.sections.map(\.json)),
        ]
    }
}

extension ReportDocument.Fact {
    fileprivate var json: JSONValue { ["name": .string(name), "value": .string(value)] }
}

extension ReportDocument.Section {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "title": .string(title), "blocks": .array(blocks.map(\.json)),
        ]
    }
}

extension ReportDocument.Block {
    fileprivate var json: JSONValue {
        switch self {
        case .facts(let facts): ["facts": .array(facts.map(\.json))]
        case .note(let text): ["note": .string(text)]
        case .table(let table): ["table": table.json]
        case .distribution(let distribution): ["distribution": distribution.json]
        case .plot(let plot): ["plot": plot.json]
        }
    }
}

extension ReportDocument.Table {
    /// All rows that were kept, `more` that were not; `times_ns` are session times, one a row.
    fileprivate var json: JSONValue {
        var table: JSONObject = [
            "columns": .array(head.map { .string($0) }),
            "rows": .array(rows.map { .array($0.map { .string($0) }) }),
            "more": .integer(more),
        ]
        if !times.isEmpty {
            table["times_ns"] = .array(times.map { $0.map { .integer($0) } ?? .null })
        }
        return .object(table)
    }
}

extension ReportDocument.Plot {
    /// Each point with its least and its most.
    fileprivate var json: JSONValue {
        [
            "title": .string(title), "x_unit": .string(x.unit), "y_unit": .string(y.unit),
            "points": .array(
                points.map { point in
                    [
                        "x": .integer(point.x), "y_minimum": .integer(point.y.lowerBound),
                        "y_maximum": .integer(point.y.upperBound),
                    ]
                }),
        ]
    }
}

extension ReportDocument.Distribution {
    /// Exact count, minimum and maximum; percentiles are the lower bounds of buckets at most a thousandth wide.
    fileprivate var json: JSONValue {
        func percentile(_ permille: Int64) -> JSONValue {
            histogram.quantile(permille: permille).map { .integer($0) } ?? .null
        }
        return [
            "title": .string(title), "unit": .string(measure.unit),
            "count": .integer(histogram.count),
            "minimum": histogram.minimum.map { .integer($0) } ?? .null,
            "percentile_1": percentile(10), "median": percentile(500),
            "percentile_99": percentile(990),
            "maximum": histogram.maximum.map { .integer($0) } ?? .null,
        ]
    }
}
