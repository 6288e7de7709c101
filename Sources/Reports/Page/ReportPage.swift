internal import Notation
internal import Records

/// A report as one page of HTML.
///
/// It needs no network, no other file and, but for the zoomed timeline, no script. It is well-formed XML too, so that
/// any parser can check it. Everything that comes from a recipe or a device is escaped.
///
/// A policy in its head forbids it to load anything, even if a name from a device should slip through the escaping.
struct ReportPage {
    private let document: ReportDocument
    private let figures: RunFigures
    private let pictures: String

    /// - Parameter pictures: the section of pictures, as markup.
    init(_ document: ReportDocument, _ figures: RunFigures, pictures: String) {
        self.document = document
        self.figures = figures
        self.pictures = pictures
    }

    /// The page.
    ///
    /// The script stands at the end, behind the data and the elements that it looks for by their ids.
    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"/>
        <link rel="icon" href="data:,"/>
        <title>\(document.title.markup): \(document.verdict.rawValue)</title>
        <style>
        \(PageStyle.text)
        </style>
        </head>
        <body>
        \(header)
        <main>
        \(findings)
        \(pictures)
        \(TimelineDrawing(figures).markup)
        \(document.sections.map(section).joined(separator: "\n"))
        </main>
        <footer><p>Counts, minima and maxima are exact. Quantiles are lower bounds of buckets that are at most a
        thousandth wide. Bars of a histogram are whole buckets; their width is a power of two of nanoseconds or
        thousandths of a code.</p></footer>
        <script type="application/json" id="data">\(TimelineData(figures).text)</script>
        <script>//<![CDATA[
        \(PageScript.text)
        //]]></script>
        </body>
        </html>

        """
    }

    /// Title, verdict, what run it was, and links to every section.
    private var header: String {
        let isGood = document.verdict == .trustworthy
        let links =
            ([("findings", "Findings"), ("pictures", "Pictures"), ("timeline", "Timeline")]
            + document.sections.map { ($0.id, $0.title) })
            .map { "<a href=\"#\($0.0)\">\($0.1.markup)</a>" }
        return """
            <header>
            <h1>\(document.title.markup)</h1>
            <p class="verdict \(isGood ? "good" : "bad")">\(document.verdict.rawValue) \
            <span>exit code \(document.exitCode)</span></p>
            \(facts(document.facts))
            <nav aria-label="Sections">\(links.joined(separator: " "))</nav>
            </header>
            """
    }

    /// Each links to the section that has more of it, and names the file with the details.
    private var findings: String {
        var items = document.findings.map { item in
            let over = item.isOverLimit
            return """
                <li class="\(over ? "over" : "note")"><strong>\(over ? "Over the limit" : "Note")</strong> \
                <a href="#\(item.kind.section)">\(item.message.markup)</a> \
                <span class="look">\(item.kind.look.markup)</span></li>
                """
        }
        if items.isEmpty { items = ["<li class=\"note\">None.</li>"] }
        return """
            <section id="findings"><h2>Findings</h2>
            <ul class="findings">
            \(items.joined(separator: "\n"))
            </ul></section>
            """
    }

    /// The blocks that have something to show; a section is there even if none has, since links go to it.
    private func section(_ section: ReportDocument.Section) -> String {
        let blocks = section.blocks.map { block(of: section, $0) }.filter { !$0.isEmpty }
        return """
            <section id="\(section.id)"><h2>\(section.title.markup)</h2>
            \(blocks.joined(separator: "\n"))
            </section>
            """
    }

    private func block(of section: ReportDocument.Section, _ block: ReportDocument.Block) -> String
    {
        switch block {
        case .facts(let facts): self.facts(facts)
        case .note(let text): "<p>\(text.markup)</p>"
        case .table(let table): self.table(table, of: section)
        case .distribution(let distribution): HistogramDrawing(distribution).markup
        case .plot(let plot): PlotDrawing(plot).markup
        }
    }

    private func facts(_ facts: [ReportDocument.Fact]) -> String {
        let items = facts.map { "<dt>\($0.name.markup)</dt><dd>\($0.value.markup)</dd>" }
        return "<dl>\n\(items.joined(separator: "\n"))\n</dl>"
    }

    /// Every row that was kept, in a region that scrolls and can be reached by keyboard.
    ///
    /// The first word of a row that has a time is a link, which moves the timeline to it.
    private func table(_ table: ReportDocument.Table, of section: ReportDocument.Section) -> String
    {
        guard !table.rows.isEmpty else { return "" }
        func mark(_ column: Int) -> String {
            table.numbers.contains(column) ? " class=\"number\"" : ""
        }
        let head = table.head.enumerated().map { column, name in
            "<th scope=\"col\"\(mark(column))>\(name.markup)</th>"
        }
        let rows = table.rows.enumerated().map { index, cells in
            let time = table.times.indices.contains(index) ? table.times[index] : nil
            let cells = cells.enumerated().map { column, cell in
                var text = cell.markup
                if column == 0, let time {
                    text = "<a href=\"#timeline\" data-t=\"\(time)\">\(text)</a>"
                }
                return "<td\(mark(column))>\(text)</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        let more = table.more > 0 ? "\n<p>… and \(table.more) more.</p>" : ""
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(section.title.markup)">
            <table><thead><tr>\(head.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>\(more)
            """
    }
}
