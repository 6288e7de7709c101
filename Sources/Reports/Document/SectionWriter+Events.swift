internal import Cameras
internal import Lines
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

extension SectionWriter {
    /// How the frames follow each other, and how bright they are.
    var frames: Section {
        let events = figures.events
        var facts = [
            Fact(name: "neighbours", value: "\(figures.jitter.count) pairs of frames"),
            Fact(name: "damaged", value: "\(events.damaged)"),
            Fact(name: "sequence jumps", value: "\(events.jumps)"),
        ]
        if !events.skipped.isEmpty {
            facts.append(
                Fact(
                    name: "not recorded",
                    value: [SkipReason.startup, .settling, .idle, .dark, .abandoned].compactMap {
                        why in
                        events.skipped[why].map { "\($0) \(why.rawValue)" }
                    }.joined(separator: ", ")))
        }
        if events.repeatedGroups + events.partialGroups > 0 {
            facts.append(
                Fact(
                    name: "groups",
                    value: "\(events.repeatedGroups) taken again, \(events.partialGroups) partial"))
        }
        return Section(
            id: "frames", title: "Frames",
            blocks: [
                .facts(facts),
                .distribution(
                    .init(
                        title: "Spacing of neighbouring frames less the period of "
                            + Measure.time(figures.nominal ?? 0), measure: .time,
                        histogram: figures.jitter, isSigned: true)),
                .distribution(
                    .init(
                        title: "Mean code of a frame", measure: .luma, histogram: figures.luma)),
            ])
    }

    /// What became of edges, and how long after them the exposures began.
    var triggers: Section {
        let counts = tally.edges + tally.missingEdges + tally.lostEdges
        guard counts > 0 || !figures.classes.isEmpty else {
            return Section(
                id: "triggers", title: "Triggers", blocks: [.note("The run had no triggers.")])
        }
        var facts: [Fact] = []
        for member in RunTally.triggerMembers(tally) {
            facts.append(Fact(name: member.name, value: "\(member.count)"))
        }
        var classes = Table(
            head: ["class", "slots", "edges", "frames without edge"], numbers: [1, 2, 3])
        for outcome in TriggerClass.allCases {
            let counts = [figures.classes, tally.edgesByClass, tally.framesByClass].map {
                $0[outcome] ?? 0
            }
            guard counts.contains(where: { $0 > 0 }) else { continue }
            classes.rows.append([outcome.rawValue] + counts.map { "\($0)" })
        }
        var lines = Table(head: ["line", "edges", "lost by the kernel"], numbers: [1, 2])
        for (name, line) in zip(reading.lines, figures.events.lines)
        where line.edges + line.lost > 0 {
            lines.rows.append([name, "\(line.edges)", "\(line.lost)"])
        }
        return Section(
            id: "triggers", title: "Triggers",
            blocks: [
                .facts(facts), .table(classes), .table(lines),
                .distribution(
                    .init(
                        title: "From the edge to the start of the exposure", measure: .time,
                        histogram: figures.delay, isSigned: true)),
            ])
    }

    /// How lights and pulses were switched.
    var outputs: Section {
        let switched = figures.events.lines.contains { $0.switched + $0.failed > 0 }
        guard switched else {
            return Section(
                id: "outputs", title: "Outputs", blocks: [.note("The run switched no outputs.")])
        }
        let limit = reading.limits.latePulses.map { "limit \($0)" } ?? "no limit set"
        var table = Table(
            head: ["line", "switched", "failed", "latest"], numbers: [1, 2, 3])
        for (name, line) in zip(reading.lines, figures.events.lines)
        where line.switched + line.failed > 0 {
            table.rows.append([
                name, "\(line.switched)", "\(line.failed)", Measure.time(line.latest),
            ])
        }
        var sensed = Table(head: ["line", "sensed", "not seen", "latest"], numbers: [1, 2, 3])
        for (name, line) in zip(reading.lines, figures.events.lines)
        where line.sensed + line.unsensed > 0 {
            sensed.rows.append([
                name, "\(line.sensed)", "\(line.unsensed)", Measure.time(line.latestSensed),
            ])
        }
        return Section(
            id: "outputs", title: "Outputs",
            blocks: [
                .facts([
                    Fact(
                        name: "late",
                        value: "\(tally.latePulses) by more than \(reading.limits.pulseTolerance)"
                            + " (\(limit))")
                ]), .table(table),
                .distribution(
                    .init(
                        title: "How late outputs were switched", measure: .time,
                        histogram: figures.events.lateness)),
            ]
                + (sensed.rows.isEmpty
                    ? []
                    : [
                        .table(sensed),
                        .distribution(
                            .init(
                                title: "How late inputs saw outputs switch", measure: .time,
                                histogram: figures.events.sensedLateness)),
                    ]))
    }

    /// How well session times are known.
    var clocks: Section {
        let session = reading.manifest["session"]
        var facts = [
            Fact(name: "stamps", value: session?["clock"]?.stringValue ?? "unknown"),
            Fact(
                name: "widest half-width",
                value: Measure.time(tally.widestHalfWidth.nanoseconds)
                    + (reading.limits.clockUncertainty.map { " (limit \($0))" } ?? " (no limit set)")
            ),
            Fact(name: "frames without time", value: "\(tally.untimedFrames)"),
            Fact(name: "clock readings", value: "\(figures.events.clockSamples)"),
        ]
        for (name, key) in [("realtime at start", "started"), ("realtime at end", "ended")] {
            guard let half = session?[key]?["half_width_ns"]?.integerValue else { continue }
            facts.append(Fact(name: name, value: "known to \(Measure.time(half))"))
        }
        return Section(
            id: "clocks", title: "Clocks",
            blocks: [
                .facts(facts),
                .distribution(
                    .init(
                        title: "Half-width of a frame's session time", measure: .time,
                        histogram: figures.halfWidth)),
            ])
    }

    /// How warm the instrument was.
    var temperature: Section {
        let events = figures.events
        guard let range = events.temperatures else {
            let what =
                events.unreadTemperatures > 0
                ? "The thermometer could not be read." : "The run had no thermometer."
            return Section(id: "temperature", title: "Temperature", blocks: [.note(what)])
        }
        let limit = reading.limits.temperature.map { "limit \($0)" } ?? "no limit set"
        return Section(
            id: "temperature", title: "Temperature",
            blocks: [
                .facts([
                    Fact(
                        name: "thermometer",
                        value: reading.manifest["thermometer"]?.stringValue ?? "unknown"),
                    Fact(name: "coldest", value: "\(range.lowerBound)"),
                    Fact(name: "hottest", value: "\(range.upperBound) (\(limit))"),
                    Fact(
                        name: "readings",
                        value: "\(events.readTemperatures), \(events.unreadTemperatures) failed"),
                ])
            ])
    }

    /// Where the frames went.
    var storage: Section {
        let bytes = reading.manifest["configuration"]?["recorded_frame_bytes"]?.integerValue
        var facts = [
            Fact(
                name: "container",
                value: reading.manifest["container"]?["path"]?.stringValue ?? "unknown"),
            Fact(
                name: "pixels",
                value: bytes.map { "\(tally.frames) frames of \($0) bytes" } ?? "unknown"),
            Fact(name: "no free buffer", value: "\(tally.holes[.storageFull] ?? 0) slots"),
            Fact(name: "refused by the disk", value: "\(figures.events.storageFailures) frames"),
        ]
        if let stills = tally.stills {
            facts.append(
                Fact(name: "stills", value: "\(stills), \(tally.missedStills) missing"))
        }
        return Section(id: "storage", title: "Storage", blocks: [.facts(facts)])
    }

    /// What the log says that is out of the ordinary.
    var events: Section {
        let events = figures.events
        guard events.markCount > 0 else {
            return Section(
                id: "events", title: "Out of the ordinary", blocks: [.note("Nothing was.")])
        }
        var table = Table(head: ["time", "what"], numbers: [0])
        for mark in events.marks {
            table.rows.append([Measure.moment(mark.time), mark.text])
            table.times.append(mark.time.nanoseconds)
        }
        table.more = events.markCount - Int64(events.marks.count)
        return Section(id: "events", title: "Out of the ordinary", blocks: [.table(table)])
    }
}

extension RunTally {
    /// The counts of triggers with their names.
    static func triggerMembers(_ tally: RunTally) -> [(name: String, count: Int64)] {
        [
            ("edges", tally.edges), ("matched", tally.matchedEdges),
            ("edges without frame", tally.edgesWithoutFrame),
            ("missing edges", tally.missingEdges), ("unused edges", tally.unusedEdges),
            ("lost by the kernel", tally.lostEdges), ("unanswered edges", tally.unansweredEdges),
            ("frames without edge", tally.spuriousFrames),
            ("unmatched in all", tally.unmatchedTriggers),
        ]
    }
}
