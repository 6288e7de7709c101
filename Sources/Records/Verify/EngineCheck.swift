internal import Devices
internal import Notation
internal import Recipes
internal import Timebase

/// Holds what rows claim to know against the log and the plan, as the engine makes rows of both: times, clocks, and by
/// what settings are known.
///
/// Of what the log doubts nothing is asked: then a row rests on more than there is to compute it from.
struct EngineCheck {
    private let manifest: Manifest
    private let isWhole: Bool
    private let names: RunNames
    private let profile: CameraProfile
    /// The exposure that the pulse of a trigger makes; nil for cameras that have a control for it.
    private let pulse: Interval?
    private var timing: TimeCheck
    private var outputs: OutputCheck
    private var course: CourseCheck

    /// Session time of the last event.
    private var latest = Instant<Session>(nanoseconds: 0)
    /// Events that were logged before they can have happened, by the epoch.
    private var early: Int64 = 0
    /// When edges came, on the monotonic clock; nil for a number that comes twice.
    private var edges: [UInt64: Int64?] = [:]
    /// The clocks that frames were found to be timestamped with.
    private var clocks: Set<TimestampClock> = [.monotonic]
    /// Values that the device confirmed after a write of them.
    private var confirmed = ComponentSets()
    /// Components of which the device once had another value than was written, or that others changed.
    private var disturbed: Set<SettingComponent> = []
    /// Settings that were written, and those that were read back; the first ones are written before the log begins.
    private var written: Set<Int32> = [0]
    private var readBack: Set<Int32> = []
    private var hasStarted = false
    /// Slots of the plan; nil for one without an end.
    private let plannedSlots: Int64?
    /// The last slot that settings were written for.
    private var lastWritten: Int64 = -1
    /// Frames of which the log has that they had another setting.
    private var refuted: Set<FrameSetting> = []
    /// Where the device's count went back: numbers from there on are those of more than one frame.
    private var returns: [UInt32] = []

    /// For each component, values in its unit.
    private typealias ComponentSets = [SettingComponent: Set<Int64>]

    init(_ run: RecordedRun) {
        manifest = run.manifest
        isWhole = run.isWhole
        names = run.names
        profile = run.plan.camera.profile
        plannedSlots = run.frames.plannedSlots
        pulse = run.plan.camera.trigger?.exposure
        timing = TimeCheck(run)
        outputs = OutputCheck(run)
        course = CourseCheck(run)
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ logged: LoggedEvent) {
        latest = max(latest, logged.time)
        timing.note(logged.event)
        outputs.note(logged)
        course.note(logged.event)
        let now = Int128(manifest.epoch.nanoseconds) + Int128(logged.time.nanoseconds)
        switch logged.event {
        // A camera's clock is related to times that are computed.
        case .clockSample(let sample) where sample.clock != .camera:
            if sample.after.nanoseconds > now { early += 1 }
        case .streamStarted: hasStarted = true
        case .settingsWritten(let settings, let slot, let begun, _):
            written.insert(settings)
            lastWritten = max(lastWritten, slot ?? -1)
            if begun.nanoseconds > now || begun < manifest.epoch { early += 1 }
        case .edge(let edge):
            if edge.timestamp.nanoseconds > now { early += 1 }
            let key = Self.key(edge.line, edge.lineSequence)
            edges.updateValue(
                edges[key] == nil ? edge.timestamp.nanoseconds : Int64?.none, forKey: key)
        case .sequenceJumped(let from, let to):
            if Int32(bitPattern: to &- from) <= 0 { returns.append(to) }
        case .timestampClock(let found):
            clocks.insert(found.map { .host($0) } ?? .unknown)
        case .readBack(let settings, let control, let asked, let found):
            noteReading(settings, control, found, isConfirmed: asked == found)
        case .readBackFailed(let settings, let control):
            noteReading(settings, control, nil, isConfirmed: false)
        case .controlChanged: disturbed = Set(SettingComponent.all)
        case .settingContradicted(let settings, let sequence, let group, _, _, _):
            refuted.insert(FrameSetting(group, settings, sequence))
        default: break
        }
    }

    private mutating func noteReading(
        _ settings: Int32, _ control: CameraControl, _ found: Int64?, isConfirmed: Bool
    ) {
        readBack.insert(settings)
        guard let component = profile.component(of: control) else { return }
        if isConfirmed {
            // A value that was there before the run is not in the plan.
            let value =
                names.quantised[Int(settings)].asked(component)
                ?? found.flatMap { profile.value(of: component, code: $0) }
            if let value { confirmed[component, default: []].insert(value) }
        } else {
            disturbed.insert(component)
        }
    }

    /// To be called once, after the last event.
    mutating func sort() { timing.sort() }

    /// What is wrong with the log's times; to be asked once, after the last event.
    var problems: [String] {
        var problems: [String] = []
        if early > 0 {
            problems.append("\(early) events are not between session time 0 and their `at_ns`")
        }
        if let plannedSlots, lastWritten >= plannedSlots {
            problems.append(
                "settings were written for slot \(lastWritten), and the plan has \(plannedSlots.of("slot"))"
            )
        }
        let unwritten = readBack.subtracting(written)
        if !unwritten.isEmpty {
            problems.append("settings \(unwritten.min() ?? 0) were read back and never written")
        }
        if let duration = manifest.duration, duration.nanoseconds < latest.nanoseconds {
            problems.append("there are events after the end of the run (`duration_ns`)")
        }
        return problems + course.problems
            + outputs.problems(isFinalised: isWhole)
    }

    // MARK: The plan

    /// What is wrong with the events of an operation of the plan, which is walked along with the rows.
    ///
    /// - Parameter isRest: whether no row follows that had its turn.
    mutating func pass(_ operation: PlanCursor.Operation, isRest: Bool) -> String? {
        course.pass(operation, outputs, isRest: isRest)
    }

    /// What the log has of waits and pulses beyond the plan; to be asked once, at the end of the ledger.
    var rest: [String] {
        isWhole ? course.rest(outputs, lines: names.lines) : []
    }

    // MARK: The ledger

    /// What is wrong with a row.
    ///
    /// - Parameter lights: those that its slot asks for.
    func problems(_ row: LedgerRow, lights: UInt32) -> [String] {
        var problems = [course.problem(row), outputs.problem(row, lights: lights)].compactMap { $0 }
        if row.cameraTicks != nil, manifest.configuration.cameraTicksPerSecond == nil {
            problems.append(
                "camera_timestamp_ticks is there, and no clock of the camera is followed")
        }
        guard let reason = row.reason else {
            if !hasStarted { problems.append("no event has the start of the stream") }
            if !row.gapEvidence.isEmpty { problems.append("a frame has no gap_evidence") }
            let row = row.countable
            return problems + times(row) + evidence(row)
        }
        if reason.isByCount, row.gapEvidence.isEmpty {
            problems.append("gap_evidence is missing: what showed this hole")
        }
        return problems
    }

    /// Start, middle and end belong together; they fit the timestamp, and the edge.
    private func times(_ row: LedgerRow) -> [String] {
        var problems: [String] = []
        if !clocks.contains(row.timestampClock) {
            problems.append("no event reports timestamps of \(row.timestampClock.name)")
        }
        guard let time = row.exposureTime else { return problems }
        let exposure = time.end - time.start
        if time.mid != time.end - exposure / 2 {
            problems.append("session_mid_ns is not half-way between start and end")
        }
        // A trigger's pulse may expose, whatever pixels show of the control.
        if let applied = row.applied.exposure, !isRefuted(row, .exposure), exposure != applied,
            exposure != pulse
        {
            problems.append("from session_start_ns to session_end_ns is not the exposure")
        }
        let isCertain =
            row.applied[knownBy: .exposure] != .pixels && !isRefuted(row, .exposure)
        // What the log doubts of the last frames may not have been written yet when a run was cut.
        if isWhole,
            let problem = timing.problem(row, edge: edge(of: row), isCertain: isCertain)
        {
            problems.append(problem)
        }
        if let delay = row.trigger?.delay, let edge = edge(of: row),
            Int128(time.start.nanoseconds) + Int128(manifest.epoch.nanoseconds)
                != Int128(edge) + Int128(delay.nanoseconds)
        {
            problems.append("trigger_delay_ns is not from the edge to session_start_ns")
        }
        return problems
    }

    private func edge(of row: LedgerRow) -> Int64? {
        guard let trigger = row.trigger, let number = trigger.lineSequence else { return nil }
        return edges[Self.key(trigger.line, number)] ?? nil
    }

    /// By what settings are known is what the camera can tell, and what the log has of it.
    private func evidence(_ row: LedgerRow) -> [String] {
        ControlGroup.all.compactMap { group in
            let known = row.applied[knownBy: group]
            switch known {
            case .metadata where !names.sendsMetadata || !group.isReported:
                return "\(group.knownBy.name) is `metadata`, and the camera sends none of it"
            case .pixels where !manifest.keepsPixels:
                return "\(group.knownBy.name) is `pixels`, and the record has none"
            case .pixels where !isRefuted(row, group) && !isPlanned(row, group):
                return
                    "\(group.knownBy.name) is `pixels`, and neither the plan nor an event has its value"
            case .readBack
            where isRefuted(row, group) && !isNumberedAgain(row) && !names.sendsMetadata:
                return "\(group.knownBy.name) is `read-back`, and an event refutes it"
            case .readBack: return unconfirmed(row, group)
            default: return nil
            }
        }
    }

    private func isRefuted(_ row: LedgerRow, _ group: ControlGroup) -> Bool {
        FrameSetting(group, of: row).map(refuted.contains) ?? false
    }

    /// Whether another frame may have a row's number, since the device began to count anew: what the log has of one of
    /// them need not be about this one.
    private func isNumberedAgain(_ row: LedgerRow) -> Bool {
        row.deviceSequence.map { number in
            returns.contains { Int32(bitPattern: number &- $0) >= 0 }
        } ?? false
    }

    /// What pixels confirm is what the camera was to have, or what it said that it had.
    private func isPlanned(_ row: LedgerRow, _ group: ControlGroup) -> Bool {
        guard let component = group.component, let value = row.applied[component] else {
            return false
        }
        return names.quantised[Int(row.settings)].asked(component) == value
            || confirmed[component]?.contains(value) ?? false || disturbed.contains(component)
    }

    /// A value that was read back was read after it was written.
    private func unconfirmed(_ row: LedgerRow, _ group: ControlGroup) -> String? {
        let planned = names.quantised[Int(row.settings)]
        for component in SettingComponent.all
        where component.group == group && !disturbed.contains(component) {
            guard let value = planned.asked(component), row.applied[component] == value,
                !(confirmed[component]?.contains(value) ?? false)
            else { continue }
            return "no event has that \(component.quantity) \(value) was read back"
        }
        return nil
    }

    /// Two numbers as one.
    private static func key(_ upper: Int32, _ lower: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: upper)) << 32 | UInt64(lower)
    }
}

extension HoleReason {
    /// Whether it is a frame that only a count shows to be missing.
    fileprivate var isByCount: Bool {
        switch self {
        case .droppedByDriver, .droppedByDevice, .hostStalled, .dropped, .uncertain: true
        default: false
        }
    }
}

extension ControlGroup {
    /// Whether sensors report it beside their pixels.
    fileprivate var isReported: Bool { self == .exposure || self == .gain }
}
