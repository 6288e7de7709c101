internal import Cameras
internal import Lines
internal import Notation
internal import Timebase

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
            .readBackFailed(let settings, _), .lensApproach(let settings, _, _, _),
            .settingContradicted(let settings, _, _, _, _, _):
            names.requested.indices.contains(Int(settings))
        default: true
        }
    }

    private func event(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .streamStarted: .streamStarted
        case .streamStopped: .streamStopped
        case .interrupted: .interrupted
        case .edge, .edgesLost, .edgeAccepted, .edgesUncounted, .triggerTimeout:
            lineEvent(name, members)
        case .edgeClassified, .frameClassified: classEvent(name, members)
        case .outputSet, .outputFailed, .outputSensed, .outputUnsensed: outputEvent(name, members)
        case .settingsWritten, .readBack, .readBackFailed, .lensApproach:
            settingsEvent(name, members)
        case .controlChanged: controlChange(members)
        case .settingContradicted: EvidenceEvents.event(members)
        case .framesMissing, .sequenceJumped, .frameDamaged, .framesSkipped:
            frameEvent(name, members)
        case .witnessesDisagree, .framesUnwitnessed, .stampsDoubted, .quirkSeen, .rateDiffers,
            .periodMismatch, .timesRefuted, .metadataForeign, .bufferRefused:
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
        case .edgesUncounted: return .edgesUncounted(line: line)
        case .triggerTimeout: return members.step.map { .triggerTimeout(line: line, step: $0) }
        default: return nil
        }
    }
}
