internal import Cameras
internal import Lines
internal import Notation
internal import Timebase

/// Turns events into lines of `events.jsonl`: one JSON object a line, names instead of indices.
///
/// Every line has `at_ns` (session time at which the event was handled) and `event`. Times within an event are the
/// kernel's own readings of CLOCK_MONOTONIC, as in the ledger's `raw_timestamp_ns`.
struct EventLog {
    let names: RunNames

    init(_ names: RunNames) {
        self.names = names
    }

    /// Adds the line of an event, line end included.
    func write(_ event: RunEvent, at time: Instant<Session>, to text: inout [UInt8]) {
        text.append(contentsOf: JSONValue.object(object(event, at: time)).utf8())
        text.append(UInt8(ascii: "\n"))
    }

    /// The event as an object.
    func object(_ event: RunEvent, at time: Instant<Session>) -> JSONObject {
        var object: JSONObject = [
            "at_ns": .integer(time.nanoseconds), "event": .string(EventName(event).rawValue),
        ]
        for (name, value) in members(event) { object[name] = value }
        return object
    }

    private func members(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .streamStarted, .streamStopped, .interrupted: []
        case .edge, .edgesLost, .edgeAccepted, .edgesUncounted, .triggerTimeout:
            lineMembers(event)
        case .edgeClassified, .frameClassified: classMembers(event)
        case .outputSet, .outputFailed, .outputSensed, .outputUnsensed: outputMembers(event)
        case .settingsWritten, .readBack, .readBackFailed, .lensApproach: settingsMembers(event)
        case .controlChanged(let change, let sequence):
            [
                ("control", .string(change.control.name)), ("found", .integer(change.code)),
                ("raw_timestamp_ns", .integer(change.timestamp.nanoseconds)),
                ("sequence", sequence.map { .integer(Int64($0)) } ?? .null),
            ]
        case .settingContradicted: EvidenceEvents.members(event)
        case .framesMissing, .sequenceJumped, .frameDamaged, .framesSkipped: frameMembers(event)
        case .witnessesDisagree, .framesUnwitnessed, .stampsDoubted, .quirkSeen, .rateDiffers,
            .periodMismatch, .timesRefuted, .metadataForeign, .bufferRefused:
            WitnessEvents.members(event)
        case .periodOverrun(let step, let round, let late):
            [("step", name(step: step)), ("round", .integer(round)), ("late_ns", late.json)]
        case .groupRepeated(let step, let slot, let attempt):
            [
                ("step", name(step: step)), ("slot", .integer(slot)),
                ("attempt", .integer(Int64(attempt))),
            ]
        case .groupPartial(let step, let slot, let frames, let slots):
            [
                ("step", name(step: step)), ("slot", .integer(slot)),
                ("frames", .integer(frames)), ("slots", .integer(slots)),
            ]
        case .streamFailed(let errno): [("errno", .integer(Int64(errno)))]
        case .storageFailed(let slot, let errno), .stillMissed(let slot, let errno):
            [("slot", .integer(slot)), ("errno", .integer(Int64(errno)))]
        case .clockSample, .clockDiscipline, .stampClock, .cameraClockStepped:
            clockMembers(event)
        case .temperature(let temperature):
            [("millidegrees_c", temperature.map { .integer($0.millidegrees) } ?? .null)]
        }
    }

    private func lineMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .edge(let edge):
            [
                ("line", name(line: edge.line)), ("number", .integer(Int64(edge.lineSequence))),
                ("edge", edge.isRising ? "rising" : "falling"),
                ("raw_timestamp_ns", .integer(edge.timestamp.nanoseconds)),
            ]
        case .edgesLost(let line, let count, let before):
            [
                ("line", name(line: line)), ("count", .integer(Int64(count))),
                ("before_number", .integer(Int64(before))),
            ]
        case .edgeAccepted(let line, let number, let step):
            [
                ("line", name(line: line)), ("number", .integer(Int64(number))),
                ("step", name(step: step)),
            ]
        case .edgesUncounted(let line): [("line", name(line: line))]
        case .triggerTimeout(let line, let step):
            [("line", name(line: line)), ("step", name(step: step))]
        default: []
        }
    }

    private func classMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .edgeClassified(let line, let number, let outcome, let sequence):
            [
                ("line", name(line: line)), ("number", .integer(Int64(number))),
                ("class", .string(outcome.rawValue)),
                ("sequence", sequence.map { .integer(Int64($0)) } ?? .null),
            ]
        case .frameClassified(let line, let sequence, let outcome):
            [
                ("line", name(line: line)), ("sequence", .integer(Int64(sequence))),
                ("class", .string(outcome.rawValue)),
            ]
        default: []
        }
    }

    private func outputMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .outputSet(let line, let active, let late):
            [("line", name(line: line)), ("active", .bool(active)), ("late_ns", late.json)]
        case .outputSensed(let line, let active, let time, let late):
            [
                ("line", name(line: line)), ("active", .bool(active)),
                ("raw_timestamp_ns", .integer(time.nanoseconds)), ("late_ns", late.json),
            ]
        case .outputUnsensed(let line, let active):
            [("line", name(line: line)), ("active", .bool(active))]
        case .outputFailed(let line): [("line", name(line: line))]
        default: []
        }
    }

    private func settingsMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .settingsWritten(let settings, let begun, let errno):
            [
                ("settings", .integer(Int64(settings))),
                ("begun_ns", .integer(begun.nanoseconds)), ("errno", .integer(Int64(errno))),
            ]
        case .readBack(let settings, let control, let asked, let found),
            .lensApproach(let settings, let control, let asked, let found):
            [
                ("settings", .integer(Int64(settings))), ("control", .string(control.name)),
                ("asked", .integer(asked)), ("found", .integer(found)),
            ]
        case .readBackFailed(let settings, let control):
            [("settings", .integer(Int64(settings))), ("control", .string(control.name))]
        default: []
        }
    }

    private func frameMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .framesMissing(let count, let before, let reason):
            [
                ("count", .integer(count)), ("before_sequence", .integer(Int64(before))),
                ("reason", .string(reason.rawValue)),
            ]
        case .sequenceJumped(let from, let to):
            [("from_sequence", .integer(Int64(from))), ("to_sequence", .integer(Int64(to)))]
        case .frameDamaged(let sequence): [("sequence", .integer(Int64(sequence)))]
        case .framesSkipped(let count, let from, let why):
            [
                ("count", .integer(count)), ("from_sequence", .integer(Int64(from))),
                ("why", .string(why.rawValue)),
            ]
        default: []
        }
    }

    private func name(line: Int32) -> JSONValue { .string(names.lines[Int(line)]) }
    private func name(step: Int32) -> JSONValue { .string(names.steps[Int(step)]) }
}

extension Interval {
    var json: JSONValue { .integer(nanoseconds) }
}
