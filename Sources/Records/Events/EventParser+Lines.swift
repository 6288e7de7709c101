internal import Lines
internal import Timebase

// Triggers and outputs.
extension EventParser {
    func classEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let line = members.line,
            let outcome = members.text("class").flatMap({ TriggerClass(rawValue: $0) })
        else { return nil }
        let sequence: UInt32? = members.number("sequence")
        guard name == .edgeClassified else {
            return sequence.map {
                .frameClassified(line: line, sequence: $0, outcome: outcome)
            }
        }
        return members.number("number").map {
            .edgeClassified(line: line, lineSequence: $0, outcome: outcome, sequence: sequence)
        }
    }

    func outputEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let line = members.line else { return nil }
        if name == .outputFailed { return .outputFailed(line: line) }
        guard let active = members.flag("active") else { return nil }
        if name == .outputUnsensed { return .outputUnsensed(line: line, active: active) }
        guard let late = members.interval("late_ns") else { return nil }
        if name == .outputSet { return .outputSet(line: line, active: active, late: late) }
        return members.number("raw_timestamp_ns").map {
            .outputSensed(
                line: line, active: active, timestamp: Instant(nanoseconds: $0), late: late)
        }
    }
}
