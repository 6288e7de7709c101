internal import Notation
internal import Timebase

extension Instruction {
    var json: JSONValue {
        switch self {
        case .capture(let count, let settings, let lights, let step):
            [
                "op": "capture", "count": .integer(count), "settings": .integer(Int64(settings)),
                "lights": .integer(Int64(lights)), "step": .integer(Int64(step)),
            ]
        case .pulse(let line, let duration, let step):
            [
                "op": "pulse", "line": .integer(Int64(line)),
                "duration_ns": .integer(duration.nanoseconds), "step": .integer(Int64(step)),
            ]
        case .wait(let duration, let step):
            [
                "op": "wait", "duration_ns": .integer(duration.nanoseconds),
                "step": .integer(Int64(step)),
            ]
        case .waitForEdge(let line, let within, let step):
            [
                "op": "wait_for_edge", "line": .integer(Int64(line)),
                "within_ns": .integer(within.nanoseconds), "step": .integer(Int64(step)),
            ]
        case .loop(let count, let every, let end, let step):
            [
                "op": "loop", "count": .integer(count), "every_ns": .integer(every.nanoseconds),
                "end": .integer(Int64(end)), "step": .integer(Int64(step)),
            ]
        case .endLoop(let start):
            ["op": "end_loop", "start": .integer(Int64(start))]
        case .group(let slots, let retries, let step):
            [
                "op": "group", "slots": .integer(slots), "retries": .integer(Int64(retries)),
                "step": .integer(Int64(step)),
            ]
        case .restore(let settings, let step):
            [
                "op": "restore", "settings": .integer(Int64(settings)),
                "step": .integer(Int64(step)),
            ]
        }
    }

    /// Reads an instruction from what ``Plan/json`` writes; nil for anything else.
    init?(json: JSONValue) {
        func number(_ name: String) -> Int64? { json[name]?.integerValue }
        func small(_ name: String) -> Int32? { number(name).flatMap { Int32(exactly: $0) } }
        func interval(_ name: String) -> Interval? {
            number(name).map { Interval(nanoseconds: $0) }
        }
        switch json["op"]?.stringValue {
        case "capture":
            guard let count = number("count"), let settings = small("settings"),
                let lights = number("lights").flatMap({ UInt32(exactly: $0) }),
                let step = small("step")
            else { return nil }
            self = .capture(count: count, settings: settings, lights: lights, step: step)
        case "pulse":
            guard let line = small("line"), let duration = interval("duration_ns"),
                let step = small("step")
            else { return nil }
            self = .pulse(line: line, duration: duration, step: step)
        case "wait":
            guard let duration = interval("duration_ns"), let step = small("step") else {
                return nil
            }
            self = .wait(duration, step: step)
        case "wait_for_edge":
            guard let line = small("line"), let within = interval("within_ns"),
                let step = small("step")
            else { return nil }
            self = .waitForEdge(line: line, within: within, step: step)
        case "loop":
            guard let count = number("count"), let every = interval("every_ns"),
                let end = small("end"), let step = small("step")
            else { return nil }
            self = .loop(count: count, every: every, end: end, step: step)
        case "end_loop":
            guard let start = small("start") else { return nil }
            self = .endLoop(start: start)
        case "group":
            guard let slots = number("slots"), let retries = small("retries"),
                let step = small("step")
            else { return nil }
            self = .group(slots: slots, retries: retries, step: step)
        case "restore":
            guard let settings = small("settings"), let step = small("step") else { return nil }
            self = .restore(settings: settings, step: step)
        default: return nil
        }
    }
}
