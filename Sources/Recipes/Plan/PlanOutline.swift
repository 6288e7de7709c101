public import Devices
public import Notation
internal import Timebase

/// What can be read back from a `plan.json`: enough to number its slots and to know what each was to be.
public struct PlanOutline: Hashable, Sendable {
    /// The recipe's name.
    public var name: String
    /// Paths of the steps.
    public var steps: [String]
    /// Names of the lines.
    public var lines: [String]
    /// Names of the clocks.
    public var clocks: [String]
    /// Settings as the recipe asks for them, and as the device was to have them.
    public var settings: [(requested: FrameSettings, quantised: FrameSettings)] {
        zip(requested, quantised).map { ($0, $1) }
    }
    /// The name of the camera's profile.
    public var profileName: String?
    /// Whether the sensor says of each frame beside its pixels how it was exposed.
    public var sendsMetadata: Bool
    /// For each line, whether an input senses what it does.
    public var isSensed: [Bool]
    /// The line that exposes the camera; nil for a free-running one.
    public var triggerLine: Int32?
    /// The program.
    public var program: [Instruction]
    /// The steps whose frames become picture files too.
    public var stills: [PlannedStill]
    private var requested: [FrameSettings]
    private var quantised: [FrameSettings]

    /// Reads the outline of a plan; nil if `json` is not a plan of this version, or its indices point nowhere.
    public init?(json: JSONValue) {
        guard json["framelock_plan"]?.integerValue == 1, let name = json["name"]?.stringValue,
            let steps = json["steps"]?.arrayValue?.allMapped(\.stringValue),
            let lines = json["lines"]?.arrayValue?.allMapped({ $0["name"]?.stringValue }),
            let clocks = (json["clocks"] ?? []).arrayValue?
                .allMapped({ $0["name"]?.stringValue }),
            let settings = json["settings"]?.arrayValue,
            let requested = settings.allMapped({ $0["requested"].flatMap(FrameSettings.init) }),
            let quantised = settings.allMapped({ $0["quantised"].flatMap(FrameSettings.init) }),
            let program = json["program"]?.arrayValue?.allMapped({ Instruction(json: $0) }),
            let stills = (json["stills"] ?? []).arrayValue?
                .allMapped({ PlannedStill(json: $0) })
        else { return nil }
        self.name = name
        self.steps = steps
        self.lines = lines
        self.clocks = clocks
        self.program = program
        self.stills = stills
        profileName = json["camera"]?["profile"]?["name"]?.stringValue
        sendsMetadata = json["camera"]?["profile"]?["embedded_data"] != nil
        isSensed = json["lines"]?.arrayValue?.map { $0["sensed_by"]?.stringValue != nil } ?? []
        triggerLine = json["camera"]?["trigger"]?["line"]?.integerValue
            .flatMap { Int32(exactly: $0) }
        self.requested = requested
        self.quantised = quantised
        guard isSound, triggerLine.map({ lines.indices.contains(Int($0)) }) ?? true
        else { return nil }
    }

    /// Whether every index points at something and loops are nested properly, so that a cursor can walk the program.
    private var isSound: Bool {
        var open: [Int32] = []
        for (index, instruction) in program.enumerated() {
            switch instruction {
            case .capture(let count, let setting, _, let step):
                guard count >= 1, requested.indices.contains(Int(setting)), has(step) else {
                    return false
                }
            case .pulse(let line, _, let step), .waitForEdge(let line, _, let step):
                guard lines.indices.contains(Int(line)), has(step) else { return false }
            case .wait(_, let step):
                guard has(step) else { return false }
            case .loop(let count, _, let end, let step):
                guard count >= -1, has(step), Int(end) > index, program.indices.contains(Int(end)),
                    program[Int(end)] == .endLoop(start: Int32(index)),
                    open.count < PlanCursor.maximumDepth
                else { return false }
                open.append(Int32(index))
            case .endLoop(let start):
                guard open.popLast() == start else { return false }
            case .group(let slots, let retries, let step):
                guard retries >= 1, has(step), captures(after: index, are: slots) else {
                    return false
                }
            case .restore(let setting, let step):
                guard requested.indices.contains(Int(setting)), has(step) else { return false }
            }
        }
        return open.isEmpty && stills.allSatisfy { has($0.step) }
    }

    /// Whether the captures right after an instruction have so many slots.
    private func captures(after index: Int, are slots: Int64) -> Bool {
        var left = slots
        for instruction in program[(index + 1)...] where left > 0 {
            guard case .capture(let count, _, _, _) = instruction, count <= left else {
                return false
            }
            left -= count
        }
        return left == 0 && slots >= 1
    }

    private func has(_ step: Int32) -> Bool { steps.indices.contains(Int(step)) }
}

extension Array {
    /// The images of all elements; nil if one has none.
    fileprivate func allMapped<Image>(_ image: (Element) -> Image?) -> [Image]? {
        var images: [Image] = []
        images.reserveCapacity(count)
        for element in self {
            guard let one = image(element) else { return nil }
            images.append(one)
        }
        return images
    }
}
