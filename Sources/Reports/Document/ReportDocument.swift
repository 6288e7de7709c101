internal import Records

/// The contents of a report, before it is text or a page.
///
/// ``TextReport``, ``ReportPage`` and ``JSONReport`` write the same document, so that none of them can show what the
/// others do not. Nothing in it is escaped yet: who writes it does that for what it writes.
struct ReportDocument {
    /// A word and what it is.
    struct Fact {
        var name: String
        var value: String
    }

    /// Rows of words under a head.
    ///
    /// Each row has as many words as the head. Text shows the first ``textRows``, a page and JSON all that are here;
    /// ``more`` were never kept.
    struct Table {
        var head: [String]
        /// Places of the columns that hold numbers, from 0: they stand to the right.
        var numbers: Set<Int> = []
        var rows: [[String]] = []
        /// For each row the session time in nanoseconds that it is about, for the timeline.
        ///
        /// May be shorter than the rows; nil, and what is not there, makes no link.
        var times: [Int64?] = []
        /// Rows that were left out.
        var more: Int64 = 0
        /// The most rows that text shows of it; the others are counted there.
        var textRows = 40
    }

    /// How numbers are distributed, each in the unit of its measure.
    ///
    /// One without numbers is left out by text and page.
    struct Distribution {
        var title: String
        /// What is counted, in the plural.
        var counts: String
        var measure: Measure
        /// Nanoseconds or thousandths of a code, by ``measure``.
        var histogram: LogHistogram
        /// Whether positive numbers are written with their sign too, as differences are.
        var isSigned = false
    }

    /// What frames had of one thing where they had so much of another; left out by text, and by a page without points.
    struct Plot {
        var title: String
        /// A sentence on what is drawn.
        var note: String
        var (x, y): (Measure, Measure)
        /// What stands at the axis below, and at the one to the left.
        var (xAxis, yAxis): (String, String)
        /// In the units of the measures.
        var points: [(x: Int64, y: ClosedRange<Int64>)]
    }

    /// A part of a section, in the order in which it is read.
    enum Block {
        case facts([Fact])
        case note(String)
        case table(Table)
        case distribution(Distribution)
        case plot(Plot)
    }

    /// A part with its heading.
    struct Section {
        /// What links go to: the fragment of a page, and `section` of a finding in JSON.
        var id: String
        var title: String
        var blocks: [Block]
    }

    /// The recipe's name.
    var title: String
    var verdict: Verdict
    /// What `framelock run` exited with, or 84 for a run that has no verdict yet.
    var exitCode: Int32
    var facts: [Fact]
    /// As the judgement has them, the gravest first.
    var findings: [Judgement.Finding]
    var sections: [Section]
}
