internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase

/// What rows and events point at by index: the plan's steps, lines and settings.
///
/// Also what reading a record needs of the plan at every line, looked up once.
struct RunNames {
    /// Paths in the recipe, for example `sequence[2]`.
    let steps: [String]
    /// Of steps that share a path the first one counts.
    let stepIndices: [String: Int32]
    let lines: [String]
    let lineIndices: [String: Int32]
    /// The plan's clocks, as records name them.
    let clocks: [String]
    /// What is asked for, by index of settings.
    let requested: [FrameSettings]
    /// The same as the ledger writes it.
    let requestedTexts: [RequestedTexts]
    /// What the device can have, by index of settings.
    let quantised: [FrameSettings]
    let program: [Instruction]
    /// Groups that the camera has a control for, whether the plan sets it or not.
    let controllable: ControlGroups
    /// Whether the camera has no profile: then neither latencies nor gains are known.
    let isCameraUnknown: Bool
    /// Whether the sensor reports for each frame beside its pixels how it was exposed.
    let sendsMetadata: Bool
    /// For each line, whether an input senses what it does.
    let isSensed: [Bool]
    /// The line that exposes the camera; nil for a free-running one.
    let triggerLine: Int32?
    /// The kind of still of each step that has one.
    let stills: [Int32: StillFormat]
    /// The label of each step whose frames have one.
    let labels: [Int32: String]

    init(_ plan: Plan) {
        steps = plan.steps
        stepIndices = Self.indices(steps)
        lines = plan.lines.map(\.name)
        lineIndices = Self.indices(lines)
        clocks = plan.clocks.map(\.recordedName)
        requested = plan.settings.map(\.requested)
        requestedTexts = requested.map(RequestedTexts.init)
        quantised = plan.settings.map(\.quantised)
        program = plan.program
        controllable = ControlGroups(
            ControlGroup.all.filter { !plan.camera.profile.controls(of: $0).isEmpty }
                .map { ControlGroups($0) })
        isCameraUnknown = plan.camera.profile.isUnknown
        sendsMetadata = plan.camera.profile.embeddedData != nil
        triggerLine = plan.camera.trigger?.line
        isSensed = plan.lines.map { $0.sensedBy != nil }
        stills = Dictionary(
            plan.stills.map { ($0.step, $0.format) }, uniquingKeysWith: { first, _ in first })
        labels = Dictionary(
            plan.labels.map { ($0.step, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// The place of each name; the first where one comes twice.
    private static func indices(_ names: [String]) -> [String: Int32] {
        Dictionary(
            names.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The lines of lights by name, joined by `+`; empty for none.
    func lights(_ lights: UInt32) -> String {
        guard lights != 0 else { return "" }
        let names = lines.enumerated().filter { lights & 1 << UInt32($0.offset) != 0 }
        return names.map(\.element).joined(separator: "+")
    }

    /// The inverse of ``lights(_:)``; nil where a name is no line's.
    func lights(named text: String) -> UInt32? {
        var lights: UInt32 = 0
        for name in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let line = lineIndices[String(name)] else { return nil }
            lights |= 1 << UInt32(line)
        }
        return lights
    }

    /// The name of a clock in records.
    ///
    /// - Precondition: a planned clock is one of the plan's.
    func name(_ clock: ClockSource) -> String {
        guard case .planned(let index) = clock else { return clock.fixedName ?? "" }
        return clocks[Int(index)]
    }

    /// The clock of a name in records; nil if the run reads none of that name.
    ///
    /// The inverse of ``name(_:)``.
    func clock(_ name: String) -> ClockSource? {
        let fixed = (ClockSource.host + [.camera]).first { $0.fixedName == name }
        return fixed ?? clocks.firstIndex(of: name).map { .planned(Int32($0)) }
    }

    /// Whether the slots are consecutive frames of the camera: one setting, no lights, and nothing that waits.
    ///
    /// Then the rate is the time axis of the container, and a fit may use the rhythm of frames.
    var isUninterrupted: Bool {
        if triggerLine != nil { return false }
        var settings: Int32?
        for instruction in program {
            switch instruction {
            case .capture(_, let own, let lights, _):
                guard lights == 0, own == settings ?? own else { return false }
                settings = own
            case .loop(_, let every, _, _): guard every == .zero else { return false }
            case .endLoop, .restore: break
            // A group may be taken again.
            case .group, .wait, .waitForEdge, .pulse: return false
            }
        }
        return true
    }

    /// Whether the program has a loop that never ends.
    var isEndless: Bool {
        program.contains { instruction in
            if case .loop(let count, _, _, _) = instruction { count < 0 } else { false }
        }
    }
}
