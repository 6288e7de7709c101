internal import Devices
internal import Notation
internal import Timebase

// For a plan that was read from a file: whether it is the recipe's.
extension PlanCompiler {
    /// So many values are tried for what was metered before the run: they stand in the plan alone.
    private static let mostMetered = 8
    /// No lens has steps as long as this, in millionths of its way.
    private static let longestLensStep: UInt64 = 100_000

    /// The members of a plan that do not follow from a recipe; empty where it can have been compiled from it.
    ///
    /// What a rig, the camera and its profile gave is taken from the plan itself, since nothing else has it; everything
    /// else is compiled once more. Settings are not compared where they follow from facts that plans don't have: of
    /// steps with frame rates of their own (raw sensors), and where white balance comes from a profile's colour curve.
    ///
    /// - Parameters:
    ///   - plan: as it was read, so that its indices are sound.
    ///   - recipe: with the values of its parameters.
    public static func differences(of plan: Plan, from recipe: Recipe) -> [String] {
        guard plan.camera.profile.isReckonable,
            plan.settings.allSatisfy({ $0.requested.whiteBalance.asked?.isReckonable ?? true })
        else { return ["camera.profile"] }
        guard recipe.metering != nil else { return compared(plan, with: recipe) }
        var found: [String] = []
        for values in metered(in: plan) {
            found = compared(plan, with: recipe.locking(values))
            if found.isEmpty { break }
        }
        return found
    }

    /// What metering can have found: the settings that the lock goes back to, and the first ones of the plan.
    private static func metered(in plan: Plan) -> [MeteredValues] {
        var places = Array(plan.settings.indices.prefix(mostMetered))
        if case .restore(let settings, _)? = plan.program.last {
            places.insert(Int(settings), at: 0)
        }
        return places.map { place in
            let settings = plan.settings[place].requested
            return MeteredValues(
                duration: settings.exposure.asked, gain: settings.gain.asked,
                lens: settings.lens.asked, balance: settings.whiteBalance.asked)
        }
    }

    /// The differences, once everything of the recipe has its value.
    private static func compared(_ plan: Plan, with recipe: Recipe) -> [String] {
        var profile = plan.camera.profile
        // As the sensor's mode has it; a plan has it with its timing.
        profile.exposure?.codesPerCount = profile.timing?.linesPerCount ?? 1
        var compiler = PlanCompiler(recipe: recipe, profile: profile)
        compiler.configuration = plan.camera.configuration
        let rig = Rig(plan)
        compiler.resolveLines(rig: rig, isSimulated: false)
        let clocks = compiler.resolvedClocks(rig: rig, isSimulated: false)
        var lock = LoweringContext(recipe.lock)
        lock.keepWhatChanges(in: recipe.steps)
        compiler.lower(recipe.steps, lock)
        compiler.restoreLock(lock)
        return compiler.differences(from: plan, clocks)
    }

    /// The members of a plan that are not what was compiled.
    ///
    /// Other problems than those of lines are not looked at: what a recipe can't have makes another plan, too.
    private func differences(from plan: Plan, _ clocks: [ClockRequest]) -> [String] {
        let stills = stills.sorted { $0.key < $1.key }
            .map { PlannedStill(step: $0.key, format: $0.value) }
        let members: [(name: String, isSame: Bool)] = [
            ("name", recipe.name.value == plan.name),
            ("camera.configuration", isAsked(plan.camera.configuration)),
            ("camera.trigger", isAsked(plan.camera.trigger, of: plan)),
            ("lines", lines.map(\.request) == plan.lines && !hasOtherLines),
            ("clocks", clocks == plan.clocks),
            ("steps", steps == plan.steps), ("stills", stills == plan.stills),
            ("labels", plannedLabels == plan.labels),
            ("output", recipe.output == plan.output),
            ("require", recipe.require.limits == plan.require),
            ("on_lost", recipe.onLost == plan.onLost),
            ("metadata", recipe.metadata == plan.metadata),
        ]
        let differing = members.filter { !$0.isSame }.map(\.name)
        if stepRates.range != nil || needsCurve(plan) { return differing }
        return differing + (skipped == plan.skipped ? [] : ["skipped"])
            + (program == plan.program ? [] : ["program"]) + differingSettings(from: plan)
    }

    /// Whether a line of the plan is not what the recipe says or does with it, which would have been refused.
    private var hasOtherLines: Bool {
        problems.contains {
            ["line-differs-from-rig", "line-direction", "unknown-line"].contains($0.id)
        }
    }

    /// Whether the recipe asks for what a camera was configured to; a preset's choice is the profile's.
    private func isAsked(_ configuration: CaptureConfiguration) -> Bool {
        let need = recipe.camera
        func isAsked<Value: Equatable>(_ asked: Value?, _ found: Value?) -> Bool {
            asked == nil || asked == found
        }
        return isAsked(need.format.pixelFormat?.value, configuration.pixelFormat)
            && isAsked(need.format.size?.value, configuration.size)
            && isAsked(need.format.rate?.value, configuration.rate)
            && (need.format.preset != nil || need.format.rate?.value == configuration.rate)
            && need.region?.value == configuration.region
            && isAsked(need.input?.value, configuration.input)
    }

    /// Whether the recipe has the camera exposed by a line, and by this one.
    private func isAsked(_ trigger: PlannedTrigger?, of plan: Plan) -> Bool {
        trigger.map { plan.lines[Int($0.line)].name } == recipe.camera.trigger?.line.value
    }

    /// Whether white balances of a plan are not the profile's alone, as far as plans have it.
    private func needsCurve(_ plan: Plan) -> Bool {
        Set(plan.settings.map(\.requested.whiteBalance)).contains { asked in
            !profile.quantise(FrameSettings(whiteBalance: asked)).problems.isEmpty
        }
    }

    /// The first settings that are not what was compiled.
    private func differingSettings(from plan: Plan) -> [String] {
        guard settings.count == plan.settings.count else { return ["settings"] }
        let place = plan.settings.indices.first { index in
            expected(settings[index], like: plan.settings[index]) != plan.settings[index]
        }
        return place.map { ["settings[\($0)]"] } ?? []
    }

    /// Settings with what only the camera itself knows taken from those of the plan.
    ///
    /// A raw sensor's begin with its blanking where the plan has a frame length of its own; a lens may have steps that
    /// its profile does not know.
    private func expected(_ own: PlannedSettings, like planned: PlannedSettings) -> PlannedSettings
    {
        var own = own
        if let blanking = profile.timing?.blanking, planned.codes.first == blanking {
            own.codes.insert(blanking, at: 0)
        }
        guard let focus = profile.focus, let lens = planned.quantised.lens.asked,
            let code = planned.codes.first(where: { $0.control == focus.control }),
            focus.position(ofCode: code.code) == lens,
            let asked = planned.requested.lens.asked,
            (lens.millionths - asked.millionths).magnitude <= Self.longestLensStep / 2,
            let place = own.codes.firstIndex(where: { $0.control == focus.control })
        else { return own }
        own.codes[place] = code
        own.quantised.lens = .value(lens)
        own.lensApproach = focus.startOfApproach(to: code.code)
            .map { ControlValue(focus.control, $0) }
        return own
    }
}

extension CameraProfile {
    /// Whether its figures are such that settings can be reckoned with them; files may have any.
    fileprivate var isReckonable: Bool {
        let codes = [
            exposure?.codes, gain?.codes, whiteBalance?.components?.codes,
            whiteBalance?.temperature?.codes,
        ]
        let figures: [Int64?] =
            codes.flatMap { [$0?.minimum, $0?.maximum] } + [
                exposure?.offset.nanoseconds, exposure?.unit.divisor,
                exposure.map { $0.unit.picoseconds / $0.unit.divisor },
                focus?.nearCode, focus?.farCode, focus?.approach?.overTravelCodes,
                gain?.isoAtUnity,
                whiteBalance?.components?.unity, timing?.linesPerCount,
            ]
        let divisors: [Int64?] = [
            gain?.isoAtUnity, whiteBalance?.components?.unity, timing?.linesPerCount,
        ]
        return figures.allSatisfy { $0.map { $0.magnitude < 1 << 40 } ?? true }
            && divisors.allSatisfy { $0.map { $0 > 0 } ?? true }
            && (exposure?.isRising ?? true) && (gain?.isRising ?? true)
    }
}

extension WhiteBalance {
    /// Whether its numbers are such that codes can be found for them.
    fileprivate var isReckonable: Bool {
        let (numbers, limit): ([Int64], UInt64) =
            switch self {
            case .gains(let red, let green, let blue):
                ([red.millionths, green.millionths, blue.millionths], 1 << 40)
            case .temperature(let kelvin, let tint): ([kelvin, tint], 1 << 40)
            case .chromaticity(let x, let y): ([x, y], 1 << 21)
            }
        return numbers.allSatisfy { $0.magnitude < limit }
    }
}

extension ExposureModel {
    fileprivate var isRising: Bool {
        duration(ofCode: codes.minimum) <= duration(ofCode: codes.maximum)
            && table.allSatisfy { $0.duration.nanoseconds.magnitude < 1 << 60 }
    }
}

extension GainModel {
    fileprivate var isRising: Bool {
        switch law {
        case .linear(let unity) where unity <= 0: return false
        case .reciprocal(let base) where base <= 0: return false
        default: break
        }
        guard let low = gain(ofCode: codes.minimum), let high = gain(ofCode: codes.maximum) else {
            return false
        }
        return low.millionths >= 0 && low <= high
    }
}

extension Rig {
    /// The machine that a plan was compiled for, as far as the plan needs it.
    fileprivate init(_ plan: Plan) {
        self.init(
            name: "", source: SourceFile(name: "plan.json", text: ""), cameras: [],
            lines: plan.lines)
        clocks = plan.clocks
    }
}
