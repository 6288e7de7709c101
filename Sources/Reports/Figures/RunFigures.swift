internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// Everything that a report shows, computed in one pass over the record.
///
/// Memory is bounded by the plan (its steps, lines and settings), not by the run's length.
///
/// Order of calls: every event, every row in the order of slots, then ``finish()``. The log comes first since it has
/// what the rows rest on, and since a run that goes on has more events than rows.
struct RunFigures {
    /// The slots of one step.
    ///
    /// Rounds of a loop count together: a step is a place in the recipe.
    struct Step: Hashable {
        var frames: Int64 = 0
        var holes: Int64 = 0
        /// The darkest and the brightest frame's mean in thousandths of a code; nil without pixels.
        var luma: ClosedRange<Int64>?
        /// Nil where none of its slots had a turn.
        var firstSlot: Int64?
    }

    /// A moment that the timeline marks, with a line of text: a change of settings, or an event.
    struct Mark: Hashable {
        var time: Instant<Session>
        var text: String
    }

    /// So many slots are drawn one by one; longer runs are drawn in columns.
    ///
    /// One more is kept, by which ``isDrawnWhole`` decides.
    static let maximumDrawn = 5_000
    /// So many marks of a kind are kept.
    static let maximumMarks = 500

    /// By index of the plan's steps.
    private(set) var steps: [Step]
    private(set) var holes = HoleRuns()
    /// By index of settings and by ``SettingComponent``.
    private(set) var settings: [[SettingFigures]]
    /// Rows of the ledger by what became of their edge; frames and holes.
    private(set) var classes: [TriggerClass: Int64] = [:]
    /// Nanoseconds from a slot's edge to the start of its exposure, where both are known.
    private(set) var delay = LogHistogram()
    /// Spacing of neighbouring frames less ``nominal``, in nanoseconds; the spacing itself where edges make the frames.
    private(set) var jitter = LogHistogram()
    /// Means of frames, in thousandths of a code.
    private(set) var luma = LogHistogram()
    /// How bright frames were at each exposure.
    private(set) var response = ResponseFigures()
    /// Half-widths of the frames' session times, in nanoseconds.
    private(set) var halfWidth = LogHistogram()
    private(set) var events: EventFigures
    private(set) var timeline = TimelineBins()
    /// Changes of settings from slot to slot, the first of them.
    ///
    /// Where the settings in the rows differ, holes among them; not the writes, which come earlier.
    private(set) var changes: [Mark] = []
    private(set) var changeCount: Int64 = 0
    /// The first slots: when each was exposed, or after which time it would have been.
    private(set) var drawn: [DrawnSlot] = []
    /// The middle of the last exposure that has a time.
    private(set) var last: Instant<Session>?

    /// A slot that is drawn by itself.
    ///
    /// Session times in nanoseconds; those of a slot without a time are both the middle of the frame before it, or 0.
    struct DrawnSlot: Hashable {
        var slot: Int64
        var start: Int64
        var end: Int64
        var reason: HoleReason?
        /// Mean of the frame in thousandths of a code.
        var luma: Int64?
    }

    private let requested: [FrameSettings]
    /// The last frame that has both a raw timestamp and a number.
    private var before: (timestamp: Instant<Monotonic>, number: UInt32)?
    /// The period of frames in nanoseconds: what the camera promised, else the first one; 0 for a triggered camera.
    private(set) var nominal: Int64?
    private var lastSettings: Int32?

    init(_ run: RecordedRun) {
        steps = run.plan.steps.map { _ in Step() }
        requested = run.plan.settings.map(\.requested)
        settings = requested.map { _ in
            SettingComponent.all.map { _ in SettingFigures() }
        }
        events = EventFigures(lines: run.plan.lines.count)
        nominal =
            run.plan.camera.trigger == nil
            ? run.manifest.configuration.rate?.period.nanoseconds : 0
    }

    /// Takes an event; all events come before the first row.
    ///
    /// Only what the timeline shows is looked at here; ``EventFigures`` takes all.
    mutating func add(_ event: RunEvent, at time: Instant<Session>) {
        events.add(event, at: time)
        switch event {
        case .edge: timeline.note(time) { $0.edges += 1 }
        case .outputSet(_, true, _): timeline.note(time) { $0.pulses += 1 }
        case .settingsWritten(_, _, _, let errno):
            timeline.note(time) {
                $0.writes += 1
                if errno != 0 { $0.doubts += 1 }
            }
        case .readBack(_, _, let asked, let found) where asked != found:
            timeline.note(time) { $0.doubts += 1 }
        case .temperature(let reading?):
            let value = reading.millidegrees
            timeline.note(time) { $0.temperature = $0.temperature.joined(value...value) }
        case .readBackFailed, .controlChanged, .settingContradicted, .settingDoubted:
            timeline.note(time) { $0.doubts += 1 }
        default: break
        }
    }

    /// Takes a row of the ledger, in the order of slots.
    ///
    /// Slots that had no turn are left out of every figure; the tally has them.
    mutating func add(_ entry: LedgerEntry) {
        let row = entry.row
        // What had no turn has no place in time.
        if row.lastSlot != nil { return }
        holes.add(row, after: last)
        if let outcome = row.trigger?.outcome { classes[outcome, default: 0] += 1 }
        if let delay = row.trigger?.delay { self.delay.add(delay.nanoseconds) }
        addStep(entry)
        if row.reason == nil { addFrame(entry) }
        addPlace(entry)
    }

    /// To be called after the last row.
    mutating func finish() { holes.close() }

    /// The step of a row is one of the plan's: the reader has refused any other.
    private mutating func addStep(_ entry: LedgerEntry) {
        let step = Int(entry.row.step)
        if steps[step].firstSlot == nil { steps[step].firstSlot = entry.row.slot }
        if entry.row.reason == nil {
            steps[step].frames += 1
            steps[step].luma = steps[step].luma.joined(entry.lumaMeanThousandths.map { $0...$0 })
        } else {
            steps[step].holes += 1
        }
    }

    /// What only frames have: brightness, half-width, settings with their evidence, and the spacing to the one before.
    private mutating func addFrame(_ entry: LedgerEntry) {
        let row = entry.row
        if let mean = entry.lumaMeanThousandths { luma.add(mean) }
        response.add(entry)
        if let time = row.exposureTime { halfWidth.add(time.halfWidth.nanoseconds) }
        let index = Int(row.settings)
        for component in SettingComponent.all {
            settings[index][component.rawValue].add(
                row.applied[component], asked: requested[index].asked(component),
                known: row.applied[knownBy: component.group], slot: row.slot)
        }
        guard let timestamp = row.rawTimestamp, let number = row.deviceSequence else { return }
        // Only frames that the device counted one after the other are neighbours.
        if let before, number &- before.number == 1 {
            addSpacing(timestamp, after: before.timestamp)
        }
        before = (timestamp, number)
    }

    private mutating func addSpacing(
        _ timestamp: Instant<Monotonic>, after before: Instant<Monotonic>
    ) {
        let (step, overflows) = timestamp.nanoseconds.subtractingReportingOverflow(
            before.nanoseconds)
        let (rest, isFar) = step.subtractingReportingOverflow(nominal ?? step)
        // Timestamps of a damaged ledger; no clock goes so far.
        guard !overflows, !isFar else { return }
        jitter.add(rest)
        nominal = nominal ?? step
    }

    /// Where the slot stands on the timeline: a hole has no time, and stands behind the frame before it.
    ///
    /// Holes before the first frame stand at zero.
    private mutating func addPlace(_ entry: LedgerEntry) {
        let row = entry.row
        let time = row.exposureTime?.mid ?? last ?? Instant(nanoseconds: 0)
        if let mid = row.exposureTime?.mid { last = mid }
        timeline.note(time) { bin in
            guard row.reason == nil else { return bin.holes += 1 }
            bin.frames += 1
            bin.exposure = bin.exposure.joined(
                row.applied.exposure.map { $0.nanoseconds...$0.nanoseconds })
            bin.luma = bin.luma.joined(entry.lumaMeanThousandths.map { $0...$0 })
            bin.halfWidth = max(bin.halfWidth, row.exposureTime?.halfWidth.nanoseconds ?? 0)
        }
        if lastSettings != row.settings {
            if lastSettings != nil {
                changeCount += 1
                if changes.count < Self.maximumMarks {
                    changes.append(
                        Mark(time: time, text: "settings \(row.settings) from slot \(row.slot)"))
                }
            }
            lastSettings = row.settings
        }
        if drawn.count <= Self.maximumDrawn {
            drawn.append(
                DrawnSlot(
                    slot: row.slot,
                    start: (row.exposureTime?.start ?? time).nanoseconds,
                    end: (row.exposureTime?.end ?? time).nanoseconds, reason: row.reason,
                    luma: entry.lumaMeanThousandths))
        }
    }

    /// Whether every slot is drawn by itself.
    var isDrawnWhole: Bool { drawn.count <= Self.maximumDrawn }
}
