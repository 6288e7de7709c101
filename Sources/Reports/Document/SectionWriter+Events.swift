internal import Devices
internal import Notation
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension SectionWriter {
    /// How the frames follow each other, and how bright they are.
    ///
    /// The spacing is of raw timestamps, and only of frames that the device numbered one after the other: a missing
    /// frame makes no outlier. Where the camera runs freely the nominal period is subtracted, so that what is left
    /// is jitter; the frames of a triggered camera keep the rhythm of their edges, which is shown as it is.
    var frames: Section {
        let events = figures.events
        var facts = [
            Fact(name: "neighbours", value: "\(figures.jitter.count) pairs of frames"),
            Fact(name: "damaged", value: "\(events.damaged)"),
            Fact(name: "sequence jumps", value: "\(events.jumps)"),
        ]
        facts.append(
            Fact(
                name: "gaps",
                value: "\(tally.disputedGaps) gaps disputed, \(tally.unverifiableGaps) gaps"
                    + " unverifiable, \(tally.invalidTimestamps) timestamps doubted"
            ))
        if !events.quirks.isEmpty {
            facts.append(
                Fact(
                    name: "quirks",
                    value: events.quirks.map {
                        $0.quirk.rawValue + ($0.isKnown ? "" : " (not in the profile)")
                    }.joined(separator: ", ")))
        }
        if tally.refusedBuffers > 0 {
            facts.append(Fact(name: "buffers refused", value: "\(tally.refusedBuffers)"))
        }
        if !events.skipped.isEmpty {
            facts.append(
                Fact(
                    name: "not recorded",
                    value: SkipReason.allCases.compactMap { why in
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
                        title: "Spacing of neighbouring frames"
                            + (run.plan.camera.trigger != nil
                                ? "" : " less the period of \(Measure.time(figures.nominal ?? 0))"),
                        counts: "pairs of frames", measure: .time, histogram: figures.jitter,
                        isSigned: run.plan.camera.trigger == nil)),
                .distribution(
                    .init(
                        title: "Mean pixel value of a frame", counts: "frames", measure: .luma,
                        histogram: figures.luma)),
            ])
    }

    /// What became of edges, and how long after them the exposures began.
    ///
    /// `slots` counts rows of the ledger by the class of their edge, `edges` and `frames without edge` what the log
    /// shows of a triggered camera; the delays are from an edge's timestamp to the start of the exposure.
    var triggers: Section {
        let counts = tally.edges + tally.waitTimeouts + tally.lostEdges
        guard counts > 0 || !figures.classes.isEmpty else {
            return Section(
                id: "triggers", title: "Triggers", blocks: [.note("The run had no triggers.")])
        }
        var facts: [Fact] = []
        for member in RunTally.triggerCounts(tally) {
            facts.append(Fact(name: member.name, value: "\(member.count)"))
        }
        if tally.uncountedLines > 0 {
            facts.append(
                Fact(name: "completeness", value: "unknown: the kernel does not count lost edges"))
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
        for (name, line) in zip(run.plan.lines.map(\.name), figures.events.lines)
        where line.edges + line.lost > 0 {
            lines.rows.append([name, "\(line.edges)", "\(line.lost)"])
        }
        return Section(
            id: "triggers", title: "Triggers",
            blocks: [
                .facts(facts), .table(classes), .table(lines),
                .distribution(
                    .init(
                        title: "From the edge to the start of the exposure", counts: "frames",
                        measure: .time,
                        histogram: figures.delay, isSigned: true)),
            ])
    }

    /// How lights and pulses were switched.
    ///
    /// How late the host was by its own clock, and how late the inputs saw it that sense an output: only the second has
    /// the time of driver, wire and switch in it. Where an input senses a line, that one is judged.
    var outputs: Section {
        let switched = figures.events.lines.contains {
            $0.switched + $0.failed + $0.sensed + $0.unsensed > 0
        }
        guard switched else {
            return Section(
                id: "outputs", title: "Outputs", blocks: [.note("The run switched no outputs.")])
        }
        let limit = run.plan.require.latePulses.map { "limit \($0)" } ?? "no limit set"
        var table = Table(
            head: ["line", "switched", "failed", "latest"], numbers: [1, 2, 3])
        for (name, line) in zip(run.plan.lines.map(\.name), figures.events.lines)
        where line.switched + line.failed > 0 {
            table.rows.append([
                name, "\(line.switched)", "\(line.failed)", Measure.time(line.latest),
            ])
        }
        var sensed = Table(head: ["line", "sensed", "not seen", "latest"], numbers: [1, 2, 3])
        for (name, line) in zip(run.plan.lines.map(\.name), figures.events.lines)
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
                        value: "\(tally.latePulses) by more than \(run.plan.require.pulseTolerance)"
                            + " (\(limit))")
                ]), .table(table),
                .distribution(
                    .init(
                        title: "How late outputs were switched", counts: "switchings",
                        measure: .time,
                        histogram: figures.events.delay)),
            ]
                + (sensed.rows.isEmpty
                    ? []
                    : [
                        .table(sensed),
                        .distribution(
                            .init(
                                title: "How late inputs saw outputs switch", counts: "switchings",
                                measure: .time,
                                histogram: figures.events.sensedDelay)),
                    ]))
    }
}
