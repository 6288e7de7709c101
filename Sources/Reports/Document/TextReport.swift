internal import Records

/// A report for a terminal or a file: plain text, at most 100 columns.
///
/// Tables and bars are fitted to ``TextTable/width`` columns, and long facts and findings are broken between words.
struct TextReport {
    private let document: ReportDocument
    /// Bars of a distribution that text has room for.
    private static let bars: Int64 = 16
    /// Characters of the longest bar; the others are in proportion, rounded up, so that one number shows.
    private static let barWidth: UInt64 = 40

    init(_ document: ReportDocument) {
        self.document = document
    }

    /// The report, without a line end at its end.
    ///
    /// A finding over its limit begins with `!`, any other with `-`.
    var text: String {
        var lines = [
            "\(document.title): \(document.verdict.rawValue) (exit code \(document.exitCode))",
            "",
        ]
        lines += facts(document.facts)
        lines += heading("Findings")
        if document.findings.isEmpty { lines.append("None.") }
        for item in document.findings {
            lines += wrapped(
                "\(item.isOverLimit ? "!" : "-") \(item.message)"
                    + " [\(item.id)]")
            lines.append("    look: \(item.kind.look)")
        }
        for section in document.sections {
            lines += heading(section.title)
            for (index, block) in section.blocks.enumerated() {
                let block = self.lines(of: block)
                if index > 0, !block.isEmpty { lines.append("") }
                lines += block
            }
        }
        return lines.map(Self.printable).joined(separator: "\n")
    }

    /// An empty line, the title, and a line of `=` under it.
    private func heading(_ title: String) -> [String] {
        ["", title, String(repeating: "=", count: title.count)]
    }

    private func lines(of block: ReportDocument.Block) -> [String] {
        switch block {
        case .facts(let facts): self.facts(facts)
        case .note(let text): [text]
        case .table(let table): TextTable(table).lines
        case .distribution(let distribution): lines(of: distribution)
        case .plot: []
        }
    }

    /// Names in a column as wide as the longest, values behind it; what does not fit goes on under the value.
    private func facts(_ facts: [ReportDocument.Fact]) -> [String] {
        let width = facts.map(\.name.count).max() ?? 0
        return facts.flatMap { fact in
            wrapped(
                fact.name + String(repeating: " ", count: width - fact.name.count + 2) + fact.value,
                indent: width + 2)
        }
    }

    /// Breaks a line between words, or within one that has no end.
    ///
    /// A single word that is longer than a line (a hash, a path) is cut at the last column.
    ///
    /// - Parameter indent: columns that lines after the first begin with.
    private func wrapped(_ text: String, indent: Int = 4) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.count > TextTable.width {
            let head = rest.prefix(TextTable.width)
            var cut = head.lastIndex(of: " ") ?? head.endIndex
            if head[..<cut].allSatisfy({ $0 == " " }) || head[..<cut].count <= indent {
                cut = head.endIndex
            }
            lines.append(String(rest[..<cut]))
            rest = rest[cut...].drop { $0 == " " }
            rest = (String(repeating: " ", count: indent) + rest)[...]
        }
        return lines + [String(rest)]
    }

    /// The title, the summary, and a bar for each range of numbers, labelled with its lower end.
    private func lines(of distribution: ReportDocument.Distribution) -> [String] {
        guard let summary = distribution.summary,
            let bars = distribution.histogram.bars(limit: Self.bars)
        else { return [] }
        var lines = [distribution.title, "  " + summary]
        let most = max(1, bars.counts.max() ?? 1)
        let labels = bars.counts.indices.map { index in
            distribution.text(bars.start + Int64(index) * bars.width)
        }
        let width = labels.map(\.count).max() ?? 0
        // One bar shows no more than the summary does.
        if bars.counts.count > 1 || bars.below + bars.above > 0 {
            for (label, count) in zip(labels, bars.counts) {
                let length = Int((count * Self.barWidth + most - 1) / most)
                let space = String(repeating: " ", count: width - label.count)
                let bar = String(repeating: "#", count: length)
                lines.append("  \(space)\(label)  \(bar)\(length > 0 ? " " : "")\(count)")
            }
            if bars.below > 0 { lines.append("  and \(bars.below) below") }
            if bars.above > 0 { lines.append("  and \(bars.above) above") }
        }
        return lines
    }

    /// Names of recipes and devices may hold what a terminal would obey.
    ///
    /// Control characters become question marks: those below 0x20, 0x7F and 0x80 to 0x9F, with which escape sequences
    /// begin.
    private static func printable(_ line: String) -> String {
        String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { scalar in
                    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "?" : scalar
                }))
    }
}

extension ReportDocument.Distribution {
    /// Minimum, median, maximum and the middle 98 %; nil without numbers.
    ///
    /// Minimum, maximum and count are exact, the other three to a thousandth.
    var summary: String? {
        guard let minimum = histogram.minimum, let maximum = histogram.maximum,
            let median = histogram.quantile(permille: 500),
            let low = histogram.quantile(permille: 10), let high = histogram.quantile(permille: 990)
        else { return nil }
        if minimum == maximum { return "\(histogram.count), all \(text(minimum))" }
        return
            "\(histogram.count), from \(text(minimum)) to \(text(maximum)), median \(text(median)),"
            + " 98 % from \(text(low)) to \(text(high))"
    }

    /// A number with its unit, and with its sign where the distribution is of differences.
    func text(_ value: Int64) -> String {
        (isSigned && value > 0 ? "+" : "") + measure.text(value)
    }
}
