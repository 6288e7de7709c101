internal import Devices
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// Puts the camera in the mode that the recipe asks for, before any settings are looked at.
    ///
    /// A control for that is pinned in the profile either way: a camera that an earlier program left waiting for edges
    /// would deliver nothing to a free-running recipe. Warm-up frames are added to those at the start of the stream
    /// that are not used.
    ///
    /// - Returns: the number of the line that exposes it; nil for a free-running camera, or if it can't be done, which
    ///   is reported.
    mutating func resolveTrigger() -> Int32? {
        guard let wanted = recipe.camera.trigger else {
            if let mode = profile.trigger?.mode {
                profile.pinned.append(ControlValue(mode.control, mode.off))
            }
            return nil
        }
        guard let model = profile.trigger else {
            report(
                "trigger-unsupported", at: wanted.line.range,
                "camera `\(profile.name)` is not known to be exposed by a line: its profile has no"
                    + " `trigger`",
                hint: "leave `trigger` out and wait for edges with `wait: {edge:"
                    + " \(wanted.line.value)}`, or describe its trigger in the profile")
            return nil
        }
        check(wanted, model)
        if let mode = model.mode { profile.pinned.append(ControlValue(mode.control, mode.on)) }
        profile.startupFrames = max(profile.startupFrames, model.warmUpFrames)
        guard let line = lineIndex(wanted.line, as: .input, for: "trigger") else { return nil }
        check(lines[Int(line)].request, wanted)
        return line
    }

    /// The pulse and the lock's exposure have to fit what ends an exposure: the camera's control, or the pulse itself.
    private mutating func check(_ wanted: CameraTrigger, _ model: TriggerModel) {
        switch (model.exposure, wanted.pulse) {
        case (.pulse, nil):
            report(
                "trigger-pulse-missing", at: wanted.line.range,
                "camera `\(profile.name)` exposes for as long as the pulse of its trigger, and nothing"
                    + " states how long that is",
                hint: "write `trigger: {line: \(wanted.line.value), pulse: 4 ms}`")
        case (.timed, .some(let pulse)):
            report(
                "trigger-pulse-unused", at: pulse.range,
                "the pulse does not expose camera `\(profile.name)`: its exposure control does",
                hint: "leave `pulse` out, and lock the exposure's duration")
        default: break
        }
        if let exposure = recipe.lock.exposure { checkExposure(exposure.range) }
    }

    /// A camera that exposes for as long as its trigger's pulse takes no exposure, neither of `lock` nor of a bracket.
    mutating func checkExposure(_ range: SourceRange) {
        guard recipe.camera.trigger != nil, profile.trigger?.exposure == .pulse else { return }
        report(
            "exposure-by-trigger", at: range,
            "camera `\(profile.name)` exposes for as long as the pulse of its trigger: the exposure"
                + " can't be set",
            hint: "leave the exposure's duration out")
    }

    /// The line must watch the one edge that exposes, and must not be debounced by the kernel: edges would come too
    /// late to find their frames.
    private mutating func check(_ line: LineRequest, _ wanted: CameraTrigger) {
        if line.edge == .both {
            report(
                "trigger-edge", at: wanted.line.range,
                "line `\(line.name)` watches both edges, and one of them exposes the camera",
                hint: "declare the line with `edge: rising` or `edge: falling`")
        }
        if line.debounce > .zero {
            report(
                "trigger-debounced", at: wanted.line.range,
                "line `\(line.name)` is debounced by the kernel, which timestamps its edges late, by"
                    + " \(line.debounce) and up to 10 ms more: too late to find their frames",
                hint: "leave `debounce` out, and debounce the line outside if its contact bounces")
        }
    }

    /// What to expect of the trigger, once all settings are known.
    ///
    /// A frame's readout follows its edge by exposure and delay, each within bounds: that is the window in which edge
    /// and frame are matched. Where edges may come so close that two windows overlap, a warning states how far apart
    /// they have to be. The period of a camera whose rate is not stated counts as that of 30 fps.
    ///
    /// - Parameter line: from ``resolveTrigger()``; nil makes no trigger.
    mutating func plannedTrigger(_ line: Int32?) -> PlannedTrigger? {
        guard let line, let model = profile.trigger, let wanted = recipe.camera.trigger,
            let exposures = exposures(wanted, model)
        else { return nil }
        // Until the first settings are sure to be in force, edges are spent on warming up.
        let latency = settings.map(\.latencyFrames).max() ?? 0
        profile.startupFrames = max(profile.startupFrames, latency)
        let frameTime =
            profile.timing?.period ?? configuration?.rate?.period ?? .nanoseconds(33_333_333)
        let period = model.period(exposures: exposures, frameTime: frameTime)
        let window = TriggerWindow(
            earliest: exposures.shortest + model.shortestDelay,
            latest: exposures.longest + model.longestDelay,
            edgeDelay: lines[Int(line)].request.delay,
            shortestPeriod: period.shortest, longestPeriod: period.longest)
        let delay = profile.timestamps.delay
        if (window.width + delay) * 2 >= window.shortestPeriod {
            report(
                "trigger-window", at: wanted.line.range,
                "edges closer than \((window.width + delay) * 2) can't be distinguished by time: that"
                    + " is twice what exposures, delay and timestamps leave open, and the camera may take"
                    + " edges every \(window.shortestPeriod)",
                severity: .warning)
        }
        return PlannedTrigger(
            line: line, window: window,
            exposure: model.exposure == .pulse
                ? wanted.pulse.map { $0.value + model.pulseOffset } : nil,
            mode: model.mode.map { ControlValue($0.control, $0.on) })
    }

    /// The shortest and the longest exposure that an edge can begin; nil, and reported, if that is not known.
    ///
    /// Of a camera exposed by pulses both are the pulse and the profile's offset; of others they come from all settings
    /// of the plan.
    private mutating func exposures(
        _ wanted: CameraTrigger, _ model: TriggerModel
    ) -> (shortest: Interval, longest: Interval)? {
        if model.exposure == .pulse {
            return wanted.pulse.map { ($0.value + model.pulseOffset, $0.value + model.pulseOffset) }
        }
        let known = settings.compactMap(\.quantised.exposure.asked)
        guard known.count == settings.count, let shortest = known.min(), let longest = known.max()
        else {
            report(
                "trigger-exposure", at: wanted.line.range,
                "when a frame comes after its edge depends on its exposure, which is not known before"
                    + " the run",
                hint: "lock the exposure (`lock: {exposure: {duration: 8 ms}}`)")
            return nil
        }
        return (shortest, longest)
    }
}
