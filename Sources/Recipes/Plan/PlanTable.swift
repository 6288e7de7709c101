internal import Devices
internal import Imaging
public import Notation
internal import Timebase

extension Plan {
    /// The plan as JSON: whole numbers only, so that its canonical text (and the hash of that) is the same everywhere.
    ///
    /// Members that were added since the first version are left out where they have their usual value: a plan that does
    /// not use them keeps its hash.
    public var json: JSONValue { JSONForm<Plan>.plan.write(self) }

    /// Reads what ``json`` writes.
    ///
    /// Of the camera's profile that is what the plan rests on: its ``json`` is the same again.
    ///
    /// - Throws: where the first member is that is none of a plan's, or points nowhere.
    public init(json: JSONValue) throws(JSONFault) {
        self = try JSONForm<Plan>.plan.read(json)
        let profile = camera.profile
        camera.configuration = camera.configuration.fitted(to: profile).withEmbeddedData(
            of: profile)
    }
}

extension Plan {
    /// The canonical text of ``json`` piece by piece: a plan may have a million settings, and as a value in memory they
    /// are many times as long as their text.
    ///
    /// - Parameter take: gets the bytes in order, some kilobytes at a time.
    public func write<Failure>(
        _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = self
        (rest.settings, rest.program) = ([], [])
        guard let members = rest.json.objectValue?.members else { return }
        var text: [UInt8] = []
        for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            text.append(UInt8(ascii: text.isEmpty ? "{" : ","))
            text += JSONValue.string(member.name).utf8(.canonical) + [UInt8(ascii: ":")]
            switch member.name {
            case "settings": try Self.write(settings, .planned, &text, take)
            case "program": try Self.write(program, .instruction, &text, take)
            default: text += member.value.utf8(.canonical)
            }
        }
        try take(text + [UInt8(ascii: "}")])
    }

    /// A list, of which no more than a few elements are in memory at once.
    private static func write<Element, Failure>(
        _ elements: [Element], _ form: JSONForm<Element>, _ text: inout [UInt8],
        _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        text.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += form.write(element).utf8(.canonical)
            guard text.count >= 1 << 16 else { continue }
            try take(text)
            text.removeAll(keepingCapacity: true)
        }
        text.append(UInt8(ascii: "]"))
    }
}

extension JSONForm where Value == Plan {
    /// Every member of `plan.json`, in the order in which it is hashed.
    fileprivate static let plan = object(
        Plan(
            name: "", camera: .blank, settings: [], lines: [], steps: [], program: [],
            output: OutputOptions(), require: Requirements()),
        [
            .constant("framelock_plan", 1),
            .member("name", \.name, .text), .member("camera", \.camera, .camera),
            .member("settings", \.settings, .list(.planned)),
            .member("lines", \.lines, .list(.line)), .member("steps", \.steps, .list(.text)),
            .member("program", \.program, .list(.instruction)),
            .member("output", \.output, .output), .member("require", \.require, .require),
            .member("skipped", \.skipped, .list(.skipped)),
            // Left out where there are none, so that such plans keep the hash that they always had.
            .member("clocks", \.clocks, .list(.clock), usually: []),
            .member("stills", \.stills, .list(.still), usually: []),
            .member("labels", \.labels, .list(.label), usually: []),
            .member("on_lost", \.onLost, .word, usually: .hole),
            .optional("metadata", \.metadata, .metadata),
        ],
        check: { plan throws(JSONFault) in try plan.checkIndices() })
}

extension PlannedCamera {
    /// What the members of a plan's camera are read into; no run has it.
    fileprivate static let blank = PlannedCamera(
        id: "", profile: .unknown,
        configuration: CaptureConfiguration(pixelFormat: PixelFormat.known[0], size: .pixel))
}

extension JSONForm where Value == PlannedCamera {
    /// The camera, with the facts of its profile; the frame timing stands beside the profile, since it is that of the
    /// mode the plan chose.
    fileprivate static let camera = object(
        PlannedCamera.blank,
        [
            .member("id", \.id, .text), .member("profile", \.profile, .planned),
            .member("configuration", \.configuration, .configuration),
            .nullable("timing", \.profile.timing, .timing),
            // Left out of free-running plans, so that they keep the hash that they always had.
            .optional("trigger", \.trigger, .trigger),
        ])
}

extension JSONForm where Value == CaptureConfiguration {
    /// The format that the camera is asked for; null where the recipe leaves the rate, region or input to it.
    fileprivate static let configuration = object(
        PlannedCamera.blank.configuration,
        [
            .member("pixels", \.pixelFormat, .pixels), .size(\.size),
            .nullable("rate", \.rate, .rate), .nullable("region", \.region, .region),
            .nullable("input", \.input, .text),
        ])
}

extension JSONForm where Value == PlannedTrigger {
    /// The line that exposes the camera with its ``TriggerWindow``; only in plans of triggered cameras.
    fileprivate static let trigger = object(
        PlannedTrigger(
            line: 0,
            window: TriggerWindow(
                earliest: .zero, latest: .zero, edgeDelay: .zero, shortestPeriod: .zero,
                longestPeriod: .zero)),
        [
            .member("line", \.line, .number),
            .member("earliest_ns", \.window.earliest, .nanoseconds),
            .member("latest_ns", \.window.latest, .nanoseconds),
            .member("edge_max_delay_ns", \.window.edgeDelay, .nanoseconds),
            .member("shortest_period_ns", \.window.shortestPeriod, .nanoseconds),
            .member("longest_period_ns", \.window.longestPeriod, .nanoseconds),
            .nullable("exposure_ns", \.exposure, .nanoseconds), .nullable("mode", \.mode, .code),
        ])
}

extension JSONForm where Value == PlannedSettings {
    /// A set of settings: what was asked for, what the device makes of it, and the codes in the order of writing.
    fileprivate static let planned = object(
        PlannedSettings(
            requested: FrameSettings(), quantised: FrameSettings(), codes: [], latencyFrames: 0,
            settle: .zero),
        [
            .member("requested", \.requested, .settings),
            .member("quantised", \.quantised, .settings), .member("codes", \.codes, .list(.code)),
            .member("latency_frames", \.latencyFrames, .number),
            .member("settle_ns", \.settle, .nanoseconds),
            .nullable("lens_approach", \.lensApproach, .code),
            // Left out where it is the plan's, so that such plans keep the hash that they always had.
            .optional("timing", \.timing, .timing),
        ],
        check: { settings throws(JSONFault) in
            // Far beyond any camera, and still room to count with.
            guard (0...1_000_000).contains(settings.latencyFrames) else {
                throw JSONFault("is not 0 to 1000000").inside("latency_frames")
            }
            guard (.zero ... .seconds(366 * 86_400)).contains(settings.settle) else {
                throw JSONFault("is not 0 to 366 days").inside("settle_ns")
            }
        })
}

extension JSONForm where Value == LineRequest {
    /// A line of the rig as the plan opens it; `max_delay_ns` is how late its edges may be timestamped.
    fileprivate static let line = object(
        LineRequest(name: "", chip: "", position: .offset(0), direction: .input),
        [
            .member("name", \.name, .text), .member("chip", \.chip, .text),
            .member("line", \.position, .position), .member("direction", \.direction, .word),
            .member("edge", \.edge, .word), .member("bias", \.bias, .word),
            .member("active_low", \.isActiveLow, .flag),
            .member("debounce_ns", \.debounce, .nanoseconds),
            .member(
                "max_delay_ns", \.delay, .nanoseconds,
                usually: LineRequest.usualDelay(debounce: .zero)),
            .optional("sensed_by", \.sensedBy, .text),
        ])
}

extension JSONForm where Value == LineRequest.Position {
    /// A name, or a number.
    fileprivate static let position = plain(
        "the name or number of a line",
        { position in
            switch position {
            case .name(let name): .string(name)
            case .offset(let offset): .integer(Int64(offset))
            }
        },
        { json in
            json.stringValue.map { .name($0) }
                ?? json.integerValue.flatMap { Int(exactly: $0) }.map { .offset($0) }
        })
}

extension JSONForm where Value == ClockRequest {
    /// A PTP hardware clock, found by its device file or by the network interface that it belongs to.
    fileprivate static let clock = JSONForm(
        oneOf: JSONVariant(
            JSONField("name", JSONForm<String>.text), JSONField("device", JSONForm<String>.text),
            make: { ClockRequest(name: $0, place: .device($1)) },
            parts: { if case .device(let path) = $0.place { ($0.name, path) } else { nil } }),
        JSONVariant(
            JSONField("name", JSONForm<String>.text),
            JSONField("interface", JSONForm<String>.text),
            make: { ClockRequest(name: $0, place: .interface($1)) },
            parts: { if case .interface(let name) = $0.place { ($0.name, name) } else { nil } }))
}

extension JSONForm where Value == OutputOptions {
    /// Container, what a full pool does, and how many frames can wait for the disk.
    fileprivate static let output = object(
        OutputOptions(),
        [
            .member("format", \.format, .word), .member("when_full", \.whenFull, .word),
            .member("buffers", \.bufferCount, .number),
        ])
}

extension JSONForm where Value == Requirements {
    /// Null stands for what is not judged.
    fileprivate static let require = object(
        Requirements(),
        CountLimit.all.map { limit in
            limit.isAlwaysInPlans
                ? .nullable(limit.name, limit.path, .number)
                : .optional(limit.name, limit.path, .number)
        } + [
            .nullable("clock_uncertainty_ns", \.clockUncertainty, .nanoseconds),
            // Left out where a recipe has none, so that such plans keep the hash that they always had.
            .member(
                "pulse_tolerance_ns", \.pulseTolerance, .nanoseconds,
                usually: Requirements.usualPulseTolerance),
            .optional("temperature_millidegrees_c", \.temperature, .millidegrees),
            .optional("proof_of_exposure", \.proof[.exposure], .word),
            .optional("proof_of_gain", \.proof[.gain], .word),
        ])
}

extension JSONForm where Value == PlannedStill {
    /// A step by its index, and the kind of file that its frames become.
    fileprivate static let still = object(
        PlannedStill(step: 0, format: .dng),
        [.member("step", \.step, .number), .member("format", \.format, .word)])
}

extension JSONForm where Value == PlannedLabel {
    /// A step by its index, and what its frames are called; without line ends, which would break the ledger's lines.
    fileprivate static let label = object(
        PlannedLabel(step: 0, text: ""),
        [.member("step", \.step, .number), .member("label", \.text, .text)],
        check: { label throws(JSONFault) in
            guard label.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                throw JSONFault("has a control character").inside("label")
            }
        })
}

extension JSONForm where Value == Instruction {
    private static let count = JSONField("count", JSONForm<Int64>.number)
    private static let settings = JSONField("settings", JSONForm<Int32>.number)
    private static let line = JSONField("line", JSONForm<Int32>.number)
    private static let step = JSONField("step", JSONForm<Int32>.number)
    private static let duration = JSONField("duration_ns", JSONForm<Interval>.nanoseconds)

    /// An instruction, distinguished by `op`; indices are those of the plan's own tables.
    fileprivate static let instruction = JSONForm(
        oneOf: JSONVariant(
            tag: ("op", "capture"), count, settings,
            JSONField("lights", JSONForm<UInt32>.number), step, make: Instruction.capture,
            parts: {
                if case .capture(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
            }),
        JSONVariant(
            tag: ("op", "pulse"), line, duration, step, make: Instruction.pulse,
            parts: { if case .pulse(let a, let b, let c) = $0 { (a, b, c) } else { nil } }),
        JSONVariant(
            tag: ("op", "wait"), duration, step, make: Instruction.wait,
            parts: { if case .wait(let a, let b) = $0 { (a, b) } else { nil } }),
        JSONVariant(
            tag: ("op", "wait_for_edge"), line,
            JSONField("within_ns", JSONForm<Interval>.nanoseconds), step,
            make: Instruction.waitForEdge,
            parts: { if case .waitForEdge(let a, let b, let c) = $0 { (a, b, c) } else { nil } }),
        JSONVariant(
            tag: ("op", "loop"), count, JSONField("every_ns", JSONForm<Interval>.nanoseconds),
            JSONField("end", JSONForm<Int32>.number), step, make: Instruction.loop,
            parts: { if case .loop(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil } }),
        JSONVariant(
            tag: ("op", "end_loop"), JSONField("start", JSONForm<Int32>.number),
            make: { .endLoop(start: $0) },
            parts: { if case .endLoop(let start) = $0 { start } else { nil } }),
        JSONVariant(
            tag: ("op", "group"), JSONField("slots", JSONForm<Int64>.number),
            JSONField("retries", JSONForm<Int32>.number), step, make: Instruction.group,
            parts: { if case .group(let a, let b, let c) = $0 { (a, b, c) } else { nil } }),
        JSONVariant(
            tag: ("op", "restore"), settings, step, make: Instruction.restore,
            parts: { if case .restore(let a, let b) = $0 { (a, b) } else { nil } }))
}
