internal import Devices
internal import Recipes
internal import Timebase

/// Holds how outputs were switched against the frames that they were to light, and the log's events against each other.
struct OutputCheck {
    /// When an output was on, in session time.
    struct Pulse {
        /// When it was known to be on, and when it was to go on.
        let on: Int64
        let plannedOn: Int64
        /// When it was to go off; nil while nothing has that it did.
        var plannedOff: Int64?

        /// How long it was to be on; nil for one that did not end.
        var length: Interval? { plannedOff.map { Interval(nanoseconds: $0 - plannedOn) } }
    }

    /// Lights are looked at where the camera runs freely.
    private let isTriggered: Bool
    private let readout: Int64
    /// What lights are on longer than the exposure; nil where the engine knew more of the frames than the record shows.
    private let beyond: Int64?
    private let names: RunNames
    private var pulses: [Int32: [Pulse]] = [:]
    /// Lines of which a switch failed: what they were then is not known.
    private var failed: Set<Int32> = []
    /// Switches that change nothing, or came before their time.
    private var misplaced: Set<Int32> = []
    /// Whether ``beyond`` holds for all frames; of a run that was cut the log may not have all that it doubts.
    private var isCertain: Bool
    private var isRepeated = false
    /// How far the events of the capture thread have come, and how many are from before.
    private var latest = Int64.min
    private var early: Int64 = 0

    init(_ run: RecordedRun) {
        isTriggered = run.plan.camera.trigger != nil
        readout = run.plan.camera.profile.timestamps.readout?.nanoseconds ?? 0
        names = run.names
        beyond = Self.beyond(run)
        isCertain = run.isWhole
    }

    /// What lights are on longer than a frame is exposed: as long as its readout takes and its start is uncertain, and
    /// some time before and after that.
    private static func beyond(_ run: RecordedRun) -> Int64? {
        let profile = run.plan.camera.profile
        let model = profile.timestamps
        guard let readout = model.readout, model.cameraClock == nil, profile.timing == nil,
            run.manifest.rows.clockPerMillion == 0
        else { return nil }
        let start =
            model.delay + .microseconds(1) + run.manifest.clockResolution.excess
            + model.exposureEnd.halfWidth * 2
        return (start + readout + (model.delay + Plan.lightMargin) * 2).nanoseconds
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ logged: LoggedEvent) {
        let time = logged.time.nanoseconds
        if logged.event.isOfMachine {
            if time < latest { early += 1 }
            latest = max(latest, time)
        }
        switch logged.event {
        case .outputFailed(let line): failed.insert(line)
        // By arrivals, or on another clock, frames are less certain; somebody else's exposure may last longer.
        case .timestampInvalid, .timestampClock, .controlChanged: isCertain = false
        case .groupRepeated: isRepeated = true
        case .outputSet(let line, let active, let late):
            let planned = time.subtractingReportingOverflow(late.nanoseconds)
            let last = pulses[line]?.last
            let isOn = last != nil && last?.plannedOff == nil
            if active == isOn || late < .zero || planned.overflow { misplaced.insert(line) }
            if active {
                pulses[line, default: []].append(
                    Pulse(on: time, plannedOn: planned.partialValue))
            } else if isOn, let place = pulses[line]?.indices.last {
                pulses[line]?[place].plannedOff = planned.partialValue
            }
        default: break
        }
    }

    /// When a line was on, in order.
    func pulses(of line: Int32) -> [Pulse] { pulses[line] ?? [] }

    /// What is wrong with the log; to be asked once, after the last event.
    ///
    /// - Parameter isFinalised: whether outputs are off for good.
    func problems(isFinalised: Bool) -> [String] {
        var problems: [String] = []
        if early > 0 { problems.append("\(early) events are from before the ones before them") }
        for (line, name) in names.lines.enumerated() where !failed.contains(Int32(line)) {
            let line = Int32(line)
            if misplaced.contains(line) {
                problems.append("\(name) is not switched on and off in turns, each after its time")
            }
            if isFinalised, let last = pulses[line]?.last, last.plannedOff == nil {
                problems.append("no event has that \(name) was switched off at the end")
            }
        }
        return problems
    }

    // MARK: The ledger

    /// What is wrong with the lights of a frame.
    ///
    /// - Parameters:
    ///   - row: a frame's.
    ///   - lights: those that its slot asks for, bit = line.
    func problem(_ row: LedgerRow, lights: UInt32) -> String? {
        // Where the exposure was another one, lights were on for the planned one.
        guard !isTriggered, row.reason == nil, let time = row.countable.exposureTime,
            let exposure = row.applied.exposure?.nanoseconds,
            exposure == names.quantised[Int(row.settings)].asked(.exposure)
        else { return nil }
        let (start, end) = (time.start.nanoseconds, time.end.nanoseconds)
        let half = time.halfWidth.nanoseconds
        for (line, name) in names.lines.enumerated() where !failed.contains(Int32(line)) {
            if lights & (1 << UInt32(line)) != 0 {
                // On before the first row's exposure can have begun, and until the last one's must have ended.
                let pulse = pulse(of: Int32(line), before: start - half + 1_000)
                guard let pulse,
                    mayBeCut(pulse, line: Int32(line))
                        || pulse.plannedOff ?? .max >= end + half - 1_000
                else {
                    return "by the events \(name) was not on all through the exposure"
                }
                if !isLong(pulse, exposure, line: Int32(line)) {
                    return "by the events \(name) was not on for as long as for this exposure"
                }
            } else if let pulse = pulse(of: Int32(line), before: end - half - readout),
                pulse.plannedOff ?? .max > start + half + readout
            {
                return "by the events \(name) was on during the exposure"
            }
        }
        return nil
    }

    /// Whether lights may have been switched off before their time: at the end of the run, or where a group was taken
    /// again.
    private func mayBeCut(_ pulse: Pulse, line: Int32) -> Bool {
        isRepeated || pulse.on == pulses[line]?.last?.on
    }

    /// Whether a pulse is as long as one for an exposure.
    private func isLong(_ pulse: Pulse, _ exposure: Int64, line: Int32) -> Bool {
        guard isCertain, let beyond, let length = pulse.length?.nanoseconds else { return true }
        return abs(length - exposure - beyond) <= 8
            || mayBeCut(pulse, line: line) && length < exposure + beyond
    }

    /// The last pulse of a line that began before a time.
    private func pulse(of line: Int32, before time: Int64) -> Pulse? {
        guard let pulses = pulses[line] else { return nil }
        let next = pulses.partitioningIndex { $0.on >= time }
        return next > 0 ? pulses[next - 1] : nil
    }
}

extension RunEvent {
    /// Whether the capture thread logs it with the time of its turn: such events are in the log in the order of time.
    fileprivate var isOfMachine: Bool {
        switch self {
        case .streamStarted, .streamStopped, .edge, .edgesLost, .edgeAccepted, .edgeClassified,
            .frameClassified, .edgesUncounted, .outputSet, .outputSensed, .outputUnsensed,
            .outputFailed, .framesMissing, .sequenceJumped, .sequenceTimestampMismatch,
            .gapUnverifiable, .timestampInvalid, .quirkSeen, .rateDiffers, .periodMismatch,
            .earlierTimestampsLate, .metadataMismatch, .frameDamaged, .groupRepeated,
            .groupPartial, .slotRetaken, .roundLate, .triggerTimeout, .interrupted,
            .streamFailed:
            true
        default: false
        }
    }
}
