internal import Devices
internal import Imaging
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// Frames of a group are kept in memory until it is whole; together they may have this many bytes: one gibibyte.
    ///
    /// It is checked again, with the pool's buffers and the machine at hand, when the run is prepared.
    static let maximumGroupBytes = 1 << 30

    /// Turns a bracket into its captures, and puts the settings of before back after it.
    ///
    /// An atomic one begins with a `group` that counts its slots. Each shot is one capture with settings of its own, so
    /// a bracket of n shots makes n instructions, and a `restore` where any of them is a setting.
    mutating func lower(_ bracket: Bracket, _ step: Step, _ context: LoweringContext) {
        if let retries = bracket.retries {
            checkMemory(bracket, step)
            program.append(
                .group(slots: bracket.count, retries: retries, step: index(of: step)))
        }
        switch bracket.shots {
        case .burst(let count): capture(count.value, step, context)
        case .changes(let shots):
            for shot in shots {
                guard let changed = change(context, by: shot) else { continue }
                capture(1, step, changed)
            }
            guard shots.joined().contains(where: { $0.value.isSetting }) else { return }
            program.append(.restore(settings: intern(context), step: index(of: step)))
            lastBracket = index(of: step)
        }
    }

    /// Ends the plan with the settings of the recipe's lock, if a bracket changed any.
    ///
    /// The camera is left with them when the run is over. Called once, after all steps.
    mutating func restoreLock(_ lock: LoweringContext) {
        guard let lastBracket else { return }
        let last = Instruction.restore(settings: intern(lock), step: lastBracket)
        if program.last != last { program.append(last) }
    }

    /// The context of one shot: its changes, with biases turned into durations and lights into lines.
    ///
    /// - Returns: nil, and reports why, where a bias has nothing to start from: `current` is not known before the run.
    private mutating func change(
        _ context: LoweringContext, by shot: [Located<SweepValue>]
    ) -> LoweringContext? {
        var changed = context.changed(by: shot)
        for change in shot {
            switch change.value {
            case .bias(let shift):
                guard let base = context.settings.exposure?.value.asked else {
                    report(
                        "bias-without-exposure", at: change.range,
                        "a bias starts from an exposure duration that is known before the run",
                        hint: "lock one (`lock: {exposure: {duration: 8 ms}}`), or give durations"
                            + " with `exposure`")
                    return nil
                }
                changed.settings.exposure = Located(
                    .value(shift.applied(to: base)), at: change.range)
            case .light(let name):
                changed.lights = 0
                changed.lightsRange = change.range
                guard let name else { continue }
                let line = Located(name, at: change.range)
                if let line = lineIndex(line, as: .output, for: "light") {
                    changed.lights = 1 << UInt32(line)
                }
            // Everything else has its value already.
            default: break
            }
        }
        return changed
    }

    /// Refuses an atomic bracket whose frames together would pass ``maximumGroupBytes``.
    private mutating func checkMemory(_ bracket: Bracket, _ step: Step) {
        guard let configuration,
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else { return }
        let most = Int64(Self.maximumGroupBytes / layout.recordedByteCount)
        guard bracket.count > most else { return }
        report(
            "bracket-too-large", at: SourceRange(at: step.range.start, columns: 1),
            "an atomic bracket of \(bracket.count) frames is kept in memory until it is whole: of"
                + " \(layout.recordedByteCount) bytes each (\(configuration.pixelFormat.name)"
                + " \(configuration.size)) at most \(most) are",
            hint: "use fewer shots, or a smaller format, or leave `atomic` out")
    }
}

extension SweepValue {
    /// Whether it changes what the camera has, and not only the light: after lights alone nothing has to be restored.
    fileprivate var isSetting: Bool {
        if case .light = self { false } else { true }
    }
}
