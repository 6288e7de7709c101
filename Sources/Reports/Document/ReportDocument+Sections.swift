internal import Devices
internal import Notation
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension ReportDocument {
    /// Says what was computed of a run.
    ///
    /// - Parameters:
    ///   - run: the manifest and the plan.
    ///   - figures: finished: every event and every row was added.
    ///   - result: the counts of the same pass, and how many lines it passed over.
    init(_ run: RecordedRun, _ figures: RunFigures, _ result: RecordedRun.Reading) {
        let judgement = run.judgement(result.tally)
        title = run.plan.name
        verdict = judgement.verdict
        exitCode = judgement.exitCode
        findings = judgement.findings
        facts = Self.head(run, result)
        let writer = SectionWriter(run: run, figures: figures, tally: result.tally)
        sections = [
            writer.slots, writer.holes, writer.settings, writer.frames, writer.triggers,
            writer.outputs, writer.clocks, writer.temperature, writer.storage, writer.events,
        ]
    }

    /// What stands above all sections: which run it was, of which recipe and camera, and whether it was read whole.
    private static func head(_ run: RecordedRun, _ result: RecordedRun.Reading) -> [Fact] {
        let manifest = run.manifest
        let camera = manifest.camera
        var facts = [
            Fact(name: "run", value: run.folder.path),
            Fact(name: "recipe", value: "\(run.plan.name)  sha256 \(manifest.recipeDigest)"),
            Fact(name: "plan", value: "sha256 \(manifest.planDigest)"),
        ]
        facts += (manifest.metadata?.entries ?? []).map { Fact(name: $0.name, value: $0.text) }
        facts += [
            Fact(
                name: "camera",
                value: "\(camera.name) (\(camera.id), \(camera.driver), profile"
                    + " \(manifest.profileName))"),
            Fact(
                name: "format",
                value: manifest.frames + (manifest.configuration.rate.map { " at \($0)" } ?? "")),
            Fact(name: "started", value: UTCTime(manifest.started.instant).text),
            Fact(
                name: "duration",
                value: manifest.duration.map { Measure.time($0.nanoseconds) }
                    ?? "not finalised: the run still goes on, or was cut"),
        ]
        facts += manifest.simulationFacts.map { Fact(name: "simulated \($0.name)", value: $0.text) }
        if let ending = run.ending { facts.append(Fact(name: "ending", value: ending.rawValue)) }
        facts.append(Fact(name: "framelock", value: manifest.version))
        if result.faults > 0 {
            facts.append(
                Fact(
                    name: "unreadable",
                    value: "\(result.faults) lines of ledger and events were passed over;"
                        + " `framelock verify` lists them"))
        }
        return facts
    }
}

/// Writes the sections of a report, each from the finished figures of one run.
///
/// The order of sections is that of ``ReportDocument/init(_:_:_:)``; their ids are what findings and pages link to, so
/// that they are the same in every report.
struct SectionWriter {
    typealias Section = ReportDocument.Section
    typealias Fact = ReportDocument.Fact
    typealias Table = ReportDocument.Table
    typealias Block = ReportDocument.Block

    let run: RecordedRun
    let figures: RunFigures
    /// The counts that the verdict rests on, as they were counted in the pass that made ``figures``.
    ///
    /// For a run that has ended the verdict itself is the manifest's; `verify` reports where the two differ.
    let tally: RunTally

    /// How many slots of what kind, step by step.
    ///
    /// Steps whose slots had no turn are left out of the table.
    var slots: Section {
        var facts = [
            Fact(
                name: "slots",
                value: "\(tally.slots)"
                    + (run.manifest.plannedSlots.map { " of \($0) planned" }
                        ?? ", of an endless plan")),
            Fact(
                name: "frames",
                value: "\(tally.frames) (\(Measure.percent(tally.frames, of: tally.slots)))"),
            Fact(name: "holes", value: "\(tally.slots - tally.frames)"),
            Fact(name: "not reached", value: notReached),
            Fact(name: "changes of settings", value: "\(figures.changeCount)"),
        ]
        if tally.lostFrames + tally.retakenSlots > 0 {
            facts += [
                Fact(name: "frames lost", value: "\(tally.lostFrames)"),
                Fact(name: "slots taken again", value: "\(tally.retakenSlots)"),
            ]
        }
        if tally.lateRounds > 0 {
            facts.append(
                Fact(
                    name: "late rounds",
                    value: "\(tally.lateRounds), by up to"
                        + " \(Measure.time(tally.latestRound.nanoseconds))"))
        }
        var table = Table(
            head: ["step", "first slot", "frames", "holes", "mean pixel value"],
            numbers: [1, 2, 3, 4])
        for (name, step) in zip(run.plan.steps, figures.steps) {
            guard let first = step.firstSlot else { continue }
            table.rows.append([
                name, "\(first)", "\(step.frames)", "\(step.holes)", Self.range(step.luma),
            ])
        }
        return Section(id: "slots", title: "Slots", blocks: [.facts(facts), .table(table)])
    }

    private var isFinalised: Bool { run.manifest.state == .finalised }

    /// The slots that had no turn.
    private var notReached: String {
        if let slots = tally.notReached { return "\(slots.lowerBound) to \(slots.upperBound)" }
        guard !isFinalised else { return "none" }
        return run.manifest.plannedSlots.map { "\(max(0, $0 - tally.slots)) have no row" }
            ?? "not known"
    }

    /// Every hole with its reason.
    ///
    /// The first table counts them by reason; the second has holes in a row as one line, with the driver's number of
    /// the first and the session time of the last frame before them. Reasons that do not count as missing end the run
    /// early or concern triggers.
    var holes: Section {
        guard tally.slots > tally.frames else {
            return Section(
                id: "holes", title: "Holes",
                blocks: [
                    .note(
                        isFinalised
                            ? "Every slot has its frame." : "Every slot with a row has its frame.")
                ])
        }
        var reasons = Table(head: ["reason", "holes", "counts as missing"], numbers: [1])
        for reason in HoleReason.allCases {
            guard let count = tally.holes[reason] else { continue }
            reasons.rows.append([reason.rawValue, "\(count)", reason.isDrop ? "yes" : "no"])
        }
        var list = Table(
            head: ["slots", "holes", "reason", "seen by", "step", "sequence", "after"],
            numbers: [1, 5, 6])
        for hole in figures.holes.listed {
            let last = hole.first + hole.count - 1
            list.rows.append([
                hole.count == 1 ? "\(hole.first)" : "\(hole.first)-\(last)", "\(hole.count)",
                hole.reason.rawValue, hole.gapEvidence.isEmpty ? "-" : hole.gapEvidence.text,
                run.plan.steps[Int(hole.step)],
                hole.sequence.map { "\($0)" } ?? "-", hole.after.map { Measure.moment($0) } ?? "-",
            ])
            list.times.append(hole.after?.nanoseconds ?? 0)
        }
        list.more = figures.holes.count - Int64(figures.holes.listed.count)
        return Section(id: "holes", title: "Holes", blocks: [.table(reasons), .table(list)])
    }

    /// What was asked for, what the frames had, and how that is known.
    ///
    /// A row for each set of settings and each setting of it that was asked for, planned or found on any frame. `asked`
    /// is the recipe's value, `planned` what the device can have of it; the deviation is from what was asked for, so
    /// that rounding to the device's steps shows in it.
    var settings: Section {
        let events = figures.events
        var facts = [
            Fact(
                name: "writes",
                value: "\(events.writes), \(events.refusedWrites) refused, "
                    + "\(events.repeatedWrites) made again"),
            Fact(
                name: "read-backs",
                value: "\(events.readBacks), \(events.differing) differ, \(events.unread) failed"),
            Fact(name: "changed by others", value: "\(events.external)"),
        ]
        if events.contradicted > 0 {
            facts.append(Fact(name: "contradicted by frames", value: "\(events.contradicted)"))
        }
        var table = Table(
            head: [
                "set", "setting", "asked", "planned", "applied", "worst deviation", "at slot",
                "known by",
            ], numbers: [0, 2, 3, 4, 5, 6])
        for (index, row) in figures.settings.enumerated() {
            for setting in SettingComponent.all {
                let figure = row[setting.rawValue]
                let asked = run.plan.settings[index].requested.asked(setting)
                let planned = run.plan.settings[index].quantised.asked(setting)
                let isThere = asked != nil || planned != nil || figure.lowest != nil
                guard isThere, !figure.evidence.isEmpty else { continue }
                table.rows.append([
                    "\(index)", setting.name, asked.map(setting.words) ?? "-",
                    planned.map(setting.words) ?? "-", Self.range(figure, setting),
                    figure.worst.map { Self.deviation($0.deviation, setting) } ?? "-",
                    figure.worst.flatMap { $0.deviation == 0 ? nil : "\($0.slot)" } ?? "-",
                    Self.evidence(figure),
                ])
            }
        }
        table.textRows = 60
        return Section(
            id: "settings", title: "Settings",
            blocks: [.facts(facts), .table(table), .plot(response)])
    }

    /// Mean pixel value against exposure, of frames whose exposure is known.
    private var response: ReportDocument.Plot {
        let leftOut = figures.response.leftOut
        return ReportDocument.Plot(
            title: "Signal against exposure",
            note: "frames whose exposure is known, one mark for each exposure, gain and light"
                + (leftOut > 0 ? "; \(leftOut.of("frame")) not drawn" : ""),
            x: .time, y: .luma, xAxis: "exposure", yAxis: Measure.luma.axis,
            points: figures.response.points)
    }

    /// The least and the largest value that frames had; `-` where none was known.
    private static func range(_ figure: SettingFigures, _ setting: SettingComponent) -> String {
        guard let low = figure.lowest, let high = figure.highest else { return "-" }
        return low == high
            ? setting.words(low) : "\(setting.words(low)) to \(setting.words(high))"
    }

    /// A difference with its sign; a deviation of zero is a word, so that it is not taken for a missing one.
    private static func deviation(_ value: Int64, _ setting: SettingComponent) -> String {
        value == 0 ? "none" : (value > 0 ? "+" : "") + setting.words(value)
    }

    /// How many frames are known by what, the best evidence first.
    private static func evidence(_ figure: SettingFigures) -> String {
        SettingEvidence.allCases.compactMap { evidence in
            figure.evidence[evidence].map { "\(evidence.rawValue) \($0)" }
        }.joined(separator: ", ")
    }

    /// A range of thousandths of a code, in codes; `-` without pixels.
    private static func range(_ luma: ClosedRange<Int64>?) -> String {
        guard let luma else { return "-" }
        let (low, high) = (Measure.luma.text(luma.lowerBound), Measure.luma.text(luma.upperBound))
        return low == high ? low : "\(low) to \(high)"
    }
}
