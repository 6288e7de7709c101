internal import Devices
internal import Imaging
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// Turns a list of steps into instructions.
    ///
    /// Lights that a step sets hold for the rest of its list, loops inside it included. Stops with `plan-too-long` at
    /// ``maximumInstructions``: sweeps inside sweeps multiply.
    ///
    /// - Parameter outer: what is in force where the list begins; it is not changed.
    mutating func lower(_ list: [Step], _ outer: LoweringContext) {
        var context = outer
        for step in list {
            guard program.count < Self.maximumInstructions else {
                report(
                    "plan-too-long", at: step.range,
                    "the plan has more than \(Self.maximumInstructions) instructions",
                    hint: "use `repeat`, which does not grow with its count, or split the recipe")
                return
            }
            lower(step, &context)
        }
    }

    /// Turns one step into instructions; a step whose line could not be resolved makes none.
    private mutating func lower(_ step: Step, _ list: inout LoweringContext) {
        if case .pulseWithExposure(let line) = step.kind {
            return light(line, with: step, &list)
        }
        var context = list
        context.label = step.label ?? list.label
        switch step.kind {
        case .capture(let count):
            capture(count.value, step, context)
        case .bracket(let bracket):
            lower(bracket, step, context)
        case .sweep(let shots, let body):
            reserve(shots.count)
            for shot in shots { lower(body, context.changed(by: shot)) }
        case .repeat(let count, let every, let body):
            loop(count: count?.value ?? -1, every: every?.value ?? .zero, step, body, context)
        case .wait(let duration):
            program.append(.wait(duration.value, step: index(of: step)))
        case .waitForEdge(let line, let within):
            guard let line = lineIndex(line, as: .input, for: "wait") else { return }
            program.append(
                .waitForEdge(line: line, within: within?.value ?? .zero, step: index(of: step)))
        case .pulse(let line, let duration):
            guard let line = lineIndex(line, as: .output, for: "pulse") else { return }
            checkPulse(of: duration.value, step)
            program.append(
                .pulse(line: line, duration: duration.value, step: index(of: step)))
        case .pulseWithExposure: break
        }
    }

    /// Lets an output be active during every exposure of the rest of a list.
    private mutating func light(
        _ line: Located<String>, with step: Step, _ list: inout LoweringContext
    ) {
        guard let line = lineIndex(line, as: .output, for: "pulse") else { return }
        if recipe.camera.trigger != nil {
            report(
                "light-with-trigger", at: step.range,
                "a camera that a line exposes begins with the edge: no light can be switched on"
                    + " before it",
                hint: "let the same line switch the light; a pulse `for` a time would come"
                    + " after the exposure too")
        }
        list.lights |= 1 << UInt32(line)
        list.lightsRange = step.range
    }

    /// Warns of a pulse between an edge and the frame that the edge itself makes.
    private mutating func checkPulse(of duration: Interval, _ step: Step) {
        guard recipe.camera.trigger != nil, case .waitForEdge? = program.last else { return }
        report(
            "pulse-after-edge", at: step.range,
            "the camera begins to expose with the edge, and the sequence goes on \(duration) later: `capture`"
                + " may take the frame of a later edge",
            hint:
                "let the trigger's own line switch the light, and pulse before the `wait` or after the `capture`",
            severity: .warning)
    }

    /// Makes room for so many sets of settings at once: growing step by step would take a third of the time.
    ///
    /// - Parameter count: shots of the sweep that is about to be unrolled; a guess, and no limit.
    private mutating func reserve(_ count: Int) {
        let needed = settings.count + count
        guard needed > settings.capacity else { return }
        // Sweeps inside sweeps come by here often, so room at least doubles.
        let room = max(needed, settings.capacity * 2)
        settingsIndex.reserve(room, of: settings)
        settings.reserveCapacity(room)
        program.reserveCapacity(program.count + count)
    }

    /// Adds an instruction that takes frames, with the settings in force.
    ///
    /// - Parameters:
    ///   - count: frames, 1 and more.
    ///   - step: for the path in the ledger, and for the kind of still.
    ///   - context: what is in force; lights need an exposure that is known.
    mutating func capture(_ count: Int64, _ step: Step, _ context: LoweringContext) {
        let settings = intern(context)
        if context.lights != 0, let range = context.lightsRange {
            checkLights(settings, range)
        }
        let number = index(of: step)
        if let still = step.still { note(still, ofStep: number) }
        labels[number] = context.label
        program.append(
            .capture(count: count, settings: settings, lights: context.lights, step: number))
    }

    /// The labels of steps, ascending.
    var plannedLabels: [PlannedLabel] {
        labels.sorted { $0.key < $1.key }.map { PlannedLabel(step: $0.key, text: $0.value) }
    }

    /// Remembers that a step's frames become picture files; a DNG of frames that the camera has demosaiced is refused.
    private mutating func note(_ still: Located<StillFormat>, ofStep step: Int32) {
        if let pixels = configuration?.pixelFormat, !still.value.takes(pixels) {
            report(
                "still-format", at: still.range,
                "a DNG holds the sensor's own samples, and \(pixels.name) has been converted by the"
                    + " camera",
                hint: "use `still: jpeg` or `still: tiff`, or a raw format such as `SRGGB12`")
        }
        stills[step] = still.value
    }

    /// Adds a loop around its body; the instruction at its start gets the index of its end afterwards.
    ///
    /// - Parameters:
    ///   - count: rounds; −1 for ever.
    ///   - every: from the start of one round to the start of the next; zero for as soon as possible.
    private mutating func loop(
        count: Int64, every: Interval, _ step: Step, _ body: [Step], _ context: LoweringContext
    ) {
        checkSpan(count: count, every: every, step)
        let (start, number) = (program.count, index(of: step))
        if every > .zero { pacedLoops[number] = (step.range, every) }
        program.append(.loop(count: count, every: every, end: 0, step: number))
        lower(body, context)
        let end = Int32(program.count)
        program.append(.endLoop(start: Int32(start)))
        program[start] = .loop(count: count, every: every, end: end, step: number)
    }

    /// Warns of loops whose rounds take longer than they have.
    mutating func checkRounds(of plan: Plan) {
        // The walk is as long as the program, and most have nothing to find.
        guard !pacedLoops.isEmpty else { return }
        var walker = EstimateWalker(plan)
        _ = walker.nanoseconds()
        for overrun in walker.overruns {
            guard let loop = pacedLoops[overrun.step] else { continue }
            report(
                "rounds-too-long", at: loop.range,
                "a round takes about \(overrun.round), longer than `every: \(loop.every)`: rounds may begin late",
                hint: "give `every` more time, or a round fewer frames or changes of settings",
                severity: .warning)
        }
    }

    /// A loop's last round must begin at a time that can be counted in nanoseconds: within ``longestLoop``.
    private mutating func checkSpan(count: Int64, every: Interval, _ step: Step) {
        let span = count.multipliedReportingOverflow(by: every.nanoseconds)
        let isLong =
            span.overflow || Interval(nanoseconds: span.partialValue) > Self.longestLoop
        guard count > 0, isLong else { return }
        report(
            "loop-too-long", at: step.range,
            "\(count) rounds, one every \(every), take more than \(Self.longestLoop)",
            hint: "use `repeat: forever`, or fewer rounds")
    }

    /// 100 years of 365 days: schedules are kept in 64 bits of nanoseconds, which hold 292.
    private static let longestLoop = Interval.seconds(100 * 365 * 86_400)

    /// The number of a step's path; steps come in runs, so the last one is looked at first.
    ///
    /// Numbers are given in the order in which steps are first lowered; unrolled shots of one step share theirs.
    mutating func index(of step: Step) -> Int32 {
        if let lastStep, lastStep.path == step.path { return lastStep.number }
        let number = stepIndex[step.path] ?? Int32(steps.count)
        if Int(number) == steps.count {
            steps.append(step.path)
            stepIndex[step.path] = number
        }
        lastStep = (step.path, number)
        return number
    }

    /// The number of the settings in force; new ones are quantised and checked.
    ///
    /// Each different set is quantised once, and its problems are reported where the values were written.
    ///
    /// - Returns: 0 also where a step's rate is refused, which is reported: no plan is made then.
    mutating func intern(_ context: LoweringContext) -> Int32 {
        guard let requested = atStepRate(supported(context), context) else { return 0 }
        let number = Int32(settings.count)
        if let known = settingsIndex.number(requested, of: settings) { return known }
        let (quantised, found, timing) = quantise(requested)
        for problem in found {
            guard let range = context.range(of: problem.group) else { continue }
            report(problem.id, at: range, problem.message, hint: problem.hint)
        }
        checkFrameInterval(quantised.settings, context)
        if let asked = requested.exposure.asked, let range = context.range(of: .exposure),
            shortestExposure.map({ asked < $0.asked }) ?? true
        {
            shortestExposure = (asked, range)
        }
        settings.append(
            PlannedSettings(
                requested: requested, quantised: quantised.settings, codes: quantised.codes,
                latencyFrames: quantised.latencyFrames, settle: quantised.settle,
                lensApproach: quantised.lensApproach))
        settings[Int(number)].timing = timing
        return number
    }

    /// An exposure must fit between two frames: the frame rate takes precedence in every camera.
    ///
    /// Raw sensors are left out, since their frame length limits the exposure already. Compared is what the device will
    /// have, not what was asked for.
    private mutating func checkFrameInterval(_ settings: FrameSettings, _ context: LoweringContext)
    {
        guard let exposure = settings.exposure.asked, let rate = configuration?.rate,
            exposure > rate.period, profile.sensor == nil, let place = context.settings.exposure
        else { return }
        report(
            "exposure-exceeds-interval", at: place.range,
            "exposure \(exposure) is longer than the \(rate.period) from frame to frame at \(rate)",
            hint: "use a shorter exposure, or a lower frame rate")
    }

    /// Lights are switched by the clock before and after an exposure, so its duration has to be known when the plan is
    /// made.
    private mutating func checkLights(_ index: Int32, _ range: SourceRange) {
        guard settings.indices.contains(Int(index)),
            settings[Int(index)].quantised.exposure.asked == nil
        else { return }
        report(
            "light-without-exposure", at: range,
            "`with: exposure` needs an exposure duration that is known before the run",
            hint: "lock the exposure (`lock: {exposure: {duration: 8 ms}}`), or pulse `for` a time")
    }
}
