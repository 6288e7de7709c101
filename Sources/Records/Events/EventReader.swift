internal import Cameras
internal import Lines
internal import Notation
internal import Timebase

/// An event of the log and when it was handled.
struct LoggedEvent: Hashable {
    let event: RunEvent
    let time: Instant<Session>
}

/// Reads `events.jsonl` line by line, strictly: what the log would not write is a fault.
final class EventReader {
    /// What comes next in a log.
    enum Item: Hashable {
        /// An event.
        case event(LoggedEvent, line: Int)
        /// A line that is no event.
        case fault(String, line: Int)
        /// The file ends in the middle of this line.
        case cut(line: Int)
    }

    private let reader: LineReader
    private let parser: EventParser

    init(_ path: String, _ names: RunNames) throws(StorageError) {
        reader = try LineReader(path)
        parser = EventParser(names)
    }

    /// The next event or fault; nil at the end.
    func next() throws(StorageError) -> Item? {
        guard let line = try reader.next() else { return nil }
        guard line.isComplete else { return .cut(line: line.number) }
        do {
            let value = try JSONReader.read(
                line.bytes, name: "events.jsonl", firstLine: line.number)
            guard let logged = parser.parse(value) else {
                return .fault("not an event of this plan", line: line.number)
            }
            return .event(logged, line: line.number)
        } catch {
            let message = error.diagnostics.first?.message ?? "not JSON"
            return .fault(message, line: line.number)
        }
    }
}

/// Turns the object of a line back into its event.
struct EventParser {
    let names: RunNames
    private let lines: [String: Int32]
    private let steps: [String: Int32]

    init(_ names: RunNames) {
        self.names = names
        lines = Dictionary(
            names.lines.enumerated().map { ($1, Int32($0)) },
            uniquingKeysWith: { first, _ in first })
        steps = Dictionary(
            names.steps.enumerated().map { ($1, Int32($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The event of an object; nil if it is none, or has other members than the log would write.
    func parse(_ value: JSONValue) -> LoggedEvent? {
        guard let time = value["at_ns"]?.integerValue,
            let name = value["event"]?.stringValue.flatMap({ EventName(rawValue: $0) }),
            let event = event(name, EventMembers(value: value, lines: lines, steps: steps))
        else { return nil }
        let logged = LoggedEvent(event: event, time: Instant(nanoseconds: time))
        guard isKnown(event), .object(EventLog(names).object(event, at: logged.time)) == value
        else { return nil }
        return logged
    }

    private func isKnown(_ event: RunEvent) -> Bool {
        switch event {
        case .settingsWritten(let settings, _, _), .readBack(let settings, _, _, _),
            .readBackFailed(let settings, _), .lensApproach(let settings, _, _, _):
            names.requested.indices.contains(Int(settings))
        default: true
        }
    }

    private func event(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .streamStarted: .streamStarted
        case .streamStopped: .streamStopped
        case .interrupted: .interrupted
        case .edge, .edgesLost, .edgeAccepted, .outputSet, .outputFailed, .triggerTimeout:
            lineEvent(name, members)
        case .settingsWritten, .readBack, .readBackFailed, .lensApproach:
            settingsEvent(name, members)
        case .controlChanged: controlChange(members)
        case .framesMissing, .sequenceJumped, .frameDamaged, .framesSkipped:
            frameEvent(name, members)
        case .witnessesDisagree, .framesUnwitnessed, .stampsDoubted, .quirkSeen, .rateDiffers,
            .bufferRefused:
            WitnessEvents.event(name, members)
        case .groupRepeated, .groupPartial: groupEvent(name, members)
        case .periodOverrun, .streamFailed, .storageFailed, .stillMissed, .temperature:
            otherEvent(name, members)
        case .clockSample, .clockDiscipline, .stampClock, .cameraClockStepped:
            clockEvent(name, members)
        }
    }

    private func lineEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let line = members.line else { return nil }
        switch name {
        case .edge:
            guard let number: UInt32 = members.number("number"),
                let edge = members.text("edge"),
                let time: Int64 = members.number("raw_timestamp_ns")
            else { return nil }
            return .edge(
                LineEdge(
                    line: line, isRising: edge == "rising",
                    timestamp: Instant(nanoseconds: time), lineSequence: number))
        case .edgesLost:
            guard let count: UInt32 = members.number("count"), count > 0,
                let before: UInt32 = members.number("before_number")
            else { return nil }
            return .edgesLost(line: line, count: count, before: before)
        case .edgeAccepted:
            guard let number: UInt32 = members.number("number"), let step = members.step
            else { return nil }
            return .edgeAccepted(line: line, lineSequence: number, step: step)
        case .outputSet:
            guard let active = members.flag("active"), let late = members.interval("late_ns")
            else { return nil }
            return .outputSet(line: line, active: active, late: late)
        case .outputFailed: return .outputFailed(line: line)
        case .triggerTimeout: return members.step.map { .triggerTimeout(line: line, step: $0) }
        default: return nil
        }
    }

    private func settingsEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let settings: Int32 = members.number("settings") else { return nil }
        if name == .settingsWritten {
            guard let begun: Int64 = members.number("begun_ns"),
                let errno: Int32 = members.number("errno")
            else { return nil }
            return .settingsWritten(
                settings: settings, begun: Instant(nanoseconds: begun), errno: errno)
        }
        guard let control = members.text("control").flatMap({ CameraControl(name: $0) })
        else { return nil }
        if name == .readBackFailed { return .readBackFailed(settings: settings, control: control) }
        guard let asked: Int64 = members.number("asked"), let found: Int64 = members.number("found")
        else { return nil }
        return name == .readBack
            ? .readBack(settings: settings, control: control, asked: asked, found: found)
            : .lensApproach(settings: settings, control: control, asked: asked, found: found)
    }

    private func controlChange(_ members: EventMembers) -> RunEvent? {
        guard let control = members.text("control").flatMap({ CameraControl(name: $0) }),
            let found: Int64 = members.number("found"),
            let time: Int64 = members.number("raw_timestamp_ns")
        else { return nil }
        let change = ControlChange(control, found, at: Instant(nanoseconds: time))
        return .controlChanged(change, sequence: members.number("sequence"))
    }

    private func frameEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .framesMissing:
            guard let count = members.frameCount,
                let before: UInt32 = members.number("before_sequence"),
                let reason = members.text("reason").flatMap({ HoleReason(rawValue: $0) })
            else { return nil }
            return .framesMissing(count: count, before: before, reason: reason)
        case .sequenceJumped:
            guard let from: UInt32 = members.number("from_sequence"),
                let to: UInt32 = members.number("to_sequence")
            else { return nil }
            return .sequenceJumped(from: from, to: to)
        case .frameDamaged:
            return members.number("sequence").map { .frameDamaged(sequence: $0) }
        case .framesSkipped:
            guard let count = members.frameCount,
                let from: UInt32 = members.number("from_sequence"),
                let why = members.text("why").flatMap({ SkipReason(rawValue: $0) })
            else { return nil }
            return .framesSkipped(count: count, from: from, why: why)
        default: return nil
        }
    }

    private func groupEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let step = members.step, let slot: Int64 = members.number("slot") else { return nil }
        if name == .groupRepeated {
            return members.number("attempt").map {
                .groupRepeated(step: step, slot: slot, attempt: $0)
            }
        }
        guard let frames: Int64 = members.number("frames"),
            let slots: Int64 = members.number("slots")
        else { return nil }
        return .groupPartial(step: step, slot: slot, frames: frames, slots: slots)
    }

    private func otherEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .periodOverrun:
            guard let step = members.step, let round: Int64 = members.number("round"),
                let late = members.interval("late_ns")
            else { return nil }
            return .periodOverrun(step: step, round: round, late: late)
        case .temperature:
            return .temperature(
                members.number("millidegrees_c").map { Temperature(millidegrees: $0) })
        case .streamFailed: return members.number("errno").map { .streamFailed(errno: $0) }
        case .storageFailed, .stillMissed:
            guard let slot: Int64 = members.number("slot"),
                let errno: Int32 = members.number("errno")
            else { return nil }
            return name == .stillMissed
                ? .stillMissed(slot: slot, errno: errno)
                : .storageFailed(slot: slot, errno: errno)
        default: return nil
        }
    }
}
