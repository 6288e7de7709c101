internal import Records

/// What a report says, before it is text or a page.
struct ReportDocument {
    /// A word and what it is.
    struct Fact {
        var name: String
        var value: String
    }

    /// Rows of words under a head.
    struct Table {
        var head: [String]
        /// Columns that hold numbers stand to the right.
        var numbers: Set<Int> = []
        var rows: [[String]] = []
        /// For each row the session time in nanoseconds that it is about, for the timeline; may be shorter.
        var times: [Int64?] = []
        /// Rows that were left out.
        var more: Int64 = 0
        /// The most rows that text shows of it.
        var textRows = 40
    }

    /// How numbers are distributed.
    struct Distribution {
        var title: String
        var measure: Measure
        var histogram: LogHistogram
        /// Whether numbers are written with their sign.
        var isSigned = false
    }

    enum Block {
        case facts([Fact])
        case note(String)
        case table(Table)
        case distribution(Distribution)
    }

    /// A part with its heading.
    struct Section {
        /// What links go to.
        var id: String
        var title: String
        var blocks: [Block]
    }

    /// A finding and the section that has more of it.
    struct Finding {
        var finding: Judgement.Finding
        var section: String
    }

    var title: String
    var verdict: Verdict
    var exitCode: Int32
    var facts: [Fact]
    var findings: [Finding]
    var sections: [Section]
}

extension ReportDocument.Finding {
    init(_ finding: Judgement.Finding) {
        self.finding = finding
        section =
            switch finding.id {
            case "dropped": "holes"
            case "sequence-timestamp-mismatch", "gap-unverifiable", "timestamp-invalid",
                "quirk-seen",
                "refused-buffers":
                "frames"
            case "period-overruns", "ended-early", "not-finalised": "slots"
            case "lock-violations", "unread-settings": "settings"
            case "temperature", "unread-temperature": "temperature"
            case "unmatched-triggers", "uncounted-edges": "triggers"
            case "failed-outputs", "unsensed-outputs", "late-pulses": "outputs"
            case "clock-uncertainty", "untimed-frames", "timestamp-clock", "camera-clock-steps":
                "clocks"
            case "missed-stills": "storage"
            default: "events"
            }
    }
}
