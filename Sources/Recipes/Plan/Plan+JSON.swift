internal import Devices
internal import Imaging
public import Notation
internal import Timebase

extension Plan {
    /// The plan as JSON: whole numbers only, so that its canonical text (and the hash of that) is the same everywhere.
    public var json: JSONValue {
        var object: JSONObject = [
            "framelock_plan": 1,
            "name": .string(name),
            "camera": camera.json,
            "settings": .array(settings.map(\.json)),
            "lines": .array(lines.map(\.json)),
            "steps": .array(steps.map { .string($0) }),
            "program": .array(program.map(\.json)),
            "output": [
                "format": .string(output.format.rawValue),
                "when_full": .string(output.whenFull.rawValue),
                "buffers": .integer(Int64(output.bufferCount)),
            ],
            "require": require.json,
            "skipped": .array(skipped.map(\.json)),
        ]
        // Left out where there are none, so that such plans keep the hash that they always had.
        if !clocks.isEmpty { object["clocks"] = .array(clocks.map(\.json)) }
        if !stills.isEmpty { object["stills"] = .array(stills.map(\.json)) }
        return .object(object)
    }
}

extension PlannedStill {
    var json: JSONValue {
        ["step": .integer(Int64(step)), "format": .string(format.rawValue)]
    }

    /// Reads what ``json`` writes; nil for anything else.
    init?(json: JSONValue) {
        guard let step = json["step"]?.integerValue.flatMap({ Int32(exactly: $0) }),
            let format = json["format"]?.stringValue.flatMap({ StillFormat(rawValue: $0) })
        else { return nil }
        self.init(step: step, format: format)
    }
}

extension Requirements {
    /// The limits as JSON; null for what is not judged.
    public var json: JSONValue {
        var object: JSONObject = [
            "dropped": dropped.map { .integer($0) } ?? .null,
            "lock_violations": lockViolations.map { .integer($0) } ?? .null,
            "unmatched_triggers": unmatchedTriggers.map { .integer($0) } ?? .null,
            "clock_uncertainty_ns": clockUncertainty.map { .integer($0.nanoseconds) } ?? .null,
        ]
        // Left out where a recipe says nothing, so that such plans keep the hash that they always had.
        object["late_pulses"] = latePulses.map { .integer($0) }
        if pulseTolerance != Self.usualPulseTolerance {
            object["pulse_tolerance_ns"] = .integer(pulseTolerance.nanoseconds)
        }
        object["temperature_millidegrees_c"] = temperature.map { .integer($0.millidegrees) }
        return .object(object)
    }
}

extension PlannedSettings {
    var json: JSONValue {
        var object: JSONObject = [
            "requested": requested.json,
            "quantised": quantised.json,
            "codes": .array(codes.map(\.json)),
            "latency_frames": .integer(Int64(latencyFrames)),
            "settle_ns": .integer(settle.nanoseconds),
            "lens_approach": lensApproach?.json ?? .null,
        ]
        // Left out where it is the plan's, so that such plans keep the hash that they always had.
        object["timing"] = timing?.json
        return .object(object)
    }
}

extension ControlValue {
    var json: JSONValue { ["control": .string(control.name), "code": .integer(code)] }
}

extension ClockRequest {
    var json: JSONValue {
        switch place {
        case .device(let path): ["name": .string(name), "device": .string(path)]
        case .interface(let interface): ["name": .string(name), "interface": .string(interface)]
        }
    }
}

extension LineRequest {
    var json: JSONValue {
        let place: JSONValue =
            switch position {
            case .name(let name): .string(name)
            case .offset(let offset): .integer(Int64(offset))
            }
        var object: JSONObject = [
            "name": .string(name),
            "chip": .string(chip),
            "line": place,
            "direction": .string(direction.rawValue),
            "edge": .string(edge.rawValue),
            "bias": .string(bias.rawValue),
            "active_low": .bool(isActiveLow),
            "debounce_ns": .integer(debounce.nanoseconds),
        ]
        if delay != Self.usualDelay {
            object["max_delay_ns"] = .integer(delay.nanoseconds)
        }
        if let sensedBy { object["sensed_by"] = .string(sensedBy) }
        return .object(object)
    }
}
