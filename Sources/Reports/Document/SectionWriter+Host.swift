internal import Devices
internal import Recipes
internal import Records
internal import Timebase

extension SectionWriter {
    /// How well session times are known.
    ///
    /// The first fact is the clock that drivers claim, and behind it those that timestamps turned out to be of.
    /// Half-widths are those of the ledger: `framelock refit` may have narrower ones, which are not in here.
    var clocks: Section {
        let manifest = run.manifest
        var facts = [
            Fact(
                name: "timestamps",
                value: "\(Monotonic.clockName)"
                    + figures.events.timestampClocks.map {
                        "; found: \($0?.fixedName ?? "an unknown clock")"
                    }.joined()),
            Fact(
                name: "widest half-width",
                value: Measure.time(tally.widestHalfWidth.nanoseconds)
                    + (run.plan.require.clockUncertainty.map { " (limit \($0))" }
                        ?? " (no limit set)")
            ),
            Fact(name: "frames without time", value: "\(tally.untimedFrames)"),
            Fact(name: "clock readings", value: "\(figures.events.clockSamples)"),
        ]
        if tally.cameraClockSteps > 0 {
            facts.append(
                Fact(name: "jumps of the camera's clock", value: "\(tally.cameraClockSteps)"))
        }
        for (name, time) in [
            ("realtime at start", manifest.started), ("realtime at end", manifest.ended),
        ] {
            guard let half = time?.halfWidth.nanoseconds else { continue }
            facts.append(
                Fact(
                    name: name,
                    value: half == 0 ? "known exactly" : "known to \(Measure.time(half))"))
        }
        return Section(
            id: "clocks", title: "Clocks",
            blocks: [
                .facts(facts),
                .distribution(
                    .init(
                        title: "Half-width of a frame's session time", counts: "frames",
                        measure: .time,
                        histogram: figures.halfWidth)),
            ])
    }

    /// How warm the instrument was.
    ///
    /// A thermometer that never could be read is another thing than none, since a limit can't hold without one.
    var temperature: Section {
        let events = figures.events
        guard let range = events.temperatures else {
            let what =
                events.unreadTemperatures > 0
                ? "The thermometer could not be read." : "The run had no thermometer."
            return Section(id: "temperature", title: "Temperature", blocks: [.note(what)])
        }
        let limit = run.plan.require.temperature.map { "limit \($0)" } ?? "no limit set"
        return Section(
            id: "temperature", title: "Temperature",
            blocks: [
                .facts([
                    Fact(
                        name: "thermometer",
                        value: run.manifest.thermometer ?? "unknown"),
                    Fact(name: "coldest", value: "\(range.lowerBound)"),
                    Fact(name: "hottest", value: "\(range.upperBound) (\(limit))"),
                    Fact(
                        name: "readings",
                        value: "\(events.readTemperatures), \(events.unreadTemperatures) failed"),
                ])
            ])
    }

    /// Where the frames went.
    ///
    /// `no free buffer` counts slots that were lost since every buffer waited for the disk, `refused by the disk`
    /// frames whose write failed.
    var storage: Section {
        let bytes = run.manifest.frameByteCount
        var facts = [
            Fact(
                name: "container",
                value: run.container?.path
                    ?? "none: the frames were recorded without their pixels"),
            Fact(name: "no free buffer", value: "\(tally.holes[.buffersFull] ?? 0) slots"),
            Fact(name: "refused by the disk", value: "\(figures.events.storageFailures) frames"),
        ]
        if run.manifest.keepsPixels {
            facts.insert(
                Fact(name: "pixels", value: "\(tally.frames) frames of \(bytes) bytes"), at: 1)
        }
        if let stills = tally.stills {
            facts.append(
                Fact(name: "stills", value: "\(stills), \(tally.missedStills) missing"))
        }
        return Section(id: "storage", title: "Storage", blocks: [.facts(facts)])
    }

    /// The events of the log that need attention.
    ///
    /// The first ``RunFigures/maximumMarks`` of them with their session times; the rest is counted.
    var events: Section {
        let events = figures.events
        guard events.markCount > 0 else {
            return Section(
                id: "events", title: "Events", blocks: [.note("None but those counted above.")])
        }
        var table = Table(head: ["time", "what"], numbers: [0])
        for mark in events.marks {
            table.rows.append([Measure.moment(mark.time), mark.text])
            table.times.append(mark.time.nanoseconds)
        }
        table.more = events.markCount - Int64(events.marks.count)
        return Section(id: "events", title: "Events", blocks: [.table(table)])
    }
}
